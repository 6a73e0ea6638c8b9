package wall

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
)

// bundles are where distributions keep their certificates in one file.
var bundles = []string{
	"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
	"/etc/pki/tls/cacert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
}

// folder is where a distribution without such a file keeps them one by one.
const folder = "/etc/ssl/certs"

// prepare opens and reads what the network needs while that is possible.
func prepare(c Config) Outside {
	return Outside{Resolver: resolver(nameservers(c.Resolv, c.Port), c.Port), Roots: roots(c.Bundles)}
}

// roots keeps the bundle open, because what is open stays readable. Reading and
// parsing it waits for the first function that needs it.
func roots(paths []string) func() *x509.CertPool {
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		return sync.OnceValue(func() *x509.CertPool {
			pool := x509.NewCertPool()
			if text, err := io.ReadAll(f); err == nil {
				pool.AppendCertsFromPEM(text)
			}
			_ = f.Close()
			return pool
		})
	}
	var texts [][]byte
	names, _ := filepath.Glob(filepath.Join(folder, "*.pem"))
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil {
			texts = append(texts, text)
		}
	}
	return sync.OnceValue(func() *x509.CertPool {
		pool := x509.NewCertPool()
		for _, text := range texts {
			pool.AppendCertsFromPEM(text)
		}
		return pool
	})
}

var errPriming = errors.New("no name server is asked yet")

// resolver asks the name servers of the moment, whatever the system's settings
// become: Go would read the changed file, be refused and ask this machine
// instead. The platform replaces workers whose settings are old.
func resolver(servers []string, port string) *net.Resolver {
	var primed atomic.Bool
	r := &net.Resolver{PreferGo: true, StrictErrors: false}
	r.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if !primed.Load() {
			return nil, errPriming
		}
		if len(servers) > 0 && !slices.Contains(servers, address) {
			address = servers[0]
		}
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}
	// The hosts file and the order of sources are read now and kept.
	_, _ = r.LookupHost(context.Background(), "localhost")
	primed.Store(true)
	return r
}
