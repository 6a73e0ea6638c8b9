package platform_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// fill pads a source to n bytes with a comment.
func fill(source string, n int) string {
	return source + "//" + strings.Repeat("x", n-len(source)-2)
}

// Every limit of spec 8 that the platform keeps, at its boundary: what each
// function gives says what the last allowed and the next did.
func TestLimitsAtTheirBoundary(t *testing.T) {
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	const refused = `const refused = async (call) => { try { await call(); return "went through" } catch (e) { return e.code } };`
	for _, tt := range []struct {
		name, manifest, source string
		result                 string
		code                   contract.Code
		row                    func(contract.InvocationRow) string // what the row has to say
		says                   string
	}{
		{name: "calls", manifest: `{"runtime":"js-v1","permissions":{"kv":"ro"}}`, source: refused + `
export default async (ctx) => {
  for (let i = 0; i < 99; i++) await ctx.kv.get("k");
  const hundredth = await ctx.kv.get("k");
  return [hundredth === undefined, await refused(() => ctx.kv.get("k"))];
}`, result: `[true,"HOST_QUOTA_EXCEEDED"]`, row: func(r contract.InvocationRow) string { return fmt.Sprint(r.HostCalls) }, says: "101"},
		{name: "deniedCalls", manifest: `{"runtime":"js-v1","permissions":{"kv":"ro"}}`, source: refused + `
export default async (ctx) => {
  for (let i = 0; i < 99; i++) await refused(() => ctx.kv.put("k", 1));
  const hundredth = await refused(() => ctx.secrets.get("K"));
  return [hundredth, await refused(() => ctx.kv.get("k"))];
}`, result: `["PERMISSION_DENIED","HOST_QUOTA_EXCEEDED"]`},
		{name: "uncaughtCalls", manifest: `{"runtime":"js-v1","permissions":{"kv":"ro"}}`, source: `
export default async (ctx) => { for (let i = 0; i <= 100; i++) await ctx.kv.get("k"); }`, code: contract.HostQuotaExceeded},
		{name: "kvBytes", manifest: `{"runtime":"js-v1","permissions":{"kv":"rw"}}`, source: refused + `
export default async (ctx) => {
  const mega = "x".repeat(1048576 - 3); // with its quotes and the key one MB
  for (let i = 0; i < 9; i++) await ctx.kv.put("k", mega);
  const one = await refused(() => ctx.kv.put("k", mega + "x"));
  await ctx.kv.putIfAbsent("k", mega);
  return [one, await refused(() => ctx.kv.put("k", 1)), (await ctx.kv.get("k")).length];
}`, result: `["HOST_QUOTA_EXCEEDED","HOST_QUOTA_EXCEEDED",1048573]`,
			row: func(r contract.InvocationRow) string { return fmt.Sprint(r.KVPutBytes) }, says: fmt.Sprint(contract.MaxKVPutBytes)},
		{name: "kvBytesOfText", manifest: `{"runtime":"js-v1","permissions":{"kv":"rw"}}`, source: refused + `
export default async (ctx) => {
  await ctx.kv.put("é", "€".repeat(1000)); // 2 + 2 + 3,000
  const left = 10485760 - 3004;
  const one = await refused(() => ctx.kv.put("k", "x".repeat(left - 2)));
  await ctx.kv.put("k", "x".repeat(left - 3));
  return one;
}`, result: `"HOST_QUOTA_EXCEEDED"`, row: func(r contract.InvocationRow) string { return fmt.Sprint(r.KVPutBytes) }, says: fmt.Sprint(contract.MaxKVPutBytes)},
		{name: "writes", manifest: `{"runtime":"js-v1","permissions":{"content":{"write":true},"folders":[{"alias":"out","contentId":"f","permissions":"rw"}]}}`, source: refused + `
export default async (ctx) => {
  for (let i = 0; i < 3; i++) await ctx.content.put({ data: "x" });
  for (let i = 0; i < 2; i++) await ctx.folders.out.write("n" + i, "x");
  return [await refused(() => ctx.content.put({ data: "x" })), await refused(() => ctx.folders.out.write("n2", "x")), (await ctx.folders.out.list()).items.length];
}`, result: `["HOST_QUOTA_EXCEEDED","HOST_QUOTA_EXCEEDED",2]`, row: func(r contract.InvocationRow) string { return fmt.Sprint(r.ContentWrites) }, says: "5"},
		{name: "ingress", manifest: `{"runtime":"js-v1","permissions":{"content":{"read":true,"write":true}}}`, source: refused + `
export default async (ctx) => {
  const { id } = await ctx.content.put({ data: "x".repeat(500000) });
  const { id: byte } = await ctx.content.put({ data: "x" });
  await ctx.content.get(id);
  const last = (await ctx.content.get(id)).size;
  return [last, await refused(() => ctx.content.get(byte))];
}`, result: `[500000,"HOST_QUOTA_EXCEEDED"]`, row: func(r contract.InvocationRow) string { return fmt.Sprint(r.IngressBytes) }, says: "1000000"},
		{name: "ingressSet", manifest: `{"runtime":"js-v1","permissions":{"content":{"read":true,"write":true}},"limits":{"ingressBytes":2000000}}`, source: refused + `
export default async (ctx) => {
  const { id } = await ctx.content.put({ data: "x".repeat(2000000) });
  const { id: more } = await ctx.content.put({ data: "x".repeat(2000001) });
  return [await refused(() => ctx.content.get(more)), (await ctx.content.get(id)).size];
}`, result: `["HOST_QUOTA_EXCEEDED",2000000]`},
		{name: "contentSize", manifest: `{"runtime":"js-v1","permissions":{"content":{"write":true}},"limits":{"wallMs":30000}}`, source: refused + `
export default async (ctx) => {
  const most = new Uint8Array(8388608);
  await ctx.content.put({ data: most });
  return refused(() => ctx.content.put({ data: new Uint8Array(8388609) }));
}`, result: `"BODY_TOO_LARGE"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := c.in(t)
			c.declare("mia", tt.name, tt.manifest, tt.source)
			r := c.invoke("mia", tt.name, map[string]any{})
			if string(r.Result) != tt.result || r.ErrorCode != tt.code {
				t.Fatalf("gave %s %s %s, want %s %s", r.Result, r.ErrorCode, r.ErrorMessage, tt.result, tt.code)
			}
			if tt.row != nil {
				if got := tt.row(c.detail(r.InvocationID).InvocationRow); got != tt.says {
					t.Errorf("the row says %s, want %s", got, tt.says)
				}
			}
		})
	}
}

// The largest item comes back as it was, whatever it is made of. A run each,
// with all the time there is: this is about bytes, not about speed.
func TestLargestContentOfEveryKind(t *testing.T) {
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.declare("mia", "keep", `{"runtime":"js-v1","permissions":{"content":{"read":true,"write":true}},"limits":{"ingressBytes":33554432,"wallMs":30000}}`, `
export default async (ctx) => {
  const { text, times } = ctx.toolCall.params;
  const data = text.repeat(times);
  const { id } = await ctx.content.put({ data });
  return new TextDecoder().decode(await (await ctx.content.get(id)).arrayBuffer()) === data;
}`)
	for _, tt := range []struct {
		text  string
		times int
	}{
		{"<", contract.MaxContentBytes}, {"\n", contract.MaxContentBytes}, {"é", contract.MaxContentBytes / 2}, {"\x00", 100},
	} {
		r := c.invoke("mia", "keep", map[string]any{"args": map[string]any{"text": tt.text, "times": tt.times}})
		if string(r.Result) != "true" {
			t.Errorf("%q: %s %s %s", tt.text, r.Result, r.ErrorCode, r.ErrorMessage)
		}
	}
}

func (c *console) in(t testing.TB) *console {
	sub := *c
	sub.t = t
	return &sub
}

func (c *console) detail(id string) contract.InvocationDetail {
	c.t.Helper()
	var d contract.InvocationDetail
	c.must("GET", "/api/local/invocations/"+id, nil, &d)
	return d
}

func TestLogAtItsBoundary(t *testing.T) {
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.declare("mia", "talk", `{"runtime":"js-v1"}`, `export default (ctx) => { for (const n of ctx.toolCall.params.sizes) ctx.log.info("x".repeat(n)) }`)
	for _, tt := range []struct {
		sizes string
		lines string // lengths of what is kept; -1 for the note that the rest is left out
	}{
		{`[65536]`, "[65536]"},
		{`[65537]`, "[-1]"},
		{`[65535,1]`, "[65535 1]"},
		{`[65536,1]`, "[65536 -1]"},
		{`[65536,1,1,1]`, "[65536 -1]"},
		{`[32768,32768]`, "[32768 32768]"},
	} {
		r := c.invoke("mia", "talk", map[string]any{"args": json.RawMessage(`{"sizes":` + tt.sizes + `}`)})
		kept := c.detail(r.InvocationID).Logs
		for where, lines := range map[string][]contract.LogLine{"answer": r.Logs, "record": kept} {
			var got []int
			for _, l := range lines {
				n := len(l.Message)
				if strings.Contains(l.Message, "65536") {
					n = -1
				}
				got = append(got, n)
			}
			if fmt.Sprint(got) != tt.lines {
				t.Errorf("%s: the %s has lines of %v, want %s", tt.sizes, where, got, tt.lines)
			}
		}
	}
}

func TestSourceSizesAtTheirBoundary(t *testing.T) {
	const hello = `export default () => "hi" `
	project := t.TempDir()
	for name, size := range map[string]int{"most": contract.MaxStoredSource, "more": contract.MaxStoredSource + 1} {
		dir := filepath.Join(project, "functions", name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{"manifest.json": `{"runtime":"js-v1"}`, "index.js": fill(hello, size)} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(project, "AGENT.md"), []byte("---\nname: leo\n---\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := start(t, t.TempDir(), project)
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	b64 := func(chars int) string {
		return base64.StdEncoding.EncodeToString([]byte(fill(hello, chars/4*3)))
	}
	inline := func(source string) map[string]any {
		return map[string]any{"runtime": "js-v1", "code": map[string]string{"kind": "inline", "source": source}}
	}
	inlineB64 := func(source string) map[string]any {
		return map[string]any{"runtime": "js-v1", "code": map[string]string{"kind": "inlineB64", "source": source}}
	}
	plain := map[string]any{"runtime": "js-v1"}
	for _, tt := range []struct {
		name     string
		manifest map[string]any
		source   any
		figures  []string // in the refusal; nil: accepted
	}{
		{"posted", plain, fill(hello, contract.MaxInlineSource), nil},
		{"postedMore", plain, fill(hello, contract.MaxInlineSource+1), []string{"16385", "16384"}},
		{"postedText", plain, fill(hello+"//é", contract.MaxInlineSource), nil},
		{"inline", inline(fill(hello, contract.MaxInlineSource)), nil, nil},
		{"inlineMore", inline(fill(hello, contract.MaxInlineSource+1)), nil, []string{"16385", "16384"}},
		{"inlineB64", inlineB64(b64(contract.MaxInlineB64Chars)), nil, nil},
		{"inlineB64More", inlineB64(b64(contract.MaxInlineB64Chars + 4)), nil, []string{"65540", "65536"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := c.in(t)
			body := map[string]any{"name": tt.name, "manifest": tt.manifest}
			if tt.source != nil {
				body["source"] = tt.source
			}
			resp, b := c.send("POST", "/api/agents/mia/functions", body)
			if tt.figures == nil {
				if resp.StatusCode != 201 && resp.StatusCode != 200 {
					t.Fatalf("%d %.300s", resp.StatusCode, b)
				}
				if r := c.invoke("mia", tt.name, map[string]any{}); string(r.Result) != `"hi"` {
					t.Errorf("%+v", r)
				}
				return
			}
			if resp.StatusCode != 400 || !strings.Contains(string(b), "CODE_TOO_LARGE") {
				t.Fatalf("%d %.300s", resp.StatusCode, b)
			}
			for _, figure := range tt.figures {
				if !strings.Contains(string(b), figure) {
					t.Errorf("the refusal does not name %s: %.300s", figure, b)
				}
			}
		})
	}
	if r := c.invoke("leo", "most", map[string]any{}); string(r.Result) != `"hi"` {
		t.Errorf("a project file of 256 KB: %+v", r)
	}
	if resp, _ := c.send("POST", "/api/agents/leo/functions/more/invoke", map[string]any{}); resp.StatusCode != 404 {
		t.Errorf("a project file of one byte more serves: %d", resp.StatusCode)
	}
	if _, b := c.send("GET", "/api/local/agents/leo/functions/more", nil); !strings.Contains(string(b), "CODE_TOO_LARGE") || !strings.Contains(string(b), "262145") {
		t.Errorf("its error: %.300s", b)
	}
}

// What is fetched and what is read from content and folders is one ingress.
func TestIngressIsOneQuota(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		_, _ = w.Write(bytes.Repeat([]byte("x"), n))
	}))
	defer site.Close()
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.declare("mia", "mix", `{"runtime":"js-v1","limits":{"ingressBytes":1000},"permissions":{"fetch":["`+site.URL+`"],
		"content":{"read":true,"write":true},"folders":[{"alias":"out","contentId":"f","permissions":"rw"}]}}`, `
export default async (ctx) => {
  const { id } = await ctx.content.put({ data: "x".repeat(400) });
  await ctx.folders.out.write("n", "x".repeat(300));
  const steps = { content: () => ctx.content.get(id), folder: () => ctx.folders.out.read("n"), fetch: (n) => ctx.fetch("`+site.URL+`/?n=" + n) };
  for (const [name, n] of ctx.toolCall.params.steps) {
    try { await steps[name](n) } catch (e) { return name + " " + e.code }
  }
  return "all";
}`)
	for _, tt := range []struct {
		steps, result string
		ingress       int64
	}{
		{`[["content"],["folder"],["fetch",300]]`, `"all"`, 1000},
		{`[["content"],["folder"],["fetch",301]]`, `"fetch HOST_QUOTA_EXCEEDED"`, 0},
		{`[["fetch",600],["content"]]`, `"all"`, 1000},
		{`[["fetch",601],["content"]]`, `"content HOST_QUOTA_EXCEEDED"`, 0},
		{`[["fetch",701],["folder"]]`, `"folder HOST_QUOTA_EXCEEDED"`, 0},
	} {
		r := c.invoke("mia", "mix", map[string]any{"args": json.RawMessage(`{"steps":` + tt.steps + `}`)})
		if string(r.Result) != tt.result || tt.ingress > 0 && r.IngressBytes != tt.ingress || r.IngressBytes > 1000 {
			t.Errorf("%s: %s %s, %d bytes of ingress", tt.steps, r.Result, r.ErrorMessage, r.IngressBytes)
		}
	}
}
