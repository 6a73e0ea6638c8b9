package hostapi

import (
	"testing"
	"time"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wall"
	"benchtop/backend/worker/wire"
)

// Offline, every request gets its own written answer, each is given once, and
// nothing goes anywhere.
func TestOffline(t *testing.T) {
	answers := []wire.FetchAnswer{
		{Method: "GET", URL: "https://a.example/x", Status: 200, Headers: [][2]string{{"x-n", "1"}}, Body: "one"},
		{Method: "GET", URL: "https://a.example/x", Status: 404},
		{Method: "POST", URL: "https://a.example/x", Error: &contract.HostFailed{Code: contract.EgressTimeout, Message: "slow"}},
		{Method: "GET", URL: "https://a.example/large", Status: 200, Body: "more than is left"},
	}
	s := New(wire.Run{IngressBytes: 10, Offline: &wire.Offline{Answers: answers}}, nil, time.Now(), wall.Outside{})
	for _, c := range []struct {
		method, url string
		status      int
		body        string
		code        contract.Code
	}{
		{"GET", "https://a.example/x", 200, "one", ""},
		{"POST", "https://a.example/x", 0, "", contract.EgressTimeout},
		{"GET", "https://A.example/x", 404, "", ""},
		{"GET", "https://a.example/x", 0, "", contract.FetchFailed},
		{"GET", "https://a.example/x?y", 0, "", contract.FetchFailed},
		{"GET", "https://a.example/large", 0, "", contract.HostQuotaExceeded},
	} {
		u, err := url.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.reach(t.Context(), &fetch{method: c.method, url: c.url}, u)
		if e := contract.AsError(err); c.code != "" {
			if e == nil || e.Code != c.code {
				t.Errorf("%s %s: %v, want %s", c.method, c.url, err, c.code)
			}
			continue
		}
		if err != nil || a.status != c.status || string(a.body) != c.body {
			t.Errorf("%s %s: %+v, %v", c.method, c.url, a, err)
		}
	}
	if in, _ := s.Traffic(); in != 3 {
		t.Errorf("%d bytes came in", in)
	}
}
