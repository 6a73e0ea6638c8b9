package httpapi

import (
	"strings"
	"testing"

	"benchtop/backend/contract"
)

func TestHosts(t *testing.T) {
	w := newWorld(t)
	get := func(url, host, path string) (int, string) {
		w.url = url
		rec := w.do(w.owner(request{method: "GET", path: path, header: map[string]string{"Host": host}}))
		return rec.Code, rec.Body.String()
	}
	for _, c := range []struct {
		url, host string
		status    int
	}{
		{base, "127.0.0.1:4780", 200},
		{base, "localhost:4780", 200},
		{base, "LOCALHOST:4780", 200},
		{base, "[::1]:4780", 200},
		{"http://127.0.0.1:80", "127.0.0.1", 200},
		{"http://127.0.0.1:80", "127.0.0.1:4780", 421},
		{base, "", 421},
		{base, "127.0.0.1", 421},
		{base, "127.0.0.1:4781", 421},
		{base, "127.0.0.2:4780", 421},
		{base, "evil.example:4780", 421},
		{base, "localhost.evil.example:4780", 421},
		{base, "127.0.0.1.nip.io:4780", 421},
		{base, "evil.example", 421},
		{base, "a.b.localhost:4780", 421},
		{base, ".localhost:4780", 421},
		{base, "mia.localhost:1", 421},
		// An agent's name serves neither the API nor the page, whoever asks.
		{base, "mia.localhost:4780", 404},
		{base, "MIA.localhost:4780", 404},
		{base, "nobody.localhost:4780", 404},
	} {
		if got, body := get(c.url, c.host, "/api/agents"); got != c.status {
			t.Errorf("Host %q at %s: status %d, want %d: %s", c.host, c.url, got, c.status, body)
		}
		if got, body := get(c.url, c.host, "/"); got != c.status {
			t.Errorf("page, Host %q at %s: status %d, want %d: %s", c.host, c.url, got, c.status, body)
		}
	}
}

func TestOrigins(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name   string
		header map[string]string
		ok     bool
	}{
		{"a program", nil, true},
		{"our page", map[string]string{"Origin": base, "Sec-Fetch-Site": "same-origin"}, true},
		{"our page, plain GET", map[string]string{"Sec-Fetch-Site": "same-origin"}, true},
		{"address bar", map[string]string{"Sec-Fetch-Site": "none"}, true},
		{"our page at localhost", map[string]string{"Host": "localhost:4780", "Origin": "http://localhost:4780"}, true},
		{"window", map[string]string{"Origin": "wails://wails", "Sec-Fetch-Site": "cross-site"}, true},
		{"window on Windows", map[string]string{"Origin": "http://wails.localhost"}, true},
		{"no origin", map[string]string{"Origin": "null"}, false},
		{"empty origin", map[string]string{"Origin": ""}, false},
		{"foreign page", map[string]string{"Origin": "https://evil.example"}, false},
		{"foreign page, plain GET", map[string]string{"Sec-Fetch-Site": "cross-site"}, false},
		{"page on another port", map[string]string{"Origin": "http://127.0.0.1:9999", "Sec-Fetch-Site": "same-site"}, false},
		{"page on another port, plain GET", map[string]string{"Sec-Fetch-Site": "same-site"}, false},
		{"agent's page", map[string]string{"Origin": "http://mia.localhost:4780"}, false},
		{"https", map[string]string{"Origin": "https://127.0.0.1:4780"}, false},
		{"another of our names", map[string]string{"Origin": "http://localhost:4780"}, false},
		{"prefix", map[string]string{"Origin": base + ".evil.example"}, false},
		{"another wails", map[string]string{"Origin": "wails://wails.evil"}, false},
	} {
		for _, path := range []string{"/api/agents", "/api/nothing", "/boot.json"} {
			rec := w.do(w.owner(request{method: "GET", path: path, header: c.header}))
			refused := rec.Code == 403
			if refused == c.ok {
				t.Errorf("%s at %s: status %d: %s", c.name, path, rec.Code, rec.Body)
			}
			if refused {
				wantError(t, c.name, rec, contract.OriginForbidden)
			}
			allowed := rec.Header().Get("Access-Control-Allow-Origin")
			if want := c.ok && strings.Contains(c.header["Origin"], "wails"); (allowed != "") != want {
				t.Errorf("%s at %s: Access-Control-Allow-Origin %q", c.name, path, allowed)
			}
			if rec.Header().Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s: credentials are allowed", c.name)
			}
		}
	}
}

func TestPreflight(t *testing.T) {
	w := newWorld(t)
	ask := func(origin string) (int, string, string) {
		rec := w.do(request{method: "OPTIONS", path: "/api/agents/mia/functions", header: map[string]string{
			"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type",
		}})
		return rec.Code, rec.Header().Get("Access-Control-Allow-Methods"), rec.Header().Get("Access-Control-Allow-Headers")
	}
	status, methods, headers := ask("wails://wails")
	if status != 204 || methods != "GET, HEAD, OPTIONS, POST" || !strings.Contains(headers, "Authorization") || !strings.Contains(headers, "Idempotency-Key") {
		t.Errorf("window: %d, methods %q, headers %q", status, methods, headers)
	}
	if status, methods, _ := ask("https://evil.example"); status != 403 || methods != "" {
		t.Errorf("foreign page: %d, methods %q", status, methods)
	}
}
