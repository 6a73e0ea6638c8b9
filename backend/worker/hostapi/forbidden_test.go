package hostapi

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/contract"
)

// names is what the name server of these tests knows.
var names = map[string][]string{
	"public.test.": {"93.184.216.34"}, "api.public.test.": {"93.184.216.35"}, "private.test.": {"10.0.0.1"},
	"mixed.test.": {"10.0.0.1", "93.184.216.34"}, "metadata.test.": {"169.254.169.254"}, "loop.test.": {"127.0.0.1"},
	"six.test.": {"::1"}, "mapped.test.": {"::ffff:192.168.0.1"}, "xn--bcher-kva.test.": {"93.184.216.36"},
}

// TestWhatMayBeFetched follows an address from the text that a function wrote to
// the addresses that are dialled.
func TestWhatMayBeFetched(t *testing.T) {
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go serveNames(theirs)
		return ours, nil
	}}
	all := []string{"*"}
	for _, tt := range []struct {
		allow []string
		text  string
		want  string // the addresses dialled, or a part of the refusal
	}{
		// Protocols.
		{all, "http://93.184.216.34/", "93.184.216.34:80"},
		{all, "https://93.184.216.34/", "93.184.216.34:443"},
		{all, "HTTPS://93.184.216.34:8443/x", "93.184.216.34:8443"},
		{all, "file:///etc/passwd", "only http and https"},
		{all, "ftp://93.184.216.34/", "only http and https"},
		{all, "ws://93.184.216.34/", "only http and https"},
		{all, "data:text/plain,x", "only http and https"},
		{all, "blob:https://public.test/1", "only http and https"},
		{all, "javascript:alert(1)", "only http and https"},
		{all, "gopher://93.184.216.34:70/", "only http and https"},
		{all, "unix:///run/docker.sock", "only http and https"},
		{all, "/relative", "parse"},
		{all, "//public.test/", "parse"},
		{all, "", "parse"},
		// User names and passwords.
		{all, "http://user@public.test/", "user name"},
		{all, "http://user:pass@public.test/", "user name"},
		{all, "http://@public.test/", "user name"},
		{all, "http://:@public.test/", "user name"},
		{[]string{"https://public.test"}, "https://public.test@loop.test/", "user name"},
		{[]string{"https://public.test"}, "https://public.test%40loop.test/", "parse"},
		{all, "https:public.test@loop.test/", "user name"},
		{all, "http://public.test/path@2x.png?a=b@c", "93.184.216.34:80"},
		// Control characters and backslashes.
		{all, "http://public.test\\@loop.test/", "control characters or backslashes"},
		{all, "http:\\\\public.test/", "control characters or backslashes"},
		{all, "http://public.test/a\\b", "control characters or backslashes"},
		{all, "http://public.test/\r\nHost: loop.test", "control characters"},
		{all, "ht\ttp://public.test/", "control characters"},
		{all, "http://public\n.test/", "control characters"},
		{all, "\x00http://public.test/", "control characters"},
		{all, "http://public.test/\x7f", "control characters"},
		{all, "http://public.test/\u0085", "control characters"},
		{all, "http://public.test/%0d%0aHost:%20loop.test", "93.184.216.34:80"},
		// This machine, however it is spelled.
		{all, "http://127.0.0.1/", "not a public address"},
		{all, "http://127.1/", "not a public address"},
		{all, "http://2130706433/", "not a public address"},
		{all, "http://0x7f000001/", "not a public address"},
		{all, "http://0x7f.0.0.1/", "not a public address"},
		{all, "http://0177.0.0.1/", "not a public address"},
		{all, "http://017700000001/", "not a public address"},
		{all, "http://127.0.0.1./", "not a public address"},
		{all, "http://127。0。0。1/", "not a public address"},
		{all, "http://127．0｡0.1/", "not a public address"},
		{all, "http://１２７.0.0.1/", "not a public address"},
		{all, "http://%31%32%37.0.0.1/", "not a public address"},
		{all, "http://①②⑦.0.0.1/", "not a public address"},
		{all, "http://0/", "not a public address"},
		{all, "http://[::1]/", "not a public address"},
		{all, "http://[::]/", "not a public address"},
		{all, "http://[0:0:0:0:0:0:0:1]/", "not a public address"},
		{all, "http://[::ffff:127.0.0.1]/", "not a public address"},
		{all, "http://[::ffff:7f00:1]/", "not a public address"},
		{all, "http://[::127.0.0.1]/", "not a public address"},
		{all, "http://[::ffff:0:127.0.0.1]/", "not a public address"},
		{all, "http://[64:ff9b::7f00:1]/", "not a public address"},
		{all, "http://[64:ff9b:1::1]/", "not a public address"},
		{all, "http://[2002:7f00:1::]/", "not a public address"},
		{all, "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/", "not a public address"}, // Teredo of 127.0.0.1
		{all, "http://[2606:4700::5efe:10.0.0.1]/", "not a public address"},
		{all, "http://[fe80::1%25eth0]/", "parse"},
		{all, "http://localhost/", "not a public address"},
		{all, "http://LOCALHOST/", "not a public address"},
		{all, "http://1.2.3.4.5/", "parse"},
		{all, "http://256.256.256.256/", "parse"},
		{all, "http://0x100000000/", "parse"},
		// Its network, clouds, groups and nobody's.
		{all, "http://10.1.2.3/", "not a public address"},
		{all, "http://172.31.255.255/", "not a public address"},
		{all, "http://192.168.1.1/", "not a public address"},
		{all, "http://169.254.169.254/latest/meta-data/", "not a public address"},
		{all, "http://[fd00:ec2::254]/latest/", "not a public address"},
		{all, "http://100.100.100.200/", "not a public address"},
		{all, "http://168.63.129.16/", "not a public address"},
		{all, "http://100.64.0.1/", "not a public address"},
		{all, "http://224.0.0.251/", "not a public address"},
		{all, "http://[ff02::fb]/", "not a public address"},
		{all, "http://255.255.255.255/", "not a public address"},
		{all, "http://[fe80::1]/", "not a public address"},
		{all, "http://[fc00::1]/", "not a public address"},
		{all, "http://[2001:db8::1]/", "not a public address"},
		{all, "http://198.51.100.7/", "not a public address"},
		{all, "http://[2606:4700::1111]/", "[2606:4700::1111]:80"},
		// Names that lead there.
		{all, "http://public.test/", "93.184.216.34:80"},
		{all, "http://private.test/", "not a public address"},
		{all, "http://metadata.test/", "not a public address"},
		{all, "http://loop.test/", "not a public address"},
		{all, "http://six.test/", "not a public address"},
		{all, "http://mapped.test/", "not a public address"},
		{all, "http://mixed.test/", "93.184.216.34:80"},
		{all, "http://loop.test./", "not a public address"},
		{all, "http://public。test/", "93.184.216.34:80"},
		{all, "http://bücher.test/", "93.184.216.36:80"},
		{all, "http://BÜCHER.test/", "93.184.216.36:80"},
		{[]string{"*.test"}, "http://loop.test/", "not a public address"},
		{[]string{"*.test"}, "http://public.test/", "93.184.216.34:80"},
		{[]string{"*.test"}, "http://api.public.test/", "93.184.216.35:80"},
		{[]string{"*.public.test"}, "http://public.test/", "permissions.fetch"},
		{[]string{"*.public.test"}, "http://evilpublic.test/", "permissions.fetch"},
		// An entry that names the host opens it, and only it.
		{[]string{"http://127.0.0.1:9"}, "http://127.0.0.1:9/x", "127.0.0.1:9"},
		{[]string{"http://127.0.0.1:9"}, "http://2130706433:9/x", "127.0.0.1:9"},
		{[]string{"http://127.0.0.1:9"}, "http://127.0.0.1:10/x", "permissions.fetch"},
		{[]string{"http://127.0.0.1:9"}, "http://localhost:9/x", "permissions.fetch"},
		{[]string{"http://127.0.0.1:9", "*"}, "http://127.0.0.1:10/x", "not a public address"},
		{[]string{"http://loop.test"}, "http://loop.test/x", "127.0.0.1:80"},
		{[]string{"http://mixed.test"}, "http://mixed.test/x", "10.0.0.1:80 93.184.216.34:80"},
		{[]string{"http://[::1]"}, "http://[0::1]/", "[::1]:80"},
		{[]string{"https://public.test/v1"}, "https://public.test/v1evil", "permissions.fetch"},
		{[]string{"https://public.test/v1"}, "https://public.test/v1/../v2", "permissions.fetch"},
		{[]string{"https://public.test/v1"}, "https://public.test/v1/%2e%2e/v2", "permissions.fetch"},
		{[]string{"https://public.test/v1"}, "https://public.test/v1/..%2fv2", "permissions.fetch"},
		{[]string{"https://public.test"}, "http://public.test/", "permissions.fetch"},
		{[]string{"https://public.test"}, "https://public.test./", "permissions.fetch"},
		{[]string{"https://public.test"}, "https://public.test.loop.test/", "permissions.fetch"},
		{nil, "https://public.test/", "permissions.fetch"},
	} {
		got, refused := dialled(t, resolver, tt.allow, tt.text)
		if refused && !strings.Contains(got, tt.want) || !refused && got != tt.want {
			t.Errorf("%q with %q: %s (refused: %v), want %s", tt.text, tt.allow, got, refused, tt.want)
		}
	}
}

