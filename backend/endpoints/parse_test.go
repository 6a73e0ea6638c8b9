package endpoints_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
	"benchtop/backend/manifest"
	"benchtop/backend/schema"
)

func check(entries ...string) ([]*endpoints.Entry, []contract.Problem) {
	var raws []endpoints.Raw
	for i, e := range entries {
		raws = append(raws, endpoints.Raw{Path: "endpoints[" + string(rune('0'+i)) + "]", JSON: json.RawMessage(e), File: "AGENT.md",
			At: func(key string) (int, int) { return 10 + len(key), 3 }})
	}
	return endpoints.Check(raws, endpoints.Options{Modules: func(file string) (endpoints.Module, error) {
		switch file {
		case "endpoints/a.js":
			return endpoints.Module{Text: "export default 1", SHA256: "a"}, nil
		case "endpoints/b.ts":
			return endpoints.Module{Text: "export default 1", Manifest: `{"runtime":"js-v1","permissions":{"kv":"ro"}}`, ManifestFile: "endpoints/b.json"}, nil
		case "endpoints/c.js":
			return endpoints.Module{Text: "/* @robutler-function\n{\"runtime\":\"js-v1\",\"permissions\":{\"kv\":\"rw\"}}\n*/\nexport default 1"}, nil
		}
		return endpoints.Module{}, errors.New(file + " is missing")
	}, Taken: func(method string, t endpoints.Template, socket bool) string {
		if method == "GET" && t.Shape() == "/taken" && !socket {
			return "somebody"
		}
		return ""
	}})
}

