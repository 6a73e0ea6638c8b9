package worker

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"benchtop/backend/contract"
)

// site is a server that functions fetch from.
func site(t *testing.T) (*httptest.Server, *http.ServeMux) {
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", "yes")
		_ = json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "path": r.URL.RequestURI(), "host": r.Host, "body": string(body),
			"auth": r.Header.Get("Authorization"), "type": r.Header.Get("Content-Type"), "cookie": r.Header.Get("Cookie")})
	})
	mux.HandleFunc("/bytes", func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), 50_000)) })
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range 20 {
			if _, err := z.Write(make([]byte, 100_000)); err != nil {
				return
			}
		}
		_ = z.Close()
	})
	mux.HandleFunc("/coded", func(w http.ResponseWriter, r *http.Request) {
		text := bytes.Repeat([]byte("packed "), 10)
		for _, name := range strings.Split(r.URL.Query().Get("as"), ",") {
			var b bytes.Buffer
			var z io.WriteCloser
			switch name {
			case "deflate":
				z = zlib.NewWriter(&b)
			case "raw":
				z, _ = flate.NewWriter(&b, 1)
				name = "deflate"
			case "gzip":
				z = gzip.NewWriter(&b)
			default:
				w.Header().Add("Content-Encoding", name)
				continue
			}
			_, _ = z.Write(text)
			_ = z.Close()
			text = b.Bytes()
			w.Header().Add("Content-Encoding", name)
		}
		_, _ = w.Write(text)
	})
	mux.HandleFunc("/deflatebomb", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip, deflate")
		outer := zlib.NewWriter(w)
		inner := gzip.NewWriter(outer)
		for range 100 {
			if _, err := inner.Write(make([]byte, 100_000)); err != nil {
				return
			}
		}
		_, _ = inner.Close(), outer.Close()
	})
	mux.HandleFunc("/nothing", func(w http.ResponseWriter, r *http.Request) {
		var empty bytes.Buffer
		_ = gzip.NewWriter(&empty).Close()
		w.Header().Set("Content-Encoding", "gzip")
		for { // members without content, for ever
			if _, err := w.Write(bytes.Repeat(empty.Bytes(), 1000)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusFound)
	})
	return s, mux
}

func (c *client) fetching(t *testing.T, allow []string, body string) seen {
	t.Helper()
	c.t = t
	spec := c.spec("export default async (ctx) => {" + body + "};")
	spec.Permissions.Fetch = allow
	return c.run(spec, nil)
}

