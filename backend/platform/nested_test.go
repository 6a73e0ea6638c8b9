package platform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"benchtop/backend/contract"
)

const patient = `{"runtime":"js-v1","limits":{"wallMs":30000}}`

// declareChain makes f0, which calls f1, and so on to the last one.
func (c *console) declareChain(agent string, depth int, last string) {
	c.t.Helper()
	for i := range depth {
		c.declare(agent, fmt.Sprint("f", i), patient,
			fmt.Sprintf(`export default async (ctx) => 1 + await ctx.fn.invoke("f%d", ctx.toolCall?.params)`, i+1))
	}
	c.declare(agent, fmt.Sprint("f", depth), patient, last)
}

// rows gives the history rows of a function, audit rows left out.
func (c *console) rows(agent, name string) []contract.InvocationRow {
	c.t.Helper()
	var all []contract.InvocationRow
	for cursor := ""; ; {
		var page contract.InvocationPage
		c.must("GET", "/api/agents/"+agent+"/functions/"+name+"/invocations?limit=200&cursor="+cursor, nil, &page)
		for _, r := range page.Invocations {
			if r.SourceSkill != contract.SkillAuthoring {
				all = append(all, r.InvocationRow)
			}
		}
		if page.NextCursor == nil {
			return all
		}
		cursor = *page.NextCursor
	}
}

func TestChainAtItsBoundary(t *testing.T) {
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.must("POST", "/api/agents", map[string]string{"name": "Leo"}, nil)
	c.declareChain("mia", contract.MaxChainDepth, `export default (ctx) => ctx.source.skill === "function" ? 0 : -1`)
	r := c.invoke("mia", "f0", map[string]any{})
	if string(r.Result) != "4" {
		t.Fatalf("four deep: %+v", r)
	}
	id := r.InvocationID
	for depth := range contract.MaxChainDepth + 1 { // the trace leads from each to the next
		d := c.detail(id)
		if d.ChainDepth != depth || d.RootInvocationID != r.InvocationID || d.FunctionName != fmt.Sprint("f", depth) || d.Status != contract.StatusOK {
			t.Fatalf("depth %d: %+v", depth, d.InvocationRow)
		}
		if depth == contract.MaxChainDepth {
			break
		}
		if len(d.Trace) != 1 || d.Trace[0].InvocationID == "" || c.detail(d.Trace[0].InvocationID).ParentInvocationID != id {
			t.Fatalf("depth %d: trace %+v", depth, d.Trace)
		}
		id = d.Trace[0].InvocationID
	}

	c.declareChain("leo", contract.MaxChainDepth+1, `export default () => 0`)
	if r := c.invoke("leo", "f0", map[string]any{}); r.ErrorCode != contract.FnChainTooDeep || !strings.Contains(r.ErrorMessage, "f3 -> f4 -> f5") {
		t.Errorf("five deep: %+v", r)
	}
	if n := len(c.rows("leo", "f5")); n != 0 {
		t.Errorf("the fifth ran %d times", n)
	}
}

