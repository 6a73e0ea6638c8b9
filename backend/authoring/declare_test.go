package authoring_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

const plain = `{"runtime":"js-v1"}`

func TestDeclareWithoutFolder(t *testing.T) {
	w := newWorld(t, false)
	res, err := w.declare("quote", `{"runtime":"js-v1","permissions":{"secrets":["A","B","write"]}}`, ptr(source))
	must(t, err)
	if !res.OK || res.Version != 1 || len(res.RequiresUserAction) != 2 || res.RequiresUserAction[0].Binding != "A" || res.RequiresUserAction[0].Kind != "set_function_secret" {
		t.Fatalf("%+v", res)
	}
	w.set["A"], w.set["B"] = true, true
	// The same again makes no version; a manifest alone keeps source and runtime.
	res, err = w.declare("quote", `{"runtime":"js-v1","permissions":{"secrets":["A","B","write"]}}`, ptr(source))
	must(t, err)
	if res.Version != 1 || len(res.RequiresUserAction) != 0 {
		t.Fatalf("%+v", res)
	}
	res, err = w.declare("quote", `{"description":"Quotes"}`, nil)
	must(t, err)
	f, _ := w.functions.Get(w.agent.ID, "quote")
	if res.Version != 2 || f.Source != source || f.Manifest.Runtime != "js-v1" || f.ManifestText != "{\n  \"runtime\": \"js-v1\",\n  \"description\": \"Quotes\"\n}\n" {
		t.Fatalf("%+v %+v", res, f)
	}
	if got := w.audits(); !slices.Equal(got, []string{"declare quote cli", "update quote cli"}) {
		t.Error(got)
	}
	if got := w.published(); got != "declared declared" {
		t.Error(got)
	}
	removed, err := w.authoring.Remove(t.Context(), w.agent, "quote", "ui")
	must(t, err)
	if !removed.OK || removed.Detached == nil || w.version("quote") != 0 {
		t.Errorf("%+v", removed)
	}
	_, err = w.authoring.Remove(t.Context(), w.agent, "quote", "ui")
	wantCode(t, err, contract.FnNotFound)
	_, err = w.authoring.Remove(t.Context(), w.agent, "../x", "ui")
	wantCode(t, err, contract.FnNotFound)
}

func TestDeclareRefuses(t *testing.T) {
	w := newWorld(t, false)
	tests := []struct {
		name, function, manifest string
		source                   *string
		code                     contract.Code
	}{
		{"name", "1a", plain, ptr(source), contract.InvalidName},
		{"name with a path", "../a", plain, ptr(source), contract.InvalidName},
		{"no runtime", "a", `{}`, ptr(source), contract.MissingRuntime},
		{"deferred runtime", "a", `{"runtime":"python-pyodide-v1"}`, ptr(source), contract.RuntimeDisabled},
		{"manifest no object", "a", `[]`, ptr(source), contract.InvalidManifest},
		{"no source", "a", plain, nil, contract.SourceEmpty},
		{"empty source", "a", plain, ptr(" \n"), contract.SourceEmpty},
		{"compile error", "a", plain, ptr("BROKEN"), contract.JSCompileError},
		{"no worker", "a", plain, ptr("NOWORKER"), contract.ExecutorUnavailable},
		{"one byte too many", "a", plain, ptr(strings.Repeat("/", contract.MaxInlineSource+1)), contract.CodeTooLarge},
		{"three-byte characters", "a", plain, ptr(strings.Repeat("€", 5462)), contract.CodeTooLarge},
		{"schema", "a", `{"runtime":"js-v1","parameters":{"type":"object","properties":{"a":{"type":"x"}}}}`, ptr(source), contract.InvalidParametersSchema},
		{"pinned hash", "a", `{"runtime":"js-v1","bundleSha256":"` + strings.Repeat("0", 64) + `"}`, ptr(source), contract.BundleHashMismatch},
		{"unknown content", "a", `{"runtime":"js-v1","code":{"kind":"content","contentId":"x"}}`, nil, contract.InvalidCodeRef},
		{"code from the network", "a", `{"runtime":"js-v1","code":{"kind":"https","url":"https://a.com/x.js","sha256":"` + strings.Repeat("0", 64) + `"}}`, nil, contract.InvalidCodeRef},
		{"file", "a", `{"runtime":"js-v1","code":{"kind":"file","path":"x.js"}}`, nil, contract.InvalidCodeRef},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := w.declare(tt.function, tt.manifest, tt.source)
			e := wantCode(t, err, tt.code)
			if e.Message == "" || strings.Contains(e.Message, "\n") {
				t.Errorf("%q", e.Message)
			}
		})
	}
	if len(w.audits()) != 0 || w.published() != "" || len(w.functions.List(w.agent.ID)) != 0 {
		t.Error("something was stored")
	}
	_, err := w.declare("a", `{"permissions":{"kv":1,"fetch":["x"]}}`, ptr(source))
	if e := contract.AsError(err); e == nil || len(e.Problems) != 3 || e.Problems[0].Line == 0 {
		t.Errorf("all problems come at once: %+v", e)
	}
}

