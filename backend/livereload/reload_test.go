package livereload_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/livereload"
	"benchtop/backend/project"
)

// TestSaves: every way an editor puts a new text in place.
func TestSaves(t *testing.T) {
	ways := map[string]func(t *testing.T, path, text string){
		"in place": func(t *testing.T, path, text string) { must(t, os.WriteFile(path, []byte(text), 0o644)) },
		"write beside and rename": func(t *testing.T, path, text string) {
			must(t, os.WriteFile(path+".tmp", []byte(text), 0o644))
			must(t, os.Rename(path+".tmp", path))
		},
		"move away, write, delete": func(t *testing.T, path, text string) { // vim with backups
			must(t, os.Rename(path, path+"~"))
			must(t, os.WriteFile(path, []byte(text), 0o644))
			must(t, os.Remove(path+"~"))
		},
		"delete and write": func(t *testing.T, path, text string) {
			must(t, os.Remove(path))
			must(t, os.WriteFile(path, []byte(text), 0o644))
		},
		"replace the folder": func(t *testing.T, path, text string) { // a checkout
			dir := filepath.Dir(path)
			must(t, os.Rename(dir, dir+".old~"))
			must(t, os.CopyFS(dir, os.DirFS(dir+".old~")))
			must(t, os.RemoveAll(dir+".old~"))
			must(t, os.WriteFile(path, []byte(text), 0o644))
		},
		"in pieces": func(t *testing.T, path, text string) {
			f, err := os.Create(path)
			must(t, err)
			for _, c := range strings.SplitAfter(text, " ") {
				_, err := f.WriteString(c)
				must(t, err)
			}
			must(t, f.Close())
		},
	}
	for name, save := range ways {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			p := w.project("mia")
			for i := range 3 {
				text := fmt.Sprintf("%s// %s %d", source, name, i)
				save(t, filepath.Join(p.Path, "functions/f/index.js"), text)
				w.until("the new text serves", func() bool { return w.serves(p, "f") == text })
			}
		})
	}
}

func TestNewAndRemovedFunctions(t *testing.T) {
	w := newWorld(t)
	p := w.project("mia")
	write(t, p.Path, "functions/g/index.js", source)
	w.until("a new folder is found", func() bool { return w.serves(p, "g") == source })
	write(t, p.Path, "functions/h.js", "/* @robutler-function */\n"+source)
	w.until("a new file is found", func() bool { return w.serves(p, "h") != "" })
	must(t, os.Rename(filepath.Join(p.Path, "functions/g"), filepath.Join(p.Path, "functions/k")))
	w.until("a renamed folder is another function", func() bool { return w.serves(p, "g") == "" && w.serves(p, "k") == source })
	write(t, p.Path, "functions/k/index.js", source+"//2")
	w.until("and is watched", func() bool { return w.serves(p, "k") == source+"//2" })
	must(t, os.RemoveAll(filepath.Join(p.Path, "functions")))
	w.until("removed functions end", func() bool { return len(w.functions.List(p.AgentID)) == 0 })
	write(t, p.Path, "functions/f/index.js", source)
	w.until("and come back", func() bool { return w.serves(p, "f") == source })
}

func TestBrokenKeepsServing(t *testing.T) {
	w := newWorld(t)
	p := w.project("mia")
	write(t, p.Path, "functions/f/index.js", "\nBROKEN")
	w.until("the failure is told", func() bool { return w.count(contract.EvFunctionFailed) == 1 })
	if w.serves(p, "f") != source {
		t.Error("the last good version must serve")
	}
	if log := w.logged(); !strings.Contains(log, "functions/f/index.js:2:1") || !strings.Contains(log, "JS_COMPILE_ERROR") {
		t.Error(log)
	}
	write(t, p.Path, "functions/f/index.js", source+"//ok")
	w.until("fixed", func() bool { return w.serves(p, "f") == source+"//ok" })
}

// TestStorm: 500 writes are a handful of readings, and the last text serves.
func TestStorm(t *testing.T) {
	w := newWorld(t)
	p := w.project("mia")
	for len(w.readings) > 0 {
		<-w.readings
	}
	last, start := "", time.Now()
	for i := range 500 {
		last = fmt.Sprintf("%s// %d", source, i)
		must(t, os.WriteFile(filepath.Join(p.Path, "functions/f/index.js"), []byte(last), 0o644))
	}
	took := time.Since(start)
	w.until("the last text serves", func() bool { return w.serves(p, "f") == last })
	f, _ := w.functions.Get(p.AgentID, "f")
	// One at the end of the quiet, one for each longest wait that passed.
	if most := 3 + int(took/(200*time.Millisecond)); f.Version-1 > most {
		t.Errorf("%d versions for 500 writes in %v", f.Version-1, took)
	}
	t.Logf("500 writes in %v made %d versions", took, f.Version-1)
}

// TestTouch: what does not change the unit makes no version.
func TestTouch(t *testing.T) {
	w := newWorld(t)
	p := w.project("mia")
	now := time.Now()
	must(t, os.Chtimes(filepath.Join(p.Path, "functions/f/index.js"), now, now))
	write(t, p.Path, "functions/f/index.js", source)
	write(t, p.Path, "README.md", "not ours")
	write(t, p.Path, "node_modules/x/index.js", "not ours")
	write(t, p.Path, "functions/f/index.js.swp", "not ours")
	write(t, p.Path, "functions/z/index.js", source) // a sign that all of the above was seen
	w.until("the sign", func() bool { return w.serves(p, "z") != "" })
	if f, _ := w.functions.Get(p.AgentID, "f"); f.Version != 1 {
		t.Errorf("version %d", f.Version)
	}
}