func TestNestedCalls(t *testing.T) {
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.must("POST", "/api/agents", map[string]string{"name": "Leo"}, nil)
	c.declare("leo", "private", `{"runtime":"js-v1"}`, `export default () => "leo's"`)
	c.declare("mia", "add", `{"runtime":"js-v1","parameters":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}`,
		`export default ({ toolCall: { params: { a, b } } }) => a + b`)
	c.declare("mia", "fail", `{"runtime":"js-v1"}`, `export default () => { throw new Error("boom") }`)
	c.declare("mia", "nothing", `{"runtime":"js-v1"}`, `export default () => {}`)
	c.declare("mia", "loop", `{"runtime":"js-v1"}`, `export default () => { for (;;); }`)
	c.declare("mia", "who", `{"runtime":"js-v1"}`, `export default ({ auth, source }) => ({ auth, skill: source.skill, billedTo: source.billedTo })`)
	c.declare("mia", "count", `{"runtime":"js-v1","permissions":{"kv":"rw"}}`,
		`export default async ({ kv }) => { const n = ((await kv.get("n")) ?? 0) + 1; await kv.put("n", n); return n }`)
	c.declare("mia", "ping", `{"runtime":"js-v1"}`, `export default (ctx) => ctx.fn.invoke("pong")`)
	c.declare("mia", "pong", `{"runtime":"js-v1"}`, `export default (ctx) => ctx.fn.invoke("ping")`)
	c.declare("mia", "down", `{"runtime":"js-v1","permissions":{"selfRecursion":true}}`,
		`export default async (ctx) => { const { n, name } = ctx.toolCall.params; return n === 0 ? "ground" : ctx.fn.invoke(name, { n: n - 1, name }) }`)
	for i, tt := range []struct {
		name, manifest, source, result string
		code                           contract.Code
		says                           string
	}{
		{"a result", "", `ctx => ctx.fn.invoke("add", { a: 1, b: 2 })`, `3`, "", ""},
		{"undefined", "", `async ctx => [await ctx.fn.invoke("nothing")]`, `[null]`, "", ""},
		{"wrong arguments", "", `ctx => ctx.fn.invoke("add", { a: 1 })`, ``, contract.ParametersInvalid, "add"},
		{"no arguments", "", `ctx => ctx.fn.invoke("add")`, ``, contract.ParametersInvalid, "add"},
		{"an error", "", `ctx => ctx.fn.invoke("fail")`, ``, contract.JSRuntimeError, "boom"},
		{"an error that is caught", "", `ctx => ctx.fn.invoke("fail").catch(e => [e.code, e.message])`, `["JS_RUNTIME_ERROR","JS_RUNTIME_ERROR: boom"]`, "", ""},
		{"nobody", "", `ctx => ctx.fn.invoke("zzz")`, ``, contract.FnNotFound, "zzz"},
		{"another agent's", "", `ctx => ctx.fn.invoke("private")`, ``, contract.FnNotFound, "private"},
		{"a path", "", `ctx => ctx.fn.invoke("../leo/private")`, ``, contract.FnNotFound, ""},
		{"a circle", "", `ctx => ctx.fn.invoke("ping")`, ``, contract.FnCycleDetected, "ping -> pong -> ping"},
		{"itself", "", `ctx => ctx.fn.invoke("self")`, ``, contract.FnCycleDetected, "selfRecursion"},
		{"recursion by name", "", `ctx => ctx.fn.invoke("down", { n: 3, name: "down" })`, `"ground"`, "", ""},
		{"recursion by self", "", `ctx => ctx.fn.invoke("down", { n: 3, name: "self" })`, `"ground"`, "", ""},
		{"recursion too deep", "", `ctx => ctx.fn.invoke("down", { n: 4, name: "self" })`, ``, contract.FnChainTooDeep, "4 is allowed"},
		{"identity", "", `async ctx => { const { auth, skill, billedTo } = await ctx.fn.invoke("who"); return [auth.userId, auth.scopes, auth.authenticated, auth.agentId === ctx.auth.agentId, skill, billedTo === ctx.auth.userId] }`,
			`[null,["function:nested"],false,true,"function",true]`, "", ""},
		{"a timeout", "", `ctx => ctx.fn.invoke("loop", {}, { timeoutMs: 100 }).catch(e => e.code)`, `"WALL_TIMEOUT"`, "", ""},
		{"a budget", `{"runtime":"js-v1","limits":{"wallMs":1500}}`, `ctx => ctx.fn.invoke("loop").catch(e => e.code)`, `"WALL_TIMEOUT"`, "", ""},
		{"a key", "", `async ctx => { const o = { idempotencyKey: "k" }; return [await ctx.fn.invoke("count", {}, o), await ctx.fn.invoke("count", {}, o), await ctx.fn.invoke("count")] }`, `[1,1,2]`, "", ""},
		{"a bad key", "", `ctx => ctx.fn.invoke("count", {}, { idempotencyKey: "a b" })`, ``, contract.InvalidIdempotentKey, ""},
		{"a bad timeout", "", `ctx => ctx.fn.invoke("count", {}, { timeoutMs: -1 })`, ``, contract.InvalidRequest, "timeoutMs"},
		{"in parallel", "", `async ctx => (await Promise.all([1, 2, 3, 4].map(a => ctx.fn.invoke("add", { a, b: 0 })))).join()`, `"1,2,3,4"`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := c.in(t)
			name := fmt.Sprint("case", i)
			if tt.manifest == "" {
				tt.manifest = patient
			}
			c.declare("mia", name, tt.manifest, "export default "+tt.source)
			r := c.invoke("mia", name, map[string]any{})
			if string(r.Result) != tt.result || r.ErrorCode != tt.code || !strings.Contains(r.ErrorMessage, tt.says) {
				t.Errorf("gave %s %s %q", r.Result, r.ErrorCode, r.ErrorMessage)
			}
		})
	}
}

