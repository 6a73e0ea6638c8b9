package livereload_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/fsnotify/fsnotify"

	"benchtop/backend/contract"
)

// TestSavedCalls: what other programs do to saved calls is told, and changes
// nothing that serves.
func TestSavedCalls(t *testing.T) {
	for _, blind := range []bool{false, true} {
		t.Run(fmt.Sprintf("blind %v", blind), func(t *testing.T) {
			w := newWorld(t)
			if blind {
				w.watch = func(*fsnotify.Watcher, string) error { return syscall.ENOSPC }
			}
			p := w.project("mia")
			told := 0
			tells := func(what string) {
				t.Helper()
				w.until(what, func() bool { return w.count(contract.EvCallsChanged) > told })
				told = w.count(contract.EvCallsChanged)
			}
			const file = ".benchtop/calls/client/a.json"
			write(t, p.Path, ".benchtop/drafts/x", "not a call")
			write(t, p.Path, file, "{}")
			tells("a new file")
			write(t, p.Path, file, `{"tab":"http"}`)
			tells("another text")
			write(t, p.Path, file+".tmp", `{"tab":"chat"}`)
			must(t, os.Rename(filepath.Join(p.Path, file+".tmp"), filepath.Join(p.Path, file)))
			tells("a file that was renamed over it")
			write(t, p.Path, ".benchtop/calls/f/b.json", `{"body":{}}`)
			tells("a call of a function")
			must(t, os.RemoveAll(filepath.Join(p.Path, ".benchtop/calls")))
			tells("they are gone")
			write(t, p.Path, file, "{}")
			tells("and there again")
			if f, _ := w.functions.Get(p.AgentID, "f"); f.Version != 1 {
				t.Errorf("version %d", f.Version)
			}
		})
	}
}
