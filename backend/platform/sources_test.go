package platform_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// The function shelf puts and gets content items.
const (
	shelfManifest = `{"runtime":"js-v1","permissions":{"content":{"read":true,"write":true}}}`
	shelfSource   = `export default async ({ toolCall, content }) => {
  const { id, text, bytes } = toolCall.params;
  if (bytes) return (await content.put({ data: new Uint8Array(bytes) })).id;
  if (text !== undefined) return await content.put({ id, data: text }).then((r) => r.id, (e) => e.code);
  const it = await content.get(id);
  return it && { text: new TextDecoder().decode(await it.arrayBuffer()), mimeType: it.mimeType, displayName: it.displayName, size: it.size };
}`
)

func shelf[T any](c *console, agent string, input map[string]any) (out T) {
	c.t.Helper()
	r := c.invoke(agent, "shelf", map[string]any{"args": input})
	if r.ErrorCode != "" {
		c.t.Fatalf("shelf %v: %s %s", input, r.ErrorCode, r.ErrorMessage)
	}
	if err := json.Unmarshal(r.Result, &out); err != nil {
		c.t.Fatalf("shelf %v: %v in %s", input, err, r.Result)
	}
	return out
}

type sourceItem struct {
	Text, MimeType, DisplayName string
	Size                        int
}

func (c *console) contentID(agent, name string) string {
	c.t.Helper()
	var d contract.FunctionDetail
	c.must("GET", "/api/agents/"+agent+"/functions/"+name, nil, &d)
	return d.Declaration.ContentID
}

// The contentId of a function names an item with its source, which nobody writes
// to and which stays when another version serves, or none.
func TestSourceIsAContentItem(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir)
	for _, name := range []string{"Mia", "Leo"} {
		c.must("POST", "/api/agents", map[string]string{"name": name}, nil)
		c.declare(strings.ToLower(name), "shelf", shelfManifest, shelfSource)
	}
	const js = `{"runtime":"js-v1"}`
	one, two := `export default () => "ü"`, `export default () => 2`
	c.declare("mia", "greet", js, one)
	first := c.contentID("mia", "greet")
	c.declare("mia", "greet", js, two)
	second := c.contentID("mia", "greet")
	if first == second {
		t.Fatalf("two sources have the content id %s", first)
	}
	read := func(when string) {
		t.Helper()
		for id, want := range map[string]string{first: one, second: two, strings.ToUpper(first): one} {
			got := shelf[*sourceItem](c, "mia", map[string]any{"id": id})
			if got == nil || *got != (sourceItem{want, "text/javascript", "functions/greet/index.js", len(want)}) {
				t.Errorf("%s: item %s is %+v, want %s", when, id, got, want)
			}
		}
	}
	read("declared")
	if got := shelf[*sourceItem](c, "leo", map[string]any{"id": first}); got != nil {
		t.Errorf("another agent reads %+v", got)
	}
	for _, id := range []string{first, second, strings.ToUpper(second)} {
		if got := shelf[string](c, "mia", map[string]any{"id": id, "text": "export default () => 'evil'"}); got != "PERMISSION_DENIED" {
			t.Errorf("put over the source %s: %s", id, got)
		}
	}
	// To another agent the id says nothing; its own item of that id is its own.
	if got := shelf[string](c, "leo", map[string]any{"id": first, "text": "mine"}); got != first {
		t.Errorf("leo puts an item of his own: %s", got)
	}
	read("after writes")

	// Back to the first version, by its id.
	c.declareRef("mia", "greet", map[string]any{"kind": "content", "contentId": first}, "")
	if r := c.invoke("mia", "greet", map[string]any{}); string(r.Result) != `"ü"` || r.Version != 3 {
		t.Errorf("back at the first source: %s, version %d", r.Result, r.Version)
	}
	c.must("DELETE", "/api/agents/mia/functions/greet", nil, nil)
	read("removed")
	c.close()
	c = start(t, dir)
	read("after a restart")
}

