package compile

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"benchtop/backend/contract"
)

// findings is what a look at the author's own text (not the compiled one) gave.
type findings struct {
	errors  []contract.Problem
	dynamic bool // there is an import(...)
}

var mentionsImport = regexp.MustCompile(`\b(?:import|from)\b`)

// inspect finds imports, which only a bundling pass knows for sure (the word
// may stand in a string).
func inspect(name, text string) findings {
	var f findings
	if mentionsImport.MatchString(text) {
		f.imports(name, text)
	}
	return f
}

// imports runs the source through esbuild's resolver, which is asked once for
// each import with its exact place.
func (f *findings) imports(name, text string) {
	var mu sync.Mutex // the resolver asks from several goroutines
	api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: text, Sourcefile: name, Loader: loaderOf(name)},
		Bundle: true, Write: false, Format: api.FormatCommonJS, Platform: api.PlatformNeutral, Target: api.ESNext,
		LogLevel: api.LogLevelSilent, TsconfigRaw: "{}",
		Plugins: []api.Plugin{{Name: "imports", Setup: func(b api.PluginBuild) {
			b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				mu.Lock()
				defer mu.Unlock()
				switch a.Kind {
				case api.ResolveJSImportStatement:
					f.refuse(name, text, a.Path)
				case api.ResolveJSDynamicImport:
					f.dynamic = true
				}
				return api.OnResolveResult{Path: a.Path, External: true}, nil
			})
		}}},
	})
	slices.SortFunc(f.errors, func(a, b contract.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	if strings.Contains(text, "import") {
		f.dynamic = true // also import(expression), which no resolver is asked about
	}
}

// refuse adds the error for one import statement. esbuild's resolver is told
// the path, not the place, so the place is the first statement that names it.
func (f *findings) refuse(name, text, target string) {
	re := regexp.MustCompile(`(?m)(?:\bimport\b|\bexport\b|\bfrom\b)[^;'"` + "`" + `]*['"]` + regexp.QuoteMeta(target) + `['"]`)
	line, col := 0, 0
	if at := re.FindStringIndex(text); at != nil {
		line, col = place(text, at[0])
	}
	f.errors = append(f.errors, contract.Problem{Code: contract.JSCompileError,
		Message: "import is not part of js-v1: packages and other files cannot be loaded (\"" + target + "\"). Put the code into this file, or call another function with ctx.fn.invoke."}.At(name, line, col))
}

// place turns a byte offset into line and column, both from 1.
func place(text string, offset int) (line, col int) {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	end := strings.IndexByte(text[start:], '\n')
	if end < 0 {
		end = len(text) - start
	}
	return strings.Count(text[:start], "\n") + 1, column(text[start:start+end], offset-start)
}