// TestSaveFromConsole: what the platform writes itself comes back as no change.
func TestSaveFromConsole(t *testing.T) {
	w := newWorld(t)
	p := w.project("mia")
	ag, _ := w.agents.Resolve(p.AgentID)
	f, err := w.authoring.WorkFunction(t.Context(), ag, "f")
	must(t, err)
	text := source + "// from the console"
	f, err = w.authoring.Save(t.Context(), ag, "f", contract.SaveRequest{Source: &text, SourceBase: f.Source.SHA256}, "ui")
	must(t, err)
	if f.Version != 2 {
		t.Fatalf("%+v", f)
	}
	write(t, p.Path, "functions/z/index.js", source)
	w.until("the sign", func() bool { return w.serves(p, "z") != "" })
	if fn, _ := w.functions.Get(p.AgentID, "f"); fn.Version != 2 || fn.Surface != "ui" {
		t.Errorf("version %d by %s", fn.Version, fn.Surface)
	}
}

func TestFolderVanishes(t *testing.T) {
	w := newWorld(t)
	p := w.project("mia")
	must(t, os.Rename(p.Path, p.Path+"-away"))
	w.until("it is said", func() bool { return w.hasProblem(p, contract.ProjectUnreachable) })
	if w.serves(p, "f") != source {
		t.Error("the functions must go on serving")
	}
	must(t, os.Rename(p.Path+"-away", p.Path))
	w.until("it is back", func() bool { return !w.hasProblem(p, contract.ProjectUnreachable) })
	write(t, p.Path, "functions/f/index.js", source+"//2")
	w.until("and watched", func() bool { return w.serves(p, "f") == source+"//2" })
}

// TestWatchLimit: when the system watches no more, the folder is polled, and
// that is said.
func TestWatchLimit(t *testing.T) {
	w := newWorld(t)
	w.mu.Lock()
	w.watch = func(*fsnotify.Watcher, string) error { return syscall.ENOSPC }
	w.mu.Unlock()
	p := w.project("mia")
	if !w.hasProblem(p, contract.WatchLimited) {
		t.Fatalf("%+v", w.listed(p))
	}
	write(t, p.Path, "functions/f/index.js", source+"//polled")
	w.until("it is polled", func() bool { return w.serves(p, "f") == source+"//polled" })
	w.mu.Lock()
	w.watch = nil
	w.mu.Unlock()
	w.until("watching works again", func() bool { return !w.hasProblem(p, contract.WatchLimited) })
}

// BenchmarkReload is the time from the start of the reading to the new version
// serving, and from the write to there, debounce of 30 ms included.
func BenchmarkReload(b *testing.B) {
	w := newWorld(b)
	p := w.project("mia")
	for i := range 10 {
		write(b, p.Path, fmt.Sprintf("functions/other%d/index.js", i), source)
	}
	w.until("all serve", func() bool { return len(w.functions.List(p.AgentID)) == 11 })
	var reading, whole time.Duration
	n := 0
	for b.Loop() {
		n++
		text := fmt.Sprintf("%s// %d", source, n)
		start := time.Now()
		must(b, os.WriteFile(filepath.Join(p.Path, "functions/f/index.js"), []byte(text), 0o644))
		var last livereload.Reading
		for w.serves(p, "f") != text {
			last = <-w.readings
		}
		whole += time.Since(start)
		reading += last.Took
	}
	b.ReportMetric(float64(reading.Microseconds())/float64(n)/1000, "ms/reading")
	b.ReportMetric(float64(whole.Microseconds())/float64(n)/1000, "ms/write-to-live")
}

// TestModelRulesAreWatched: a change of the scripted model's rules has the folder
// read again, and other files of .benchtop do not, nor do files beside it.
func TestModelRulesAreWatched(t *testing.T) {
	w := newWorld(t)
	w.script = func(a agents.Agent) []contract.Problem {
		b, err := os.ReadFile(filepath.Join(a.Folder, ".benchtop/model.yaml"))
		if err != nil || strings.Contains(string(b), "good") {
			return nil
		}
		return []contract.Problem{contract.Problem{Code: contract.ProjectInvalid, Message: "a mistake in " + string(b)}.At(".benchtop/model.yaml", 1, 4)}
	}
	p := w.project("mia") // has no .benchtop yet
	write(t, p.Path, ".benchtop/drafts/x", "1")
	write(t, p.Path, ".benchtop/model.yaml", "bad")
	w.until("the mistake is a problem", func() bool { return w.hasProblem(p, contract.ProjectInvalid) })
	if got := w.logged(); !strings.Contains(got, "at=.benchtop/model.yaml:1:4") || !strings.Contains(got, "a mistake in bad") {
		t.Errorf("the log says %s", got)
	}
	write(t, p.Path, ".benchtop/model.yaml.tmp", "good")
	must(t, os.Rename(filepath.Join(p.Path, ".benchtop/model.yaml.tmp"), filepath.Join(p.Path, ".benchtop/model.yaml")))
	w.until("the problem is gone", func() bool { return !w.hasProblem(p, contract.ProjectInvalid) })
	for _, path := range []string{".benchtop/trash", ".benchtop/simulator.json", "notes.md", "functions/f/index.js~"} {
		if project.Matters(p.Path, filepath.Join(p.Path, path)) {
			t.Errorf("%s matters", path)
		}
	}
}