// A function whose whole time is what a nested call must leave it. On a busy
// machine that time may be over before the call is made.
func TestNoTimeForANestedCall(t *testing.T) {
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.declare("mia", "nothing", `{"runtime":"js-v1"}`, `export default () => {}`)
	c.declare("mia", "hasty", `{"runtime":"js-v1","limits":{"wallMs":50}}`, `export default (ctx) => ctx.fn.invoke("nothing")`)
	for range 50 {
		r := c.invoke("mia", "hasty", map[string]any{})
		if r.ErrorCode == contract.WallTimeout {
			continue
		}
		if r.ErrorCode != contract.FnQuotaExhausted || !strings.Contains(r.ErrorMessage, "50 of them") {
			t.Errorf("%+v", r)
		}
		if n := len(c.rows("mia", "nothing")); n != 0 {
			t.Errorf("the nested call ran %d times", n)
		}
		return
	}
	t.Error("no run got as far as its call")
}

// What a nested function read from the secrets, and gave to its caller, is in
// nobody's records; nor is what the caller read and passed on.
func TestSecretsOfAChainStayOut(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir)
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.declare("mia", "child", `{"runtime":"js-v1","permissions":{"secrets":["CHILD"]}}`, `export default async (ctx) => {
  ctx.log.info("was given", ctx.toolCall.params.key);
  return { mine: await ctx.secrets.get("CHILD"), given: ctx.toolCall.params.key };
}`)
	c.declare("mia", "parent", `{"runtime":"js-v1","permissions":{"secrets":["PARENT"],"kv":"rw"}}`, `export default async (ctx) => {
  const key = await ctx.secrets.get("PARENT");
  const back = await ctx.fn.invoke("child", { key }, ctx.toolCall?.params);
  ctx.log.info("got", back.mine);
  ctx.emit("back", back);
  await ctx.kv.get(back.mine);
  if (ctx.toolCall?.params?.fail) throw new Error("with " + back.mine);
  return [back.mine === "child-secret-1", back.given === "parent-secret-1", back.mine];
}`)
	c.must("POST", "/api/agents/mia/functions/child/secret", map[string]string{"binding": "CHILD", "value": "child-secret-1"}, nil)
	c.must("POST", "/api/agents/mia/functions/parent/secret", map[string]string{"binding": "PARENT", "value": "parent-secret-1"}, nil)
	for _, body := range []string{`{}`, `{"args":{"fail":true}}`, `{"args":{"idempotencyKey":"k"}}`, `{"args":{"idempotencyKey":"k","again":1}}`} {
		r := c.invoke("mia", "parent", json.RawMessage(body))
		if failed := strings.Contains(body, "fail"); failed != (r.ErrorCode == contract.JSRuntimeError) || !failed && string(r.Result) != `[true,true,"child-secret-1"]` {
			t.Fatalf("%s: %+v", body, r)
		}
	}
	for _, name := range []string{"parent", "child"} {
		rows := c.rows("mia", name)
		if want := map[string]int{"parent": 4, "child": 3}[name]; len(rows) != want { // one was replayed
			t.Errorf("%d rows of %s, want %d", len(rows), name, want)
		}
		for _, row := range rows {
			whole, err := json.Marshal(c.detail(row.ID))
			if err != nil || bytes.Contains(whole, []byte("-secret-1")) {
				t.Errorf("a secret is in the record of %s: %s %v", name, whole, err)
			}
		}
	}
}

// Many parents, all four deep, at once: no nested call waits behind its own
// ancestors (decisions.md 15).
func TestManyParentsFourDeep(t *testing.T) {
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.declareChain("mia", contract.MaxChainDepth, `export default (ctx) => ctx.toolCall.params.n`)
	const parents = 64
	began := time.Now()
	var wg sync.WaitGroup
	for i := range parents {
		wg.Go(func() {
			r := c.invoke("mia", "f0", map[string]any{"args": map[string]int{"n": 100 * i}})
			if string(r.Result) != fmt.Sprint(100*i+contract.MaxChainDepth) {
				t.Errorf("parent %d: %s %s %s", i, r.Result, r.ErrorCode, r.ErrorMessage)
			}
		})
	}
	wg.Wait()
	t.Logf("%d parents at depth %d in %v", parents, contract.MaxChainDepth, time.Since(began).Round(time.Millisecond))
	roots := map[string]int{}
	for depth := range contract.MaxChainDepth + 1 {
		rows := c.rows("mia", fmt.Sprint("f", depth))
		if len(rows) != parents {
			t.Errorf("%d rows at depth %d", len(rows), depth)
		}
		for _, r := range rows {
			roots[r.RootInvocationID]++
			if r.ChainDepth != depth || r.Status != contract.StatusOK {
				t.Errorf("row %+v", r)
			}
		}
	}
	for root, n := range roots {
		if n != contract.MaxChainDepth+1 {
			t.Errorf("chain %s has %d rows", root, n)
		}
	}
}