func TestEntriesRefused(t *testing.T) {
	for entry, want := range map[string]string{
		`[]`:            "INVALID_ENTRY endpoints[0]: an endpoint is an object",
		`{"path":"/a"}`: "INVALID_ENTRY endpoints[0].handler: an endpoint names its handler",
		`{"path":"a","handler":"endpoints/a.js"}`:                                           "INVALID_ENTRY endpoints[0].path: path begins with /",
		`{"path":7,"handler":"endpoints/a.js"}`:                                             "INVALID_ENTRY endpoints[0].path: path is a text",
		`{"path":"/a","method":"TRACE","handler":"endpoints/a.js"}`:                         "INVALID_ENTRY endpoints[0].method: method is one of",
		`{"path":"/a","method":"post","websocket":true,"handler":"endpoints/a.js"}`:         "INVALID_ENTRY endpoints[0].method: a WebSocket has no method",
		`{"path":"/a","websocket":"yes","handler":"endpoints/a.js"}`:                        "INVALID_ENTRY endpoints[0].websocket: websocket is true or false",
		`{"path":"/a","scope":"everybody","handler":"endpoints/a.js"}`:                      `INVALID_ENTRY endpoints[0].scope: "everybody" is no scope`,
		`{"path":"/a","scope":["all",1],"handler":"endpoints/a.js"}`:                        "INVALID_ENTRY endpoints[0].scope: scope is all, owner or admin",
		`{"path":"/a","scope":"all","scopes":["all"],"handler":"endpoints/a.js"}`:           "INVALID_ENTRY endpoints[0].scopes: scope and scopes are two notations",
		`{"path":"/a","handler":"endpoints/../AGENT.js"}`:                                   "INVALID_ENTRY endpoints[0].handler:",
		`{"path":"/a","handler":"functions/a.js"}`:                                          "INVALID_ENTRY endpoints[0].handler: a handler is a .js",
		`{"path":"/a","handler":"endpoints/a.py"}`:                                          "INVALID_ENTRY endpoints[0].handler: a handler is a .js",
		`{"path":"/a","handler":"endpoints/a.js#a b"}`:                                      `INVALID_ENTRY endpoints[0].handler: "a b" is no name`,
		`{"path":"/a","handler":"endpoints/none.js"}`:                                       "INVALID_ENTRY endpoints[0].handler: endpoints/none.js is missing",
		`{"path":"/a","handler":"endpoints/a.js","provides":"a b"}`:                         "INVALID_ENTRY endpoints[0].provides: a capability",
		`{"path":"/a","handler":"endpoints/a.js","content_type":"html"}`:                    `INVALID_ENTRY endpoints[0].content_type: "html" is no content type`,
		`{"path":"/a","handler":"endpoints/a.js","price":-1}`:                               "INVALID_AMOUNT endpoints[0].price: price is a number",
		`{"path":"/a","handler":"endpoints/a.js","price":"1e3"}`:                            "INVALID_AMOUNT endpoints[0].price: price is a number",
		`{"path":"/a","handler":"endpoints/a.js","price":0.0000000001}`:                     "INVALID_AMOUNT endpoints[0].price: price is a number",
		`{"path":"/a","handler":"endpoints/a.js","body":"form"}`:                            "INVALID_ENTRY endpoints[0].body: body is json or any",
		`{"path":"/a","handler":"endpoints/a.js","protocols":"x"}`:                          "INVALID_ENTRY endpoints[0].protocols: protocols is a list",
		`{"path":"/a","handler":"endpoints/a.js","protocols":["a b"]}`:                      "INVALID_ENTRY endpoints[0].protocols: protocols is a list",
		`{"path":"/a","handler":"endpoints/a.js","parameters":{"a":"text"}}`:                "INVALID_PARAMETERS_SCHEMA endpoints[0].parameters:",
		`{"path":"/a","handler":"endpoints/a.js","parameters":{"type":"array","items":{}}}`: "INVALID_PARAMETERS_SCHEMA endpoints[0].parameters:",
		`{"path":"/a","handler":"endpoints/a.js","permissions":{"kv":"all"}}`:               "INVALID_PERMISSIONS",
		`{"path":"/a","handler":"endpoints/a.js","description":["x"]}`:                      "INVALID_ENTRY endpoints[0].description: description is a text",
		`{"path":"/taken","handler":"endpoints/a.js"}`:                                      "ROUTE_CONFLICT endpoints[0].path: GET /taken is taken by somebody",
	} {
		entries, problems := check(entry)
		if len(entries) != 0 || len(problems) == 0 {
			t.Errorf("%s: %d entries, %+v", entry, len(entries), problems)
			continue
		}
		p := problems[0]
		if got := string(p.Code) + " " + p.Path + ": " + p.Message; !strings.HasPrefix(got, want) || p.File != "AGENT.md" || p.Line == 0 {
			t.Errorf("%s:\n got %s (%s:%d)\nwant %s", entry, got, p.File, p.Line, want)
		}
	}
}

