package manifest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"benchtop/backend/manifest"
)

func TestDocblock(t *testing.T) {
	tests := []struct {
		name, source           string
		found                  bool
		want, errors, warnings string
	}{
		{"none", "export default async () => 1\n", false, "", "", ""},
		{"json", "/** @robutler-function\n * {\n *   \"runtime\": \"js-v1\",\n *   \"permissions\": {\"kv\": \"rw\"}\n * }\n */\nexport default 1", true,
			`{"runtime":"js-v1","entrypoint":"default","permissions":{"kv":"rw"}}`, "", ""},
		{"json on one line", "/* @robutler-function {\"permissions\":{\"kv\":\"x\"}} */", true, "", "INVALID_PERMISSIONS permissions.kv 1:44", ""},
		{"json error", "\n/**\n * @robutler-function\n * {\"permissions\": }\n */", true, "", "MANIFEST_SYNTAX  4:20", ""},
		{"keys", "#!/usr/bin/env x\n'use strict';\n// hello\n/**\n * @robutler-function\n * @runtime js-v1\n * @description Adds\n *   two numbers\n * @permissions fetch=https://a.com;https://b.com, kv=rw, secrets=KEY, rawBody=true\n * @limits wallMs=500, memoryMb=64\n * @parameters {\"type\":\n *   \"object\"}\n */", true,
			`{"description":"Adds two numbers","runtime":"js-v1","entrypoint":"default","permissions":{"fetch":["https://a.com","https://b.com"],"secrets":["KEY"],"kv":"rw","rawBody":true},"limits":{"wallMs":500,"memoryMb":64},"parameters":{"type":"object"}}`, "", ""},
		{"keys, a single fetch", "/* @robutler-function\n@permissions fetch=https://a.com\n*/", true,
			`{"runtime":"js-v1","entrypoint":"default","permissions":{"fetch":["https://a.com"]}}`, "", ""},
		{"keys, bad places", "/*\n@robutler-function\n  @permissions kv=zz, fetch=a.com\n@limits wallMs=x\n@parameters {\"type\":1}\n@nonsense 1\n*/", true, "",
			"INVALID_FETCH_PATTERN permissions.fetch[0] 3:29\nINVALID_PERMISSIONS permissions.kv 3:19\nINVALID_LIMITS limits.wallMs 4:16\nINVALID_PARAMETERS_SCHEMA parameters.type 5:21", "UNKNOWN_KEY nonsense 6:1"},
		{"yaml", "/**\n * @robutler-function\n *\n * description: Counts\n * permissions:\n *   kv: rw\n *   secrets: [A]\n * limits: {wallMs: 700}\n */", true,
			`{"description":"Counts","runtime":"js-v1","entrypoint":"default","permissions":{"secrets":["A"],"kv":"rw"},"limits":{"wallMs":700}}`, "", ""},
		{"yaml places", "/**\n * @robutler-function\n * permissions:\n *   kv: [rw]\n */", true, "", "INVALID_PERMISSIONS permissions.kv 4:10", ""},
		{"yaml without stars", "/* @robutler-function\n  permissions:\n    kv: ro\n*/", true, `{"runtime":"js-v1","entrypoint":"default","permissions":{"kv":"ro"}}`, "", ""},
		{"yaml error", "/* @robutler-function\na: b: c\n*/", true, "", "MANIFEST_SYNTAX  2:1", ""},
		{"only marked", "/* @robutler-function */", true, `{"runtime":"js-v1","entrypoint":"default","permissions":{}}`, "", ""},
		{"slashes", "// @robutler-function\n// permissions:\n//   kv: rw\nexport default 1", true,
			`{"runtime":"js-v1","entrypoint":"default","permissions":{"kv":"rw"}}`, "", "PORTABILITY  1:22"},
		{"crlf", "/**\r\n * @robutler-function\r\n * @description Hi\r\n */\r\n", true, `{"description":"Hi","runtime":"js-v1","entrypoint":"default","permissions":{}}`, "", ""},
		{"behind code", "const a = 1\n/* @robutler-function */", false, "", "", "PORTABILITY  2:1"},
		{"another word", "/* @robutler-functions */", false, "", "", "PORTABILITY  1:1"},
		{"open comment", "/* @robutler-function", false, "", "", "PORTABILITY  1:1"},
		{"disabled runtime", "/* @robutler-function\n@runtime wasm-v1 */", true, "", "RUNTIME_DISABLED runtime 2:10", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, found, errs, warns := manifest.Docblock(tt.source, manifest.Options{File: "f.js"})
			if found != tt.found || find(errs) != tt.errors || find(warns) != tt.warnings {
				t.Fatalf("found %v\nerrors\n%s %v\nwant\n%s\nwarnings\n%s\nwant\n%s", found, find(errs), errs, tt.errors, find(warns), tt.warnings)
			}
			if tt.want == "" {
				return
			}
			if b, err := json.Marshal(m); err != nil || string(b) != tt.want {
				t.Errorf("\n%s\nwant\n%s", b, tt.want)
			}
		})
	}
}

// TestYAMLBomb: nine aliases of nine aliases do not become a large value.
func TestYAMLBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("/* @robutler-function\na0: &a0 [x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 12; i++ {
		n, p := string(rune('a'+i)), string(rune('a'+i-1))
		if i == 1 {
			p = "a0"
		}
		b.WriteString(n + ": &" + n + " [*" + strings.Join([]string{p, p, p, p, p, p, p, p, p}, ",*") + "]\n")
	}
	b.WriteString("*/")
	_, found, errs, _ := manifest.Docblock(b.String(), manifest.Options{})
	if !found || len(errs) != 1 || !strings.Contains(errs[0].Message, "aliases") {
		t.Fatalf("%v %v", found, errs)
	}
	_, _, errs, _ = manifest.Docblock("/* @robutler-function\na: &a [*a]\n*/", manifest.Options{})
	if len(errs) != 1 {
		t.Fatalf("an alias of itself: %v", errs)
	}
}

func FuzzDocblock(f *testing.F) {
	f.Add("/** @robutler-function\n * @permissions kv=rw, fetch=*\n */\nexport default 1")
	f.Add("// @robutler-function\n// permissions: {kv: rw}\n")
	f.Add("/* @robutler-function {\"runtime\":\"js-v1\"} */")
	f.Add("/* @robutler-function\na: &x {b: 1}\nc: {<<: *x}\n*/")
	f.Fuzz(func(t *testing.T, src string) {
		_, _, errs, warns := manifest.Docblock(src, manifest.Options{File: "f.js"})
		lines := strings.Count(src, "\n") + 1
		for _, p := range append(errs, warns...) {
			if p.Line < 1 || p.Line > lines || p.Column < 1 || !p.Code.Known() {
				t.Fatalf("%d lines: %+v", lines, p)
			}
		}
	})
}
