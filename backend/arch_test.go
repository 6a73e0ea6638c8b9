package backend_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors is the house, from the ground up. A package imports packages of lower
// floors only. "/..." stands for everything below a folder, too; such a family
// may import its own members.
var floors = [][]string{
	{"backend/contract", "backend/eventstream"},
	{"backend/manifest", "backend/schema", "backend/samples", "backend/docs", "frontend"},
	{"backend/worker/wire"},
	{"backend/worker/..."},
	// Nouns: one thing each, its rules and its own small Store interface.
	{
		"backend/agents", "backend/auth", "backend/consumers", "backend/content", "backend/drafts", "backend/endpoints", "backend/events",
		"backend/functions", "backend/history", "backend/inbox", "backend/kv", "backend/payments", "backend/project",
		"backend/quota", "backend/secrets", "backend/settings", "backend/tasks",
	},
	// Verbs: flows over nouns.
	{
		"backend/authoring", "backend/hostbridge", "backend/invocation", "backend/livereload",
		"backend/model", "backend/openapi", "backend/permissions", "backend/scheduler",
	},
	{"backend/storetest"},
	// Edges: one technology each.
	{"backend/agenthttp", "backend/executor/...", "backend/httpapi", "backend/relay", "backend/sqlite"},
	// Protocols that agents speak, hung on agenthttp.
	{"backend/transports/..."},
	{"backend/manyruns", "backend/platform", "backend/snapshot"},
	// What the command line is made of.
	{"app/client"},
	{"app/deploy", "app/mcp", "app/recorded"},
	{"app/cli", "app/window"},
	{"app"},
	{"."},
	// Programs beside the product, which nothing imports.
	{"backend", "backend/bench", "frontend/contractgen", "frontend/e2e/manyruns", "app/window/e2e"},
}

// worker is the other side of the wall: hostile code runs there, so it links
// as little as it can and no store, no platform, no window.
const worker = "backend/worker"

var workerMayImport = []string{"backend/contract", "backend/manifest"}

// onlyIn says which modules are an edge's own business. It holds for tests too.
var onlyIn = map[string]string{
	"github.com/wailsapp/":         "app/window",
	"github.com/dop251/goja":       worker,
	"github.com/evanw/esbuild":     worker,
	"modernc.org/sqlite":           "backend/sqlite",
	"database/sql":                 "backend/sqlite",
	"github.com/fsnotify/fsnotify": "backend/livereload",
	"github.com/spf13/cobra":       "app",
}

// emptyNames say nothing about what a package is for.
var emptyNames = []string{
	"base", "common", "helper", "helpers", "lib", "manager", "misc", "models", "service", "shared",
	"tools", "types", "util", "utils",
}

const maxLines = 500

// source is one Go file, its path relative to the top of the repository.
type source struct {
	path, dir string
	test      bool
	file      *ast.File
	fset      *token.FileSet
}

func (s source) at(n ast.Node) string {
	return s.path + ":" + strconv.Itoa(s.fset.Position(n.Pos()).Line)
}

