//go:build !linux

package wall

import "crypto/x509"

var bundles = []string{}

// prepare leaves names and certificates to the system, which answers for them
// by services and not by files.
func prepare(Config) Outside {
	o := Open()
	o.Roots = func() *x509.CertPool { return nil }
	return o
}