func TestDeclareCode(t *testing.T) {
	w := newWorld(t, false)
	_, err := w.declare("full", plain, ptr(strings.Repeat("/", contract.MaxInlineSource)))
	must(t, err)
	big := strings.Repeat("/", 40_000)
	_, err = w.declare("b64", fmt.Sprintf(`{"runtime":"js-v1","code":{"kind":"inlineB64","source":%q}}`, base64.StdEncoding.EncodeToString([]byte(big))), nil)
	must(t, err)
	f, _ := w.functions.Get(w.agent.ID, "b64")
	if f.Source != big || f.Manifest.Code != nil || strings.Contains(f.ManifestText, "code") {
		t.Errorf("%+v", f.Manifest)
	}
	_, err = w.declare("b64", fmt.Sprintf(`{"description":"x","code":{"kind":"content","contentId":%q}}`, f.ContentID), nil)
	must(t, err)
	res, err := w.authoring.Declare(t.Context(), w.agent, contract.DeclareRequest{Name: "c", Manifest: json.RawMessage(plain), Code: ptr(source)}, "host")
	must(t, err)
	if res.Version != 1 {
		t.Errorf("%+v", res)
	}
}

func TestDeclareWritesFolder(t *testing.T) {
	w := newWorld(t, true)
	_, err := w.declare("quote", `{"runtime":"js-v1","permissions":{"kv":"rw"}}`, ptr(source))
	must(t, err)
	if w.read("functions/quote/index.js") != source || !strings.Contains(w.read("functions/quote/manifest.json"), `"kv": "rw"`) {
		t.Error("not written")
	}
	// The watcher finds nothing new in what was just written.
	report, err := w.authoring.Reload(t.Context(), w.agent.ID)
	must(t, err)
	if len(report.Declared)+len(report.Removed)+len(report.Failed) > 0 || w.version("quote") != 1 {
		t.Errorf("%+v", report)
	}
	// Text that never ran is kept before it is overwritten.
	w.write("functions/quote/index.js", "unsaved work BROKEN")
	_, err = w.declare("quote", `{"runtime":"js-v1"}`, ptr(source+"//2"))
	must(t, err)
	kept, err := filepath.Glob(filepath.Join(w.dir, ".benchtop/trash/*/functions/quote/index.js"))
	must(t, err)
	if len(kept) != 1 {
		t.Fatalf("%v", kept)
	}
	if b, err := os.ReadFile(kept[0]); err != nil || string(b) != "unsaved work BROKEN" {
		t.Errorf("%q %v", b, err)
	}
	if !strings.Contains(w.read(".benchtop/.gitignore"), "trash/") {
		t.Error("the trash is not ignored")
	}
	_, err = w.authoring.Remove(t.Context(), w.agent, "quote", "cli")
	must(t, err)
	if _, err := os.Stat(filepath.Join(w.dir, "functions/quote")); !os.IsNotExist(err) {
		t.Error("the files are still there")
	}
	if got := w.audits(); !slices.Equal(got, []string{"declare quote cli", "update quote cli", "remove quote cli"}) {
		t.Error(got)
	}
	must(t, os.RemoveAll(w.dir))
	_, err = w.declare("quote", plain, ptr(source))
	wantCode(t, err, contract.ProjectUnreachable)
}

