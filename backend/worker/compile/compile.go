// Package compile turns an author's ES module (or CommonJS, or TypeScript) into
// the one script form a sandbox runs: a function expression over module,
// exports and require, with an inline source map, so that every later error
// carries the author's own line and column. Compiling is hostile work too and
// happens in a worker, under the same watchdog as a run.
package compile

import (
	"fmt"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"benchtop/backend/contract"
	"benchtop/backend/worker/notes"
)

// The script's frame. Parameters shadow nothing an author may use: require is
// undefined on purpose, so that typeof require says so.
const (
	banner = "(function(module,exports,require,$import){"
	footer = "})"
)

// unsupported is what the engine's parser does not read and esbuild can lower.
// The target stays ESNext: lowering everything to an older one makes the code
// half as large again.
var unsupported = map[string]bool{
	"async-generator": false, "for-await": false, "dynamic-import": false,
	"import-meta": false, "using": false, "decorators": false, "hashbang": false,
	"top-level-await": false, "regexp-match-indices": false,
}

// Source compiles text. name is what stack traces call the file, a path with
// slashes relative to the project. Either code is not empty or errors is not.
func Source(name, text string) (code string, errors, warnings []contract.Problem) {
	if strings.TrimSpace(text) == "" {
		return "", []contract.Problem{contract.Problem{Code: contract.SourceEmpty,
			Message: "The source is empty: export a handler, such as export default async function handler(ctx) { ... }"}.At(name, 1, 1)}, nil
	}
	if len(text) > contract.MaxStoredSource {
		return "", []contract.Problem{contract.Problem{Code: contract.CodeTooLarge,
			Message: fmt.Sprintf("The source has %d bytes; at most %d are allowed.", len(text), contract.MaxStoredSource)}.At(name, 0, 0)}, nil
	}
	named := defines(text)
	res := api.Transform(text, api.TransformOptions{
		Sourcefile: name, Loader: loaderOf(name), Format: api.FormatCommonJS, Platform: api.PlatformNeutral,
		Target: api.ESNext, Supported: unsupported, Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentExclude,
		Banner: banner, Footer: footer, Charset: api.CharsetUTF8, LogLevel: api.LogLevelSilent, LogLimit: 20,
		TsconfigRaw: "{}", Define: named,
	})
	if errors = problems(contract.JSCompileError, name, text, res.Errors); len(errors) > 0 {
		return "", errors, nil
	}
	found := inspect(name, text)
	if len(found.errors) > 0 {
		return "", found.errors, nil
	}
	code = slim(string(res.Code))
	if found.dynamic {
		// import(x) has become __toESM(require(x)) by now; the frame's $import has
		// the same length, so the source map still fits.
		code = strings.ReplaceAll(code, "__toESM(require(", "__toESM($import(")
	}
	if named != nil {
		code = leaveTypeof(code)
	}
	if err := parseable(name, code); err != nil {
		return "", []contract.Problem{*err}, nil
	}
	return code, nil, notes.Find(name, text, code, absent)
}

func loaderOf(name string) api.Loader {
	switch path.Ext(name) {
	case ".ts", ".mts", ".cts":
		return api.LoaderTS
	case ".tsx":
		return api.LoaderTSX
	case ".jsx":
		return api.LoaderJSX
	}
	return api.LoaderJS
}

// problems translates esbuild's messages; its lines count from 1, its columns
// from 0 and in bytes.
func problems(code contract.Code, name, text string, msgs []api.Message) []contract.Problem {
	var out []contract.Problem
	for _, m := range msgs {
		p := contract.Problem{Code: code, Message: m.Text}
		for _, n := range m.Notes {
			if n.Location == nil && len(p.Message) < 600 {
				p.Message += " (" + n.Text + ")"
			}
		}
		line, col := 0, 0
		if m.Location != nil {
			line, col = m.Location.Line, column(m.Location.LineText, m.Location.Column)
		}
		out = append(out, p.At(name, line, col))
	}
	return out
}

// column turns a byte offset in a line into a column in UTF-16 units from 1,
// which is how editors and the engine count.
func column(line string, offset int) int {
	n := 1
	for i, r := range line {
		if i >= offset {
			break
		}
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
