package manifest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// find gives the problems as "CODE path line:column".
func find(ps []contract.Problem) string {
	var out []string
	for _, p := range ps {
		out = append(out, fmt.Sprintf("%s %s %d:%d", p.Code, p.Path, p.Line, p.Column))
	}
	return strings.Join(out, "\n")
}

// refuseStrin stands in for a schema compiler: it dislikes one type.
func refuseStrin(schema json.RawMessage) ([]string, string) {
	if strings.Contains(string(schema), "strin\"") {
		return []string{"properties", "a", "type"}, "no such type"
	}
	return nil, ""
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, text, errors, warnings string
	}{
		{"smallest", `{"runtime":"js-v1"}`, "", ""},
		{"null", `null`, "INTERNAL  1:1", ""},
		{"array", `[]`, "INTERNAL  1:1", ""},
		{"empty text", ``, "MANIFEST_SYNTAX  1:1", ""},
		{"no runtime", `{}`, "MISSING_RUNTIME runtime 1:1", ""},
		{"deferred", "{\n  \"runtime\": \"python-pyodide-v1\"}", "RUNTIME_DISABLED runtime 2:14", ""},
		{"reserved", `{"runtime":"wasm-v1"}`, "RUNTIME_DISABLED runtime 1:12", ""},
		{"unknown runtime", `{"runtime":"js-v2"}`, "RUNTIME_UNKNOWN runtime 1:12", ""},
		{"runtime number", `{"runtime":1}`, "RUNTIME_UNKNOWN runtime 1:12", ""},
		{"trailing comma", "{\"runtime\":\"js-v1\",\n}", "MANIFEST_SYNTAX  2:1", ""},
		{"comment", "{ // hi\n}", "MANIFEST_SYNTAX  1:3", ""},
		{"single quotes", `{'a':1}`, "MANIFEST_SYNTAX  1:2", ""},
		{"open text", "{\n\"runtime", "MANIFEST_SYNTAX  2:1", ""},
		{"rest", `{} x`, "MANIFEST_SYNTAX  1:4", ""},
		{"too deep", strings.Repeat("[", 100_000), "MANIFEST_SYNTAX  1:66", ""},
		{"unknown key", `{"runtime":"js-v1","foo":1,"permission":{}}`, "", "UNKNOWN_KEY foo 1:20\nUNKNOWN_KEY permission 1:28"},
		{"double key", `{"runtime":"x","runtime":"js-v1"}`, "", "UNKNOWN_KEY runtime 1:2"},
		{"type is not read", `{"runtime":"js-v1","type":"tool"}`, "", "UNKNOWN_KEY type 1:20"},
		{"bare host", `{"runtime":"js-v1","permissions":{"fetch":["https://a.com","api.example.com"]}}`, "INVALID_FETCH_PATTERN permissions.fetch[1] 1:60", ""},
		{"suffix", `{"runtime":"js-v1","permissions":{"fetch":["*.a.com"]}}`, "", "PORTABILITY permissions.fetch[0] 1:44"},
		{"fetch text", `{"runtime":"js-v1","permissions":{"fetch":"*"}}`, "INVALID_FETCH_PATTERN permissions.fetch 1:43", ""},
		{"secrets text", `{"runtime":"js-v1","permissions":{"secrets":"A"}}`, "INVALID_SECRETS permissions.secrets 1:45", ""},
		{"secret with space", `{"runtime":"js-v1","permissions":{"secrets":["A B"]}}`, "INVALID_SECRETS permissions.secrets[0] 1:46", ""},
		{"kv array", `{"runtime":"js-v1","permissions":{"kv":["rw"]}}`, "INVALID_PERMISSIONS permissions.kv 1:40", ""},
		{"kv word", `{"runtime":"js-v1","permissions":{"kv":"r"}}`, "INVALID_PERMISSIONS permissions.kv 1:40", ""},
		{"kv object", `{"runtime":"js-v1","permissions":{"kv":{"self":"rw","visitor":"x"}}}`, "INVALID_PERMISSIONS permissions.kv.visitor 1:63", ""},
		{"content", `{"runtime":"js-v1","permissions":{"content":{"read":"yes"}}}`, "INVALID_PERMISSIONS permissions.content.read 1:53", ""},
		{"raw body", `{"runtime":"js-v1","permissions":{"rawBody":1}}`, "INVALID_PERMISSIONS permissions.rawBody 1:45", ""},
		{"portal unknown", `{"runtime":"js-v1","permissions":{"portal":["payment.lock","fly"]}}`, "", "UNKNOWN_KEY permissions.portal[1] 1:60"},
		{"visitor profile", `{"runtime":"js-v1","permissions":{"visitor_profile":["name","age"]}}`, "INVALID_PERMISSIONS permissions.visitor_profile[1] 1:61", ""},
		{"folder without alias", `{"runtime":"js-v1","permissions":{"folders":[{"contentId":"c"}]}}`, "INVALID_PERMISSIONS permissions.folders[0].alias 1:46", ""},
		{"folder twice", `{"runtime":"js-v1","permissions":{"folders":[{"alias":"a","contentId":"c"},{"binding":"a","kind":"local","path":"x"}]}}`, "INVALID_PERMISSIONS permissions.folders[1] 1:76", ""},
		{"wall zero", `{"runtime":"js-v1","limits":{"wallMs":0,"memoryMb":"1"}}`, "INVALID_LIMITS limits.wallMs 1:39\nINVALID_LIMITS limits.memoryMb 1:52", ""},
		{"wall large", `{"runtime":"js-v1","limits":{"wallMs":999999}}`, "", "INVALID_LIMITS limits.wallMs 1:39"},
		{"parameters array", `{"runtime":"js-v1","parameters":{"type":"array"}}`, "INVALID_PARAMETERS_SCHEMA parameters.type 1:41", ""},
		{"parameters list", `{"runtime":"js-v1","parameters":[]}`, "INVALID_PARAMETERS_SCHEMA parameters 1:33", ""},
		{"parameters bad keyword", "{\"runtime\":\"js-v1\",\"parameters\":{\"type\":\"object\",\n \"properties\":{\"a\":{\"type\":\"strin\"}}}}", "INVALID_PARAMETERS_SCHEMA parameters.properties.a.type 2:28", ""},
		{"entrypoint", `{"runtime":"js-v1","entrypoint":"a b"}`, "INTERNAL entrypoint 1:33", ""},
		{"name no text", `{"runtime":"js-v1","name":3}`, "INTERNAL name 1:27", ""},
		{"code kind", `{"runtime":"js-v1","code":{"kind":"ftp"}}`, "INVALID_CODE_REF code.kind 1:35", ""},
		{"code https without hash", `{"runtime":"js-v1","code":{"kind":"https","url":"https://a.com/x.js"}}`, "INVALID_CODE_REF code.sha256 1:27", ""},
		{"code file outside", `{"runtime":"js-v1","code":{"kind":"file","path":"../x.js"}}`, "INVALID_CODE_REF code.path 1:49", ""},
		{"code base64", `{"runtime":"js-v1","code":{"kind":"inlineB64","source":"%%%"}}`, "INVALID_CODE_REF code.source 1:56", ""},
		{"all at once", "{\"permissions\":{\"kv\":3,\"fetch\":[1]},\n\"limits\":[]}", "MISSING_RUNTIME runtime 1:1\nINVALID_FETCH_PATTERN permissions.fetch[0] 1:33\nINVALID_PERMISSIONS permissions.kv 1:22\nINVALID_LIMITS limits 2:10", ""},
		{"columns count characters", `{"description":"äöü😀","x":1,"runtime":"js-v1"}`, "", "UNKNOWN_KEY x 1:23"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, errs, warns := manifest.Parse([]byte(tt.text), manifest.Options{File: "m.json", Schema: refuseStrin})
			if got := find(errs); got != tt.errors {
				t.Errorf("errors\n%s\nwant\n%s", got, tt.errors)
			}
			if got := find(warns); got != tt.warnings {
				t.Errorf("warnings\n%s\nwant\n%s", got, tt.warnings)
			}
			for _, p := range append(errs, warns...) {
				if !p.Code.Known() || p.File != "m.json" || p.Message == "" || strings.Contains(p.Message, "\n") {
					t.Errorf("%+v", p)
				}
			}
		})
	}
}