// files are the paths below the top of the repository that are ours.
func files(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, rel := d.Name(), filepath.ToSlash(strings.TrimPrefix(p, ".."+string(filepath.Separator)))
		if d.IsDir() {
			ours := p == ".." || !strings.HasPrefix(name, ".") && name != "node_modules" && name != "testdata" &&
				rel != "build/bin" && rel != "frontend/dist"
			if !ours {
				return fs.SkipDir
			}
			return nil
		}
		found = append(found, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	for _, p := range files(t) {
		if !strings.HasSuffix(p, ".go") {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join("..", filepath.FromSlash(p)), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s does not parse: %v", p, err)
			continue
		}
		all = append(all, source{p, path.Dir(p), strings.HasSuffix(p, "_test.go"), file, fset})
	}
	if len(all) < 20 {
		t.Fatalf("found %d Go files: looked in the wrong place", len(all))
	}
	return all
}

func imports(s source) (paths []string) {
	for _, i := range s.file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// floorOf gives a package's floor and the entry of floors that names it.
func floorOf(dir string) (floor int, entry string) {
	for i, names := range floors {
		for _, name := range names {
			if family, ok := strings.CutSuffix(name, "/..."); name == dir || ok && under(dir, family) {
				return i, name
			}
		}
	}
	return -1, ""
}

func under(dir, folder string) bool {
	return dir == folder || strings.HasPrefix(dir, folder+"/")
}

func TestImportsGoDownOnly(t *testing.T) {
	for _, s := range sources(t) {
		from, entry := floorOf(s.dir)
		if from < 0 {
			t.Errorf("%s: package %s has no floor; give it one in backend/arch_test.go", s.path, s.dir)
			continue
		}
		if s.test {
			continue // a test may build what it needs
		}
		for _, p := range imports(s) {
			target, ours := strings.CutPrefix(p, "benchtop/")
			if !ours {
				continue
			}
			to, targetEntry := floorOf(target)
			family := entry == targetEntry && strings.HasSuffix(entry, "/...")
			if to >= from && !family {
				t.Errorf("%s (floor %d) imports %s (floor %d): imports go down, and not along a floor", s.path, from, target, to)
			}
			if under(s.dir, worker) && !under(target, worker) && !slices.Contains(workerMayImport, target) {
				t.Errorf("%s imports %s: the worker may import %v and nothing else of ours", s.path, target, workerMayImport)
			}
		}
	}
}

func TestTechnologiesStayInTheirEdge(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		for _, p := range imports(s) {
			for module, home := range onlyIn {
				if !strings.HasPrefix(p, module) {
					continue
				}
				used[module] = true
				if !under(s.dir, home) {
					t.Errorf("%s imports %s, which belongs in %s", s.path, p, home)
				}
			}
		}
	}
	for module := range onlyIn {
		if !used[module] {
			t.Errorf("nothing imports %s: its row in onlyIn guards nothing", module)
		}
	}
}

func TestEveryPackageHasOneCommentAndAName(t *testing.T) {
	comments := map[string][]string{}
	for _, s := range sources(t) {
		if slices.Contains(emptyNames, s.file.Name.Name) {
			t.Errorf("%s: package %s: name it after what it is for", s.path, s.file.Name.Name)
		}
		if s.test {
			continue
		}
		if _, seen := comments[s.dir]; !seen {
			comments[s.dir] = nil
		}
		if s.file.Doc != nil && strings.TrimSpace(s.file.Doc.Text()) != "" {
			comments[s.dir] = append(comments[s.dir], s.path)
		}
	}
	for dir, in := range comments {
		if len(in) != 1 {
			t.Errorf("package %s has %d package comments %v, want one", dir, len(in), in)
		}
	}
}

func TestNothingRunsAtImport(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: init(): let the platform call it by name", s.at(f))
			}
		}
	}
}

// Tests wait for what they wait for, never for a while, and none is left out.
func TestTestsNeitherSleepNorSkip(t *testing.T) {
	banned := map[string]string{
		"time.Sleep": "wait for the event itself",
		"t.Skip":     "a test that does not run proves nothing", "t.Skipf": "a test that does not run proves nothing",
		"t.SkipNow": "a test that does not run proves nothing",
	}
	for _, s := range sources(t) {
		if !s.test {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok {
				if why, is := banned[x.Name+"."+sel.Sel.Name]; is {
					t.Errorf("%s: %s.%s: %s", s.at(sel), x.Name, sel.Sel.Name, why)
				}
			}
			return true
		})
	}
}

func TestFilesAreShort(t *testing.T) {
	kinds := []string{".go", ".ts", ".tsx", ".css", ".js", ".sh"}
	for _, p := range files(t) {
		if !slices.Contains(kinds, path.Ext(p)) || strings.Contains(p, ".gen.") {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(p)))
		if err != nil {
			t.Error(err)
			continue
		}
		first, _, _ := bytes.Cut(text, []byte("\n"))
		if bytes.HasPrefix(first, []byte("// Code generated ")) {
			continue
		}
		if lines := bytes.Count(text, []byte("\n")); lines > maxLines {
			t.Errorf("%s has %d lines, want %d at most: it holds more than one thing", p, lines, maxLines)
		}
	}
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(text, []byte("\n")); lines > 150 {
		t.Errorf("ARCHITECTURE.md has %d lines, want 150 at most", lines)
	}
}
