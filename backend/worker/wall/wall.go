// Package wall takes away from the worker's own process everything that
// running functions does not need: files, other programs, listening sockets,
// signals, core dumps. It is the second wall. The first is the engine, which
// has no name for any of these; this one holds when the engine does not.
//
// What the network needs of files (the roots of certificates, the settings of
// name resolution) is read or opened before, and handed out as an Outside.
//
// There is no filter of system calls: without files, without execute rights
// and with no way to gain privileges little is left for one to refuse, and it
// would have to follow every release of the Go runtime.
package wall

import (
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"benchtop/backend/worker/wire"
)

// Config names the files that the network needs; zero values are the system's
// own.
type Config struct {
	Bundles []string // files of PEM certificates, the first that opens counts
	Resolv  string   // resolv.conf
	// Port is where name servers listen; 53.
	Port string
}

// Outside is the network as it can be used from behind the wall.
type Outside struct {
	Resolver *net.Resolver
	// Roots gives the trusted certificates; nil means the system's own way of
	// verifying. The first call parses them, which takes milliseconds.
	Roots func() *x509.CertPool
}

// Open is the network of a process that has no wall around it, for tests.
func Open() Outside {
	return Outside{Resolver: net.DefaultResolver, Roots: func() *x509.CertPool { return nil }}
}

// Enter restricts the process for good and says what holds. What a system does
// not have is left out and reported; an error means that a measure was there
// and could not be taken.
func Enter(c Config) (Outside, wire.Ready, error) {
	time.Local = time.UTC // as on the hosted platform; the time zone file is out of reach from here on
	if c.Bundles == nil {
		c.Bundles = bundles
	}
	if c.Resolv == "" {
		c.Resolv = "/etc/resolv.conf"
	}
	if c.Port == "" {
		c.Port = "53"
	}
	out := prepare(c)
	ready, err := restrict()
	if err != nil {
		return out, ready, fmt.Errorf("restrict the process: %w", err)
	}
	return out, ready, nil
}

// nameservers reads the addresses of a resolv.conf, as host:port.
func nameservers(path, port string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "nameserver" && len(out) < 3 {
			out = append(out, net.JoinHostPort(f[1], port))
		}
	}
	return out
}