func TestEntriesRead(t *testing.T) {
	entries, problems := check(
		`{"path":"/a/{id}","handler":"endpoints/a.js","scope":"","method":"get","price":0.020,"what":1}`,
		`{"path":"/a/:x","handler":"endpoints/b.ts#go","scopes":["owner","admin"],"method":"POST","body":"any","parameters":{"b":"boolean","a":"string"}}`,
		`{"path":"/a/{y}","handler":"endpoints/c.js","websocket":true,"provides":"live","protocols":["p"],"price":0}`,
		`{"path":"/a/:again","handler":"endpoints/a.js","method":"GET"}`,
		`{"path":"/s","handler":"endpoints/a.js","content_type":"text/event-stream; charset=utf-8","permissions":{"kv":"rw"},"limits":{"wallMs":100},"provides":"live","enabled":false}`,
	)
	if len(entries) != 4 {
		t.Fatalf("%d entries, %+v", len(entries), problems)
	}
	a, b, c, d := entries[0], entries[1], entries[2], entries[3]
	if a.ID != "GET /a/{id}" || len(a.Scopes) != 0 || a.Price != "0.020" || a.Kind() != contract.EndpointHTTP || a.Manifest.Permissions.KV.Self == "rw" || !a.Enabled {
		t.Errorf("%+v", a)
	}
	if b.ID != "POST /a/:x" || !slices.Equal(b.Scopes, []string{"owner", "admin"}) || !b.AnyBody || b.Export != "go" || b.Manifest.Entrypoint != "go" ||
		b.Manifest.Permissions.KV.Self != "ro" || len(b.Parameters) != 2 || b.Parameters[1] != (endpoints.Parameter{Name: "b", Type: "boolean"}) {
		t.Errorf("%+v", b)
	}
	if c.ID != "WS /a/{y}" || c.Kind() != contract.EndpointWS || c.Price != "" || c.Manifest.Permissions.KV.Self != "rw" {
		t.Errorf("%+v", c)
	}
	if d.Kind() != contract.EndpointSSE || d.Manifest.Limits.WallMs != 100 || d.Enabled || d.Manifest.Permissions.KV.Self != "rw" {
		t.Errorf("%+v", d)
	}
	var codes []contract.Code
	for _, p := range problems {
		codes = append(codes, p.Code)
	}
	if !slices.Contains(codes, contract.UnknownKey) || !slices.Contains(codes, contract.RouteConflict) {
		t.Errorf("%+v", problems)
	}
	set := &endpoints.Set{Entries: entries}
	if got := set.Provides(); !slices.Equal(got, []string{"live"}) {
		t.Error(got)
	}
	segments, _ := endpoints.Segments("/a/1")
	if e, allowed, upgrade := set.Match("GET", segments, true); e != c || upgrade {
		t.Errorf("%+v %v", e, allowed)
	}
	if e, _, _ := set.Match("HEAD", segments, false); e != a {
		t.Errorf("%+v", e)
	}
	if e, allowed, _ := set.Match("PUT", segments, false); e != nil || !slices.Equal(allowed, []string{"GET", "POST"}) {
		t.Errorf("%+v %v", e, allowed)
	}
	if problems := b.Check(json.RawMessage(`{"b":1}`)); len(problems) != 1 {
		t.Errorf("%+v", problems)
	}
}

// The schema of AGENT.md takes what the checks take.
func TestSchemaOfEntries(t *testing.T) {
	text, err := manifest.AgentSchemaOf("endpoint")
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, good := range []string{
		`{"path":"/a","handler":"endpoints/a.js"}`, `{"path":"/a","handler":"endpoints/a.js#b","method":"Get","scope":"","price":"0.1","body":null}`,
		`{"path":"/:a","handler":"endpoints/a.ts","websocket":true,"scopes":["owner"],"protocols":["x"],"parameters":{"a":"boolean"}}`,
	} {
		if problems := s.Validate(json.RawMessage(good)); len(problems) > 0 {
			t.Errorf("%s: %+v", good, problems)
		}
	}
	for _, bad := range []string{
		`{"handler":"endpoints/a.js"}`, `{"path":"/a"}`, `{"path":"a","handler":"endpoints/a.js"}`, `{"path":"/a","handler":"a.js"}`,
		`{"path":"/a","handler":"endpoints/a.js","method":"TRACE"}`, `{"path":"/a","handler":"endpoints/a.js","scope":"everybody"}`,
		`{"path":"/a","handler":"endpoints/a.js","price":-1}`, `{"path":"/a","handler":"endpoints/a.js","enabled":"yes"}`,
	} {
		if len(s.Validate(json.RawMessage(bad))) == 0 {
			t.Errorf("%s fits", bad)
		}
	}
}

// FuzzEntries: no text makes the checks fall over, and what they take can be told
// apart.
func FuzzEntries(f *testing.F) {
	f.Add(`{"path":"/a/{id}","handler":"endpoints/a.js"}`, `{"path":"/a/:x","handler":"endpoints/a.js","method":"get"}`)
	f.Fuzz(func(t *testing.T, one, two string) {
		entries, _ := check(one, two)
		if len(entries) == 2 && entries[0].Method == entries[1].Method && entries[0].Socket == entries[1].Socket && entries[0].Template.Shape() == entries[1].Template.Shape() {
			t.Errorf("%s and %s are the same", one, two)
		}
	})
}