// A folder of the project: what a function writes is there, and nothing else of
// the machine is.
func TestLocalFolder(t *testing.T) {
	project, outside := t.TempDir(), t.TempDir()
	files := map[string]string{
		"AGENT.md": "---\nname: mia\n---\n",
		"functions/desk/manifest.json": `{"runtime":"js-v1","permissions":{"folders":[
			{"binding":"desk","kind":"local","path":"data/desk","mode":"rw"},
			{"binding":"away","kind":"local","path":"away","mode":"rw"},
			{"binding":"top","kind":"local","path":"../","mode":"r"},
			{"binding":"code","kind":"local","path":"functions/desk","mode":"rw"},
			{"binding":"abs","kind":"local","path":` + fmt.Sprintf("%q", filepath.ToSlash(outside)) + `,"mode":"rw"}]}}`,
		"functions/desk/index.js": `export default async (ctx) => {
  const { desk } = ctx.folders;
  await desk.write("note.txt", "first");
  await desk.write("note.txt", "second");
  await desk.write("bytes.bin", new Uint8Array([0, 255]));
  const read = async (file) => new TextDecoder().decode(await file.arrayBuffer());
  const out = { names: (await desk.list()).items.map((f) => f.name + " " + f.size), note: await read(await desk.read("note.txt")), link: await desk.read("link"), none: await desk.read("none") };
  for (const alias of ["away", "top", "code", "abs", "unbound"]) {
    out[alias] = await Promise.all([ctx.folders[alias].list(), ctx.folders[alias].read("secret"), ctx.folders[alias].write("manifest.json", "{}")].map((p) => p.then(() => "open", (e) => e.code)));
  }
  out.names2 = [];
  for (const name of ["../x", "/etc/passwd", "a/b", ".env", "..", "a\u0000b"]) out.names2.push(await desk.read(name).then(() => "open", (e) => e.code));
  return out;
}`,
	}
	for name, text := range files {
		path := filepath.Join(project, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("private"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(project, "data", "desk"), 0o755); err != nil {
		t.Fatal(err)
	}
	for at, to := range map[string]string{"away": outside, "data/desk/link": filepath.Join(outside, "secret")} {
		if err := os.Symlink(to, filepath.Join(project, at)); err != nil {
			t.Fatal(err)
		}
	}
	c := start(t, t.TempDir(), project)
	r := c.invoke("mia", "desk", map[string]any{})
	denied := `["PERMISSION_DENIED","PERMISSION_DENIED","PERMISSION_DENIED"]`
	// The sixth write of the invocation is the quota's to refuse, so the last ones
	// have its code.
	want := `{"names":["bytes.bin 2","note.txt 6"],"note":"second","link":null,"none":null,"away":` + denied + `,"top":` + denied +
		`,"code":` + denied + `,"abs":["PERMISSION_DENIED","PERMISSION_DENIED","HOST_QUOTA_EXCEEDED"],"unbound":` + denied +
		`,"names2":["INVALID_REQUEST","INVALID_REQUEST","INVALID_REQUEST","INVALID_REQUEST","INVALID_REQUEST","INVALID_REQUEST"]}`
	if string(r.Result) != want {
		t.Errorf("gave %s %s %s\nwant %s", r.Result, r.ErrorCode, r.ErrorMessage, want)
	}
	for path, want := range map[string]string{
		filepath.Join(project, "data", "desk", "note.txt"):           "second",
		filepath.Join(project, "functions", "desk", "manifest.json"): files["functions/desk/manifest.json"],
		filepath.Join(outside, "secret"):                             "private",
		filepath.Join(project, "data", "desk", "bytes.bin"):          "\x00\xff",
	} {
		if b, err := os.ReadFile(path); string(b) != want {
			t.Errorf("%s: %q %v", path, b, err)
		}
	}
	if n := countFiles(outside); n != 1 {
		t.Errorf("%d files outside", n)
	}
}

func countFiles(dir string) (n int) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return nil
	})
	return n
}