func TestFetch(t *testing.T) {
	s, _ := site(t)
	other, _ := site(t)
	c := start(t)
	both := []string{s.URL, other.URL}
	for _, tt := range []struct {
		name, body string
		allow      []string
		want       string // the value, or the code of the failure
		message    string
	}{
		{"get", `const r = await fetch("` + s.URL + `/echo?q=1"); const j = await r.json(); return [r.status, r.ok, r.headers.get("x-seen"), j.method, j.path];`,
			both, `[200,true,"yes","GET","/echo?q=1"]`, ""},
		{"post", `const r = await ctx.fetch("` + s.URL + `/echo", { method: "post", body: JSON.stringify({ a: 1 }), headers: { "Content-Type": "application/json", Authorization: "Bearer t", Host: "evil" } });
			const j = await r.json(); return [j.method, j.body, j.type, j.auth, j.host === new URL(r.url).host];`,
			both, `["POST","{\"a\":1}","application/json","Bearer t",true]`, ""},
		{"path by path", `return (await fetch("` + s.URL + `/echo")).status;`, []string{s.URL + "/other"}, "FETCH_FORBIDDEN", "permissions.fetch"},
		{"star does not reach loopback", `return (await fetch("` + s.URL + `/echo")).status;`, []string{"*"}, "FETCH_FORBIDDEN", "not a public address"},
		{"redirect is checked", `return (await fetch("` + s.URL + `/to?url=` + other.URL + `/echo")).status;`, []string{s.URL}, "FETCH_FORBIDDEN", other.URL},
		{"redirect to another protocol", `return (await fetch("` + s.URL + `/to?url=file:///etc/passwd")).status;`, both, "FETCH_FORBIDDEN", "only http and https"},
		{"cross-origin redirect drops credentials", `const r = await fetch("` + s.URL + `/to?url=` + other.URL + `/echo", { method: "POST", body: "b", headers: { Authorization: "Bearer t", Cookie: "a=1" } });
			const j = await r.json(); return [r.redirected, j.auth, j.cookie, j.method, j.body];`, both, `[true,"","","GET",""]`, ""},
		{"same origin keeps them", `const r = await fetch("` + s.URL + `/to?url=/echo", { headers: { Authorization: "Bearer t" } }); return (await r.json()).auth;`, both, `"Bearer t"`, ""},
		{"redirects end", `return (await fetch("` + s.URL + `/loop")).status;`, both, "FETCH_FAILED", "redirected more than 5 times"},
		{"redirect manual", `const r = await fetch("` + s.URL + `/loop", { redirect: "manual" }); return [r.status, r.headers.get("location")];`, both, `[302,"/loop"]`, ""},
		{"redirect error", `return fetch("` + s.URL + `/loop", { redirect: "error" });`, both, "FETCH_FAILED", "redirect"},
		{"timeout", `return fetch("` + s.URL + `/hang", { timeoutMs: 30 });`, both, "FETCH_TIMEOUT", "30 ms"},
		{"abort", `const c = new AbortController(); const p = fetch("` + s.URL + `/hang", { signal: c.signal }); c.abort(); try { await p; } catch (e) { return e.name; }`, both, `"AbortError"`, ""},
		{"maxBytes", `return fetch("` + s.URL + `/bytes", { maxBytes: 1000 });`, both, "FETCH_FAILED", "maxBytes"},
		{"decompression is counted", `return fetch("` + s.URL + `/bomb");`, both, "HOST_QUOTA_EXCEEDED", "ingress"},
		{"deflate bomb inside another", `return fetch("` + s.URL + `/deflatebomb");`, both, "HOST_QUOTA_EXCEEDED", "ingress"},
		{"an endless body of nothing", `return fetch("` + s.URL + `/nothing");`, both, "HOST_QUOTA_EXCEEDED", "ingress"},
		{"maxBytes of a bomb", `return fetch("` + s.URL + `/deflatebomb", { maxBytes: 10 });`, both, "FETCH_FAILED", "maxBytes"},
		{"encodings", `const out = []; for (const as of ["gzip", "deflate", "raw", "identity", "gzip,deflate"]) { const r = await fetch("` + s.URL + `/coded?as=" + as); out.push((await r.text()).length, r.headers.has("content-length")); } return out;`,
			both, `[70,false,70,false,70,false,70,true,70,false]`, ""},
		{"an encoding that is not read", `const r = await fetch("` + s.URL + `/coded?as=br"); return [(await r.text()).length, r.headers.get("content-encoding")];`, both, `[70,"br"]`, ""},
		{"three encodings are left alone", `const r = await fetch("` + s.URL + `/coded?as=gzip,gzip,gzip"); return r.headers.get("content-encoding");`, both, `"gzip, gzip, gzip"`, ""},
		{"broken encoding", `return fetch("` + s.URL + `/coded?as=x-gzip");`, both, "FETCH_FAILED", "gzip"},
		{"timeoutMs without end", `return (await fetch("` + s.URL + `/echo", { timeoutMs: Infinity })).ok;`, both, `true`, ""},
		{"timeoutMs that is no number", `return (await fetch("` + s.URL + `/echo", { timeoutMs: NaN, maxBytes: "x" })).ok;`, both, `true`, ""},
		{"aborted before", `return fetch("` + s.URL + `/echo", { signal: AbortSignal.abort(new Error("why")) });`, both, "JS_RUNTIME_ERROR", "why"},
		{"an address that changes", `let n = 0; return (await fetch({ toString: () => n++ ? "http:\\\\public.test" : "` + s.URL + `/echo" })).ok;`, both, `true`, ""},
		{"an address with two hosts", `return fetch({ href: "` + s.URL + `/echo", toString: () => "http://public.test" });`, both, "FETCH_FORBIDDEN", "public.test"},
		{"ingress adds up", `let n = 0; try { for (;;) { await (await fetch("` + s.URL + `/bytes")).bytes(); n++; } } catch (e) { return [n, e.code]; }`, both, `[20,"HOST_QUOTA_EXCEEDED"]`, ""},
		{"egress exact", `const post = n => fetch("` + s.URL + `/bytes", { method: "POST", body: "x".repeat(n) }).then(r => r.status, e => e.code); return [await post(999999), await post(1), await post(1)];`,
			both, `[200,200,"HOST_QUOTA_EXCEEDED"]`, ""},
		{"refused connection", `return fetch("http://127.0.0.1:1/");`, []string{"http://127.0.0.1:1"}, "FETCH_FAILED", "refused"},
		{"parallel", `return (await Promise.all([1, 2, 3, 4].map(n => fetch("` + s.URL + `/echo?" + n)))).map(r => r.status);`, both, `[200,200,200,200]`, ""},
		{"request object", `return (await (await fetch(new Request("` + s.URL + `/echo", { method: "PUT", body: "p" }))).json()).body;`, both, `"p"`, ""},
		{"url object", `return (await fetch(new URL("/echo", "` + s.URL + `"))).ok;`, both, `true`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := c.fetching(t, tt.allow, tt.body)
			if e := got.result.Error; e != nil {
				if string(e.Code) != tt.want || !strings.Contains(e.Message, tt.message) {
					t.Fatalf("%s: %s at %s, want %s %s", e.Code, e.Message, place(e.At), tt.want, tt.message)
				}
				return
			}
			if v := string(got.result.Value); v != tt.want {
				t.Fatalf("%s, want %s", v, tt.want)
			}
		})
	}
	c.t = t
}