func TestParseNormalises(t *testing.T) {
	text := `{"runtime":"js-v1","permissions":{"fetch":["*","*"],"secrets":["A","write"],"kv":"none","folders":[
		{"alias":"in","contentId":"c1","permissions":"rw"},{"binding":"out","kind":"content","folderId":"c2","mode":"ro"},{"binding":"loc","kind":"local","path":"data"}]},
		"secrets":["B","A"],"limits":{"wallMs":1500.5},"parameters":{"type":"object","properties":{"b":{"const":1e2},"a":{}}}}`
	m, errs, _ := manifest.Parse([]byte(text), manifest.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	got, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"runtime":"js-v1","entrypoint":"default","permissions":{"fetch":["*"],"secrets":["A","write","B"],"folders":[` +
		`{"alias":"in","contentId":"c1","permissions":"rw"},{"alias":"out","contentId":"c2","permissions":"ro"},{"alias":"loc","path":"data","permissions":"ro"}]},` +
		`"limits":{"wallMs":1501},"parameters":{"type":"object","properties":{"b":{"const":1e2},"a":{}}}}`
	if string(got) != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	if b := m.Permissions.Bindings(); len(b) != 2 || b[0] != "A" || b[1] != "B" {
		t.Errorf("bindings %v", b)
	}
	again, errs, warns := manifest.Parse(got, manifest.Options{})
	if len(errs)+len(warns) > 0 {
		t.Fatal("the normal form is not normal", errs, warns)
	}
	if b, err := json.Marshal(again); err != nil || string(b) != want {
		t.Errorf("not stable: %s", b)
	}
}

// TestSourceBounds: one byte over is refused, with both figures.
func TestSourceBounds(t *testing.T) {
	for _, tt := range []struct {
		kind string
		size int
		ok   bool
	}{{"inline", 16384, true}, {"inline", 16385, false}, {"inlineB64", 65536, true}, {"inlineB64", 65540, false}} {
		src := strings.Repeat("A", tt.size)
		_, errs, _ := manifest.Parse(fmt.Appendf(nil, `{"runtime":"js-v1","code":{"kind":%q,"source":%q}}`, tt.kind, src), manifest.Options{})
		switch {
		case tt.ok && len(errs) > 0:
			t.Errorf("%s %d: %v", tt.kind, tt.size, errs)
		case !tt.ok && (len(errs) != 1 || errs[0].Code != contract.CodeTooLarge || !strings.Contains(errs[0].Message, fmt.Sprint(tt.size))):
			t.Errorf("%s %d: %v", tt.kind, tt.size, errs)
		}
	}
	// Bytes of UTF-8, not characters: 5,462 times three bytes.
	_, errs, _ := manifest.Parse(fmt.Appendf(nil, `{"runtime":"js-v1","code":{"kind":"inline","source":%q}}`, strings.Repeat("€", 5462)), manifest.Options{})
	if len(errs) != 1 || errs[0].Code != contract.CodeTooLarge {
		t.Errorf("%v", errs)
	}
}

func TestNames(t *testing.T) {
	for _, s := range []string{"a", "Quote", "a1_b", strings.Repeat("a", 64)} {
		if err := manifest.CheckName(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{"", "1a", "_a", "a-b", "a.b", "../a", "a/b", "a\n", "é", "a b", strings.Repeat("a", 65)} {
		if err := manifest.CheckName(s); err == nil || err.Code != contract.InvalidName {
			t.Errorf("%q should be refused", s)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"runtime":"js-v1","permissions":{"fetch":["https://a.com"],"kv":"rw"},"parameters":{"type":"object"}}`)
	f.Add(`{"a":[1,-2.5e3,"\u00e4\ud83d\ude00",true,null]}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, errs, warns := manifest.Parse([]byte(text), manifest.Options{})
		if len(errs) == 0 {
			if !json.Valid([]byte(text)) && !strings.HasPrefix(text, "\ufeff") {
				t.Fatalf("accepted what is no JSON: %q", text)
			}
			b, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if _, errs, _ := manifest.Parse(b, manifest.Options{}); len(errs) > 0 {
				t.Fatalf("%s: the normal form is refused: %v", b, errs)
			}
		}
		for _, p := range append(errs, warns...) {
			if p.Line < 1 || p.Column < 1 || !p.Code.Known() {
				t.Fatalf("%+v", p)
			}
		}
	})
}

// TestRewriteKeeps: what an author laid out is not laid out anew.
func TestRewriteKeeps(t *testing.T) {
	for text, want := range map[string]string{
		"{\n \"runtime\": \"js-v1\", \"limits\": { \"wallMs\": 5 }\n}\n": "{\n \"runtime\": \"js-v1\", \"limits\": { \"wallMs\": 5 }\n}\n",
		`{"runtime":"js-v1","limits":{}}`:                                "{\n  \"runtime\": \"js-v1\",\n  \"limits\": {}\n}\n",
		"{\n\"limits\":{}}":                                              "{\n  \"runtime\": \"js-v1\",\n  \"limits\": {}\n}\n",
		"{\n\"runtime\":\"js-v1\",\"code\":{}}":                          "{\n  \"runtime\": \"js-v1\"\n}\n",
		"{\n\"runtime\":\"\"}":                                           "{\n  \"runtime\": \"js-v1\"\n}\n",
	} {
		if got := string(manifest.Rewrite([]byte(text), "js-v1", "code")); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