// dialled gives the addresses, or why there are none.
func dialled(t *testing.T, r *net.Resolver, allow []string, text string) (got string, refused bool) {
	t.Helper()
	refusal := func(err error) (string, bool) {
		if e := contract.AsError(err); e == nil || e.Code != contract.FetchForbidden {
			t.Errorf("%q fails with %v, want FETCH_FORBIDDEN", text, err)
		}
		return err.Error(), true
	}
	if err := checkText(text); err != nil {
		return refusal(err)
	}
	u, err := url.Parse(text)
	if err != nil {
		return "does not parse", true
	}
	if err := checkURL(allow, u); err != nil {
		return refusal(err)
	}
	to, err := addresses(t.Context(), r, allow, u)
	if err != nil {
		return refusal(err)
	}
	slices.Sort(to)
	return strings.Join(to, " "), false
}

// serveNames answers queries over a stream, RFC 1035 4.2.2.
func serveNames(conn net.Conn) {
	defer conn.Close()
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf[:2])
		if err != nil || n != 2 {
			return
		}
		size := int(buf[0])<<8 | int(buf[1])
		if size > len(buf) {
			return
		}
		for got := 0; got < size; {
			n, err := conn.Read(buf[got:size])
			if err != nil {
				return
			}
			got += n
		}
		answer := answerTo(buf[:size])
		if _, err := conn.Write(append([]byte{byte(len(answer) >> 8), byte(len(answer))}, answer...)); err != nil {
			return
		}
	}
}

func answerTo(query []byte) []byte {
	var asked strings.Builder
	i := 12
	for ; query[i] != 0; i += 1 + int(query[i]) {
		asked.Write(query[i+1 : i+1+int(query[i])])
		asked.WriteByte('.')
	}
	i += 5
	kind := query[i-3]
	reply := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:i]...)
	found, known := names[strings.ToLower(asked.String())]
	if !known {
		reply[3] = 0x83
	}
	for _, text := range found {
		ip := netip.MustParseAddr(text)
		if ip.Is4() != (kind == 1) {
			continue
		}
		reply[7]++
		reply = append(reply, 0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0, byte(len(ip.AsSlice())))
		reply = append(reply, ip.AsSlice()...)
	}
	return reply
}