// A binding that is renamed while the function runs changes nothing for it.
func TestBindingsAreFrozen(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	gate := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(arrived)
		<-release
	}))
	defer gate.Close()
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	manifest := func(alias, id string) string {
		return `{"runtime":"js-v1","limits":{"wallMs":30000},"permissions":{"fetch":["` + gate.URL + `"],"folders":[{"alias":"` + alias + `","contentId":"` + id + `","permissions":"rw"}]}}`
	}
	c.declare("mia", "long", manifest("out", "narrow"), `export default async (ctx) => {
  await ctx.fetch("`+gate.URL+`");
  await ctx.folders.out.write("n", "as it was");
  return [Object.keys(ctx.folders), await ctx.folders.wide.list().catch((e) => e.code)];
}`)
	done := make(chan contract.InvokeResult, 1)
	go func() { done <- c.invoke("mia", "long", map[string]any{}) }()
	<-arrived
	c.declare("mia", "long", manifest("wide", "everything"), `export default async (ctx) => (await ctx.folders.wide.list()).items.length`)
	if r := c.invoke("mia", "long", map[string]any{}); string(r.Result) != "0" {
		t.Errorf("the new version: %+v", r)
	}
	close(release)
	if r := <-done; string(r.Result) != `[["out"],"PERMISSION_DENIED"]` {
		t.Errorf("the one that ran: %+v", r)
	}
	c.declare("mia", "look", manifest("out", "narrow"), `export default async (ctx) => new TextDecoder().decode(await (await ctx.folders.out.read("n")).arrayBuffer())`)
	if r := c.invoke("mia", "look", map[string]any{}); string(r.Result) != `"as it was"` {
		t.Errorf("what it wrote: %+v", r)
	}
}

// Content and the scopes of kv between two functions, and between two agents.
func TestSharedAndApart(t *testing.T) {
	c := start(t, t.TempDir())
	manifest := `{"runtime":"js-v1","permissions":{"kv":{"self":"rw","visitor":"rw","agent_scope":true},"content":{"read":true,"write":true}}}`
	for _, agent := range []string{"mia", "leo"} {
		c.must("POST", "/api/agents", map[string]string{"name": agent}, nil)
		for _, name := range []string{"one", "two"} {
			c.declare(agent, name, manifest, `export default async ({ kv, content, auth, toolCall: { params: { put, id } } }) => {
  const user_id = auth.userId;
  const at = [{ key: "k" }, { key: "k", scope: "agent" }, { key: "k", user_id }, { key: "k", user_id, scope: "agent" }];
  if (put) {
    for (const where of at) await kv.put(where, put);
    return (await content.put({ data: put, displayName: put + ".txt" })).id;
  }
  const item = await content.get(id);
  return [...(await Promise.all(at.map((where) => kv.get(where)))).map((v) => v ?? "none"), item === null ? "none" : item.displayName + " " + item.mimeType];
}`)
		}
	}
	id := c.invoke("mia", "one", map[string]any{"args": map[string]string{"put": "x"}}).Result
	for who, want := range map[string]string{
		"mia/one": `["x","x","x","x","x.txt text/plain"]`,
		"mia/two": `["none","x","none","x","x.txt text/plain"]`,
		"leo/one": `["none","none","none","none","none"]`,
	} {
		agent, name, _ := strings.Cut(who, "/")
		if r := c.invoke(agent, name, map[string]any{"args": map[string]json.RawMessage{"id": id}}); string(r.Result) != want {
			t.Errorf("%s: %s %s %s, want %s", who, r.Result, r.ErrorCode, r.ErrorMessage, want)
		}
	}
	for what, want := range map[string]contract.Code{
		`kv.get({ key: "k", user_id: "somebody" })`: contract.PermissionDenied,
		`kv.get({ key: "k", user_id: undefined })`:  contract.PermissionDenied,
		`kv.get({ key: "k", scope: "app" })`:        contract.PermissionDenied,
		`kv.get({ key: "k", scope: "all" })`:        contract.InvalidRequest,
		`kv.at("instance").put("k", 1)`:             contract.PermissionDenied,
		`content.put({ id: "mine", data: "" })`:     contract.InvalidRequest,
	} {
		c.declare("mia", "refused", manifest, `export default ({ kv, content }) => `+what)
		if r := c.invoke("mia", "refused", map[string]any{}); r.ErrorCode != want {
			t.Errorf("%s: %+v", what, r)
		}
	}
}
