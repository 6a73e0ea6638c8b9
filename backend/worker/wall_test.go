//go:build unix

package worker

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"benchtop/backend/worker/wall"
	"benchtop/backend/worker/wire"
)

// walled is the environment variable with which the test program is a worker
// behind the wall; it holds a wall.Config.
const walled = "WORKER_BEHIND_WALL"

func TestMain(m *testing.M) {
	if text := os.Getenv(walled); text != "" {
		var c wall.Config
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			panic(err)
		}
		os.Exit(enter(c, os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// behindWall starts a worker as a process of its own.
func behindWall(t *testing.T, c wall.Config) *client {
	t.Helper()
	config, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{walled + "=" + string(config)}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the worker: %v", err)
		}
	})
	w := &client{t: t, in: in, frames: wire.NewReader(out), code: map[string]string{}}
	kind, body := w.next()
	if kind != wire.KindReady {
		t.Fatalf("first frame is of kind %d, want Ready", kind)
	}
	var ready wire.Ready
	w.read(body, &ready)
	t.Logf("behind Landlock %d", ready.Landlock)
	return w
}

// TestFetchBehindWall fetches over HTTPS by name, from a worker that cannot
// open a file any more: name servers and certificates were read before.
func TestFetchBehindWall(t *testing.T) {
	dns := nameServer(t, "api.example.test.")
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("hello over " + r.Proto + " for " + r.Host))
	}))
	site.Config.ErrorLog = log.New(io.Discard, "", 0)
	site.StartTLS()
	defer site.Close()
	dir := t.TempDir()
	bundle := filepath.Join(dir, "roots.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw})
	if err := os.WriteFile(bundle, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	resolv := filepath.Join(dir, "resolv.conf")
	host, port, _ := net.SplitHostPort(dns.LocalAddr().String())
	if err := os.WriteFile(resolv, []byte("# ours\nnameserver "+host+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, sitePort, _ := net.SplitHostPort(site.Listener.Addr().String())
	c := behindWall(t, wall.Config{Bundles: []string{bundle}, Resolv: resolv, Port: port})

	for _, tt := range []struct{ name, url, want string }{
		// The test server's certificate is for example.com.
		{"by name", "https://example.com:" + sitePort + "/", "hello over HTTP/1.1 for example.com:" + sitePort},
		{"a name that the certificate is not for", "https://api.example.test:" + sitePort + "/", "FETCH_FAILED"},
		{"a name that nobody has", "https://nobody.example.test/", "FETCH_FAILED"},
	} {
		got := c.fetching(t, []string{"https://example.com:" + sitePort, "https://api.example.test:" + sitePort, "https://nobody.example.test"},
			`return await fetch("`+tt.url+`").then(r => r.text(), e => e.code)`)
		var text string
		if err := json.Unmarshal(got.result.Value, &text); err != nil || text != tt.want {
			t.Errorf("%s: %s %+v, want %s", tt.name, got.result.Value, got.result.Error, tt.want)
		}
	}
}

// nameServer answers example.com and name with 127.0.0.1, and nothing else.
func nameServer(t *testing.T, name string) net.PacketConn {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if answer := resolve(buf[:n], "example.com.", name); answer != nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	return conn
}

// resolve makes a reply to a query of RFC 1035.
func resolve(query []byte, known ...string) []byte {
	if len(query) < 17 {
		return nil
	}
	var asked strings.Builder
	i := 12
	for i < len(query) && query[i] != 0 {
		n := int(query[i])
		if i+1+n > len(query) {
			return nil
		}
		asked.Write(query[i+1 : i+1+n])
		asked.WriteByte('.')
		i += 1 + n
	}
	if i += 5; i > len(query) {
		return nil
	}
	kind := query[i-3]
	reply := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:i]...)
	for _, name := range known {
		if strings.EqualFold(name, asked.String()) {
			if kind == 1 {
				reply[7] = 1
				reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1)
			}
			return reply
		}
	}
	reply[3] = 0x83 // there is no such name
	return reply
}