func TestDeclareOverSingleFile(t *testing.T) {
	w := newWorld(t, true)
	header := "/* @robutler-function\n@permissions kv=ro\n*/\n"
	w.write("functions/one.js", header+source)
	_, err := w.authoring.Reload(t.Context(), w.agent.ID)
	must(t, err)
	// The posted source's header says what the manifest says: it stays one file.
	_, err = w.declare("one", `{"runtime":"js-v1","permissions":{"kv":"ro"}}`, ptr(header+source+"//2"))
	must(t, err)
	if w.read("functions/one.js") != header+source+"//2" || w.version("one") != 2 {
		t.Error("the single file is not updated")
	}
	// Another manifest needs a file of its own.
	_, err = w.declare("one", `{"runtime":"js-v1","permissions":{"kv":"rw"}}`, nil)
	must(t, err)
	if _, err := os.Stat(filepath.Join(w.dir, "functions/one.js")); !os.IsNotExist(err) {
		t.Error("two functions of one name")
	}
	if !strings.Contains(w.read("functions/one/manifest.json"), "rw") || w.read("functions/one/index.js") != header+source+"//2" {
		t.Error("not moved")
	}
	report, err := w.authoring.Reload(t.Context(), w.agent.ID)
	must(t, err)
	if report.Changed || w.version("one") != 3 {
		t.Errorf("%+v version %d", report, w.version("one"))
	}
}

// What serves is warned about as often as it is asked for, and a manifest that
// has what a warning wants ends it.
func TestWarningsOfWhatServes(t *testing.T) {
	w := newWorld(t, false)
	text := ptr(source + "// EMAIL")
	for range 2 {
		res, err := w.declare("a", plain, text)
		must(t, err)
		if len(res.Warnings) != 1 {
			t.Errorf("declared: %+v", res.Warnings)
		}
		said, err := w.authoring.Validate(t.Context(), w.agent, "a", contract.ValidateRequest{Manifest: json.RawMessage(plain), Source: text})
		must(t, err)
		if len(said.Warnings) != 1 {
			t.Errorf("validated: %+v", said.Warnings)
		}
	}
	granted := `{"runtime":"js-v1","permissions":{"visitor_profile":["email"]}}`
	res, err := w.declare("a", granted, text)
	must(t, err)
	if len(res.Warnings) > 0 {
		t.Errorf("granted: %+v", res.Warnings)
	}
}

func TestValidate(t *testing.T) {
	w := newWorld(t, false)
	validate := func(name, m string, src *string) contract.ValidateResponse {
		t.Helper()
		res, err := w.authoring.Validate(t.Context(), w.agent, name, contract.ValidateRequest{Manifest: json.RawMessage(m), Source: src})
		must(t, err)
		if res.Errors == nil || res.Warnings == nil {
			t.Error("null lists")
		}
		return res
	}
	if res := validate("a", plain, ptr(source)); !res.OK || len(res.Errors)+len(res.Warnings) > 0 {
		t.Errorf("%+v", res)
	}
	if res := validate("a", plain, nil); !res.OK {
		t.Errorf("%+v", res)
	}
	res := validate("1a", `{"runtime":"wasm-v1","foo":1}`, ptr("\nBROKEN"))
	if res.OK || len(res.Errors) != 3 || res.Errors[0].Code != contract.RuntimeDisabled || res.Errors[2].Line != 2 || len(res.Warnings) != 1 {
		t.Errorf("%+v", res)
	}
	if len(w.functions.List(w.agent.ID)) > 0 || len(w.audits()) > 0 {
		t.Error("validation stores nothing")
	}
	_, err := w.authoring.Validate(t.Context(), w.agent, "a", contract.ValidateRequest{Manifest: json.RawMessage(plain), Source: ptr("NOWORKER")})
	wantCode(t, err, contract.ExecutorUnavailable)
}
