package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"benchtop/backend/platform"
)

// Where a platform finds its executors. Secrets and keys are named here and
// never on a command line, which every user of the machine can read.
const (
	envExecutorURL    = "SERVICE_EXECUTOR_URL"
	envExecutorURLOld = "WEBAGENTS_EXECUTOR_URL"
	envExecutorSecret = "SERVICE_EXECUTOR_SECRET"
	envExecutorCert   = "SERVICE_EXECUTOR_CERT"
	envExecutorKey    = "SERVICE_EXECUTOR_KEY"
	envExecutorCA     = "SERVICE_EXECUTOR_CA"
)

// remoteOptions are a platform's executors on other machines.
type remoteOptions struct {
	bridgeAddr string
	bridgeURL  string
	executors  platform.RemoteExecutors
}

func (o *remoteOptions) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.bridgeAddr, "bridge-addr", "", "address that serves host calls alone, for executors of "+envExecutorURL)
	f.StringVar(&o.bridgeURL, "bridge-url", "", "what executors call --bridge-addr (default: as it is)")
}

// complete reads the environment and refuses what would send functions, secrets
// or tokens over a network that anybody can listen to or join.
func (o *remoteOptions) complete() error {
	text := os.Getenv(envExecutorURL)
	if text == "" {
		text = os.Getenv(envExecutorURLOld)
	}
	if text == "" {
		if o.bridgeAddr != "" || o.bridgeURL != "" {
			return usageError{fmt.Errorf("--bridge-addr and --bridge-url are for executors; name them in %s", envExecutorURL)}
		}
		return nil
	}
	c := platform.RemoteExecutors{Secret: os.Getenv(envExecutorSecret), BridgeURL: o.bridgeURL}
	away := false
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		u, err := url.Parse(one)
		if err != nil || u.Host == "" {
			return usageError{fmt.Errorf("%s: %q is no address; write http://host:port, several with commas between", envExecutorURL, one)}
		}
		away = away || !loopbackHost(u.Hostname())
		c.URLs = append(c.URLs, one)
	}
	var err error
	if c.TLS, err = clientTLS(os.Getenv(envExecutorCert), os.Getenv(envExecutorKey), os.Getenv(envExecutorCA)); err != nil {
		return err
	}
	if away && c.Secret == "" && (c.TLS == nil || len(c.TLS.Certificates) == 0) {
		return usageError{fmt.Errorf("%s names another machine: set %s, or %s and %s, so that it knows this platform", envExecutorURL, envExecutorSecret, envExecutorCert, envExecutorKey)}
	}
	if away && o.bridgeAddr == "" && o.bridgeURL == "" {
		return usageError{fmt.Errorf("%s names another machine: say with --bridge-addr (and --bridge-url) where it reaches the host bridge of this one", envExecutorURL)}
	}
	o.executors = c
	return nil
}

// clientTLS is nil when nothing is set.
func clientTLS(cert, key, ca string) (*tls.Config, error) {
	if cert == "" && key == "" && ca == "" {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if cert != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, usageError{fmt.Errorf("%s and %s: %w", envExecutorCert, envExecutorKey, err)}
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if ca != "" {
		pool, err := certPool(ca)
		if err != nil {
			return nil, usageError{fmt.Errorf("%s: %w", envExecutorCA, err)}
		}
		c.RootCAs = pool
	}
	return c, nil
}

func certPool(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form", file)
	}
	return pool, nil
}

func loopbackHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// serveBridge opens the door for executors, when one is asked for.
func (s *Server) serveBridge(o remoteOptions) error {
	if o.bridgeAddr == "" {
		return nil
	}
	ln, err := net.Listen("tcp", o.bridgeAddr)
	if err != nil {
		return fmt.Errorf("--bridge-addr: %w", err)
	}
	s.bridge = &http.Server{Handler: s.platform.BridgeDoor(), ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader}
	if o.bridgeURL == "" {
		s.platform.SetBridgeURL("http://" + ln.Addr().String())
	}
	go func() {
		if err := s.bridge.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	}()
	return nil
}

func (s *Server) closeBridge(ctx context.Context) error {
	if s.bridge == nil {
		return nil
	}
	return s.bridge.Shutdown(ctx)
}
