package cli_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority makes certificates in a folder: ca.pem, and for each name a
// certificate and its key.
func authority(t *testing.T, names ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, kind string, der []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	key := func() *ecdsa.PrivateKey {
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	caKey := key()
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	if err != nil {
		t.Fatal(err)
	}
	write("ca.pem", "CERTIFICATE", der)
	for i, name := range names {
		k := key()
		c := &x509.Certificate{SerialNumber: big.NewInt(int64(i + 2)), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
			IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
		der, err := x509.CreateCertificate(rand.Reader, c, ca, &k.PublicKey, caKey)
		if err != nil {
			t.Fatal(err)
		}
		write(name+".pem", "CERTIFICATE", der)
		if der, err = x509.MarshalPKCS8PrivateKey(k); err != nil {
			t.Fatal(err)
		}
		write(name+".key", "PRIVATE KEY", der)
	}
	return dir
}

// TestExecutorWithCertificates: an executor that asks for client certificates
// takes the platform that has one and nobody else.
func TestExecutorWithCertificates(t *testing.T) {
	dir := authority(t, "executor", "platform")
	in := func(name string) string { return filepath.Join(dir, name) }
	url, _ := startExecutor(t, nil, "--tls-cert", in("executor.pem"), "--tls-key", in("executor.key"), "--client-ca", in("ca.pem"))
	if !strings.HasPrefix(url, "https://") {
		t.Fatalf("it serves %s", url)
	}
	stranger := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	if res, err := stranger.Get(url + "/healthz"); err == nil {
		res.Body.Close()
		t.Errorf("a stranger was answered %d", res.StatusCode)
	}
	p := startProcess(t, filepath.Join(t.TempDir(), "data"), crashProject(t, "http://127.0.0.1:1"), "SERVICE_EXECUTOR_URL="+url,
		"SERVICE_EXECUTOR_CERT="+in("platform.pem"), "SERVICE_EXECUTOR_KEY="+in("platform.key"), "SERVICE_EXECUTOR_CA="+in("ca.pem"))
	if r := p.invoke("one", ""); r.status != 200 || !strings.Contains(r.body, `"won":true`) {
		t.Errorf("%+v", r)
	}
	p.stop()
	// Without a certificate of its own the platform gets nowhere, and says so.
	p = startProcess(t, filepath.Join(t.TempDir(), "data"), crashProject(t, "http://127.0.0.1:1"), "SERVICE_EXECUTOR_URL="+url, "SERVICE_EXECUTOR_CA="+in("ca.pem"))
	if r := p.invoke("two", ""); r.status != 503 || !strings.Contains(r.body, "EXECUTOR_UNAVAILABLE") {
		t.Errorf("%+v", r)
	}
	p.stop()
}
