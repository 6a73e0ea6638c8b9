package hostapi

import (
	"net/netip"
	"testing"

	"github.com/nlnwa/whatwg-url/url"
)

func TestPrivate(t *testing.T) {
	for text, want := range map[string]bool{
		"127.0.0.1": true, "127.8.8.8": true, "10.1.2.3": true, "172.16.0.1": true, "192.168.1.1": true, "169.254.169.254": true,
		"0.0.0.0": true, "100.64.0.1": true, "198.18.0.1": true, "255.255.255.255": true, "224.0.0.1": true, "240.0.0.1": true,
		"::1": true, "::": true, "fe80::1": true, "fc00::1": true, "fd12::1": true, "fec0::1": true, "ff02::1": true,
		"::ffff:127.0.0.1": true, "::ffff:10.0.0.1": true, "64:ff9b::7f00:1": true, "2002:7f00:1::": true, "::7f00:1": true,
		"1.1.1.1": false, "8.8.8.8": false, "172.32.0.1": false, "2606:4700::1111": false, "64:ff9b::808:808": false, "2002:808:808::": false,
	} {
		if got := private(netip.MustParseAddr(text)); got != want {
			t.Errorf("private(%s) = %v", text, got)
		}
	}
}

// TestTarget wants the request line to hold what was checked, and the host to
// stay the host whatever the path looks like.
func TestTarget(t *testing.T) {
	for text, want := range map[string]string{
		"http://a.example/x y?q=ä":   "/x%20y?q=%C3%A4",
		"http://a.example//evil.com": "//evil.com",
		"http://a.example":           "/",
		"http://a.example/a%2Fb":     "/a%2Fb",
		"http://a.example/?":         "/",
		"http://a.example/%zz|\"":    "/%zz|%22",
	} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		to := target(u)
		if got := to.RequestURI(); got != want {
			t.Errorf("%s asks for %q, want %q", text, got, want)
		}
		if to.Host != "a.example" {
			t.Errorf("%s goes to %q", text, to.Host)
		}
	}
}