// TestRefusedFetchTrace: whoever looks at the run learns which address was
// refused, and no password.
func TestRefusedFetchTrace(t *testing.T) {
	s, mux := site(t)
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1/secret?x=1", http.StatusFound)
	})
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://ada:pa55@127.0.0.1:1/", http.StatusFound)
	})
	c := start(t)
	for _, tt := range []struct{ url, name, refused string }{
		{s.URL + "/away", "GET " + s.URL + "/away", "http://127.0.0.1:1/secret?x=1"},
		{s.URL + "/login", "GET " + s.URL + "/login", ""},
		{"http://127.0.0.1:1/other", "GET http://127.0.0.1:1/other", ""},
		{"https://ada:pa55@public.test/", "fetch", ""},
		{`https://public.test\\@loop.test/`, "fetch", ""},
	} {
		got := c.fetching(t, []string{s.URL}, `return fetch("`+tt.url+`");`)
		if len(got.fetches) != 1 {
			t.Fatalf("%s: %d fetches reported, want 1", tt.url, len(got.fetches))
		}
		f := got.fetches[0]
		if f.Error == nil || f.Error.Code != contract.FetchForbidden || f.Name != tt.name || f.Line == 0 {
			t.Errorf("%s: %+v", tt.url, f)
		}
		var args struct {
			Refused string `json:"refused"`
		}
		_ = json.Unmarshal(f.Args, &args) // none where the address was not read
		if args.Refused != tt.refused {
			t.Errorf("%s: refused %q, want %q", tt.url, args.Refused, tt.refused)
		}
		if all, _ := json.Marshal(f); strings.Contains(string(all), "pa55") {
			t.Errorf("%s: a password is in the trace: %s", tt.url, all)
		}
	}
}

// TestFetchTrace looks at what the platform is told of a fetch.
func TestFetchTrace(t *testing.T) {
	s, mux := site(t)
	c := start(t)
	idle := make(chan struct{})
	c.idle = sync.OnceFunc(func() { close(idle) })
	mux.HandleFunc("/later", func(w http.ResponseWriter, _ *http.Request) {
		<-idle // answers no sooner than the function waits for it
		_, _ = w.Write(bytes.Repeat([]byte("x"), 50_000))
	})
	got := c.fetching(t, []string{s.URL}, `await fetch("`+s.URL+`/later?key=1", { method: "POST", body: "abc", headers: { Authorization: "Bearer secret", "X-A": "b" } }); await fetch("https://no.example/").catch(() => {});`)
	if got.result.Error != nil {
		t.Fatalf("%+v", got.result.Error)
	}
	if len(got.fetches) != 2 {
		t.Fatalf("%d fetches reported, want 2", len(got.fetches))
	}
	f := got.fetches[0]
	if f.Kind != contract.TraceFetch || f.Name != "POST "+s.URL+"/later?key=1" || f.InBytes != 50_000 || f.OutBytes != 3 || f.DurationUs <= 0 {
		t.Errorf("%+v", f)
	}
	if !strings.Contains(string(f.Args), `"x-a":"b"`) || strings.Contains(string(f.Args), "secret") || !strings.Contains(string(f.Result), `"status":200`) {
		t.Errorf("args %s, result %s", f.Args, f.Result)
	}
	if e := got.fetches[1].Error; e == nil || e.Code != contract.FetchForbidden {
		t.Errorf("the refused fetch: %+v", got.fetches[1])
	}
	if got.result.IngressBytes != 50_000 || got.result.EgressBytes != 3 {
		t.Errorf("traffic %d in, %d out", got.result.IngressBytes, got.result.EgressBytes)
	}
	if got.idles == 0 || got.wakes == 0 {
		t.Errorf("%d idles and %d wakes: a fetch gives its slot back and asks for it again", got.idles, got.wakes)
	}
}
