//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// kill ends the program as a crash or the system would, without a chance to put
// anything away. What it has started ends by itself.
func (a *app) kill() {
	a.t.Helper()
	all := a.processes()
	a.must(unix.PidfdSendSignal(all[0].fd, syscall.SIGKILL, nil, 0))
	a.ended(all, limit/8)
}

// keeps waits until the platform has said that it has an unsaved text.
func (a *app) keeps(agent, text string) {
	a.t.Helper()
	a.must(a.eval(a.ctx, `const [agent, text] = arguments;
		return fetch('/boot.json').then(r => r.json()).then(({ api, token }) => new Promise((done, fail) => {
			const look = () => fetch(api + '/api/local/drafts/' + agent, { headers: { Authorization: 'Bearer ' + token } }).then(r => r.text())
				.then(all => all.includes(text) ? done(true) : setTimeout(look, 50)).catch(fail);
			look();
		}))`, nil, agent, text))
}

func TestJourneyUnsavedTextOverACrash(t *testing.T) {
	dir := t.TempDir()
	a := start(t, dir)
	source := filepath.Join(a.makeSample(), "functions", "greet", "index.js")
	before, err := os.ReadFile(source)
	a.must(err)
	a.has(editor, "A function exports")
	a.fill(firstArg, "Zoë")
	a.click(editor)
	a.press(control, home)
	a.write("// not saved ✓ yet ")
	a.shows("unsaved")
	a.keeps("hello", "not saved ✓ yet")
	a.kill()

	a = start(t, dir)
	a.shows("Open projects")
	a.press(control, "2")
	a.choose("greet")
	a.has(editor, "// not saved ✓ yet", "A function exports")
	a.shows("Unsaved text from", "unsaved")
	a.must(a.until(a.ctx, `document.evaluate(arguments[0], document).iterateNext()?.value === 'Zoë'`, firstArg))
	a.picture("window-after-crash")
	if now, err := os.ReadFile(source); err != nil || string(now) != string(before) {
		t.Fatalf("what is on the disk was touched: %v\n%s", err, now)
	}
	a.click(`//button[normalize-space(.)='Keep it']`)
	a.click(editor)
	a.press(control, "s")
	a.shows("saved v2")
	now, err := os.ReadFile(source)
	a.must(err)
	if !strings.HasPrefix(string(now), "// not saved ✓ yet // A function") {
		t.Errorf("index.js was saved without the text:\n%s", now)
	}
	a.click(run)
	a.results("Hello")
	a.terminate()
}