// declareRef declares with a code reference; code is what is refused, empty for
// nothing.
func (c *console) declareRef(agent, name string, ref map[string]any, code contract.Code) {
	c.t.Helper()
	resp, b := c.send("POST", "/api/agents/"+agent+"/functions", map[string]any{
		"name": name, "manifest": map[string]any{"runtime": "js-v1", "code": ref},
	})
	var e contract.ErrorBody
	if err := json.Unmarshal(b, &e); err != nil {
		c.t.Fatalf("%v in %s", err, b)
	}
	if e.Code != code || (code == "") != (resp.StatusCode < 300) {
		c.t.Errorf("declare %s with %v: %d %s, want %q", name, ref, resp.StatusCode, b, code)
	}
}

// A manifest may refer to an item of the agent for its source, larger than what
// can be posted; the version keeps the source as it was.
func TestCodeOfContent(t *testing.T) {
	c := start(t, t.TempDir())
	for _, name := range []string{"Mia", "Leo"} {
		c.must("POST", "/api/agents", map[string]string{"name": name}, nil)
		c.declare(strings.ToLower(name), "shelf", shelfManifest, shelfSource)
	}
	padded := func(n int) string {
		const head = "export default () => 'from content'\n//"
		return head + strings.Repeat("x", n-len(head))
	}
	put := func(agent, text string) string {
		t.Helper()
		return shelf[string](c, agent, map[string]any{"text": text})
	}
	hash := func(s string) string { b := sha256.Sum256([]byte(s)); return hex.EncodeToString(b[:]) }

	largest := padded(contract.MaxStoredSource)
	item := put("mia", largest)
	for i, tt := range []struct {
		id, sha256 string
		code       contract.Code
	}{
		{item, "", ""},
		{item, hash(largest), ""},
		{strings.ToUpper(item), strings.ToUpper(hash(largest)), ""},
		{item, hash(largest + "\n"), contract.BundleHashMismatch},
		{put("mia", padded(contract.MaxStoredSource+1)), "", contract.CodeTooLarge},
		{put("mia", ""), "", contract.SourceEmpty},
		{shelf[string](c, "mia", map[string]any{"bytes": []int{0xff, 0xfe}}), "", contract.InvalidCodeRef},
		{put("leo", largest), "", contract.InvalidCodeRef},
		{"0197a000-0000-7000-8000-000000000001", "", contract.InvalidCodeRef},
		{"../other", "", contract.InvalidCodeRef},
	} {
		name := fmt.Sprint("f", i)
		ref := map[string]any{"kind": "content", "contentId": tt.id}
		if tt.sha256 != "" {
			ref["sha256"] = tt.sha256
		}
		c.declareRef("mia", name, ref, tt.code)
		resp, b := c.send("GET", "/api/agents/mia/functions/"+name+"/source", nil)
		if tt.code != "" {
			if resp.StatusCode != 404 {
				t.Errorf("%s was refused, its source answers %d", name, resp.StatusCode)
			}
			continue
		}
		var src contract.FunctionSource
		if err := json.Unmarshal(b, &src); err != nil || src.Source != largest || src.SHA256 != hash(largest) {
			t.Errorf("%s has %d bytes with the hash %s, %v", name, len(src.Source), src.SHA256, err)
		}
	}

	// The item is still the agent's to change; what serves does not change by it.
	if got := shelf[string](c, "mia", map[string]any{"id": item, "text": "export default () => 'later'"}); got != item {
		t.Errorf("put over the item: %s", got)
	}
	if r := c.invoke("mia", "f0", map[string]any{}); string(r.Result) != `"from content"` {
		t.Errorf("f0 gives %s %s", r.Result, r.ErrorMessage)
	}
	if got := shelf[*sourceItem](c, "mia", map[string]any{"id": c.contentID("mia", "f0")}); got == nil || got.Text != largest {
		t.Errorf("the source of f0 cannot be read back: %+v", got)
	}
}
