//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// boot is what the page learns from /boot.json.
type boot struct{ Mode, API, Token string }

func (a *app) boot() boot {
	a.t.Helper()
	var got boot
	a.must(a.eval(a.ctx, `return fetch('/boot.json').then(r => r.json())`, &got))
	return got
}

func TestThePageIsAnOwnerAndKeptIn(t *testing.T) {
	a := start(t, t.TempDir())
	a.shows("Home")
	got := a.boot()
	if got.Mode != "window" || !strings.HasPrefix(got.API, "http://127.0.0.1:") || got.Token == "" {
		t.Fatalf("boot = %+v", got)
	}
	var where string
	a.must(a.eval(a.ctx, `return location.origin`, &where))
	if where != "wails://wails" {
		t.Errorf("the page's origin is %s", where)
	}
	var forbidden map[string]string
	a.must(a.eval(a.ctx, `
		const tried = {};
		try { eval('1'); tried.eval = 'ran' } catch (e) { tried.eval = e.name }
		const frame = document.createElement('iframe');
		frame.src = arguments[0] + '/';
		const violation = new Promise(done => document.addEventListener('securitypolicyviolation', e => e.effectiveDirective === 'frame-src' && done('refused')));
		document.body.append(frame);
		return violation.then(v => { frame.remove(); tried.frame = v; return fetch('http://127.0.0.1:9/').then(() => 'ran', () => 'refused') })
			.then(v => { tried.elsewhere = v; return tried })`, &forbidden, got.API))
	want := map[string]string{"eval": "EvalError", "frame": "refused", "elsewhere": "refused"}
	if fmt.Sprint(forbidden) != fmt.Sprint(want) {
		t.Errorf("what the page may do: %v, want %v", forbidden, want)
	}
	a.terminate()
}

// A program on the same machine can reach the port; without the token it is
// nobody.
func TestThePortAloneGivesNothing(t *testing.T) {
	a := start(t, t.TempDir())
	a.shows("Home")
	got := a.boot()
	for path, want := range map[string]int{"/api/local/status": http.StatusUnauthorized, "/boot.json": http.StatusOK} {
		req, err := http.NewRequestWithContext(a.ctx, http.MethodGet, got.API+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != want || strings.Contains(string(body), got.Token) {
			t.Errorf("GET %s without a token = %s, %s, %v", path, res.Status, body, err)
		}
	}
	a.terminate()
}

func TestQuitLeavesNoProcess(t *testing.T) {
	for name, quit := range map[string]func(a *app){
		// The driver may lose the page before it can answer.
		"page's quit": func(a *app) { a.eval(a.ctx, `window.go.window.Native.Quit()`, nil) }, //nolint:errcheck // see above
		"menu's key":  func(a *app) { a.xdotool("windowfocus", "--sync", a.window(), "key", "ctrl+q") },
		"SIGTERM":     func(a *app) { a.terminate() },
	} {
		t.Run(name, func(t *testing.T) {
			a := start(t, t.TempDir())
			a.shows("Home")
			all := a.processes()
			if len(all) < 3 {
				t.Fatalf("processes: %v; the web view's are missing", all)
			}
			quit(a)
			a.ended(all, limit/8)
		})
	}
}

func TestTheWindowStandsWhereItStood(t *testing.T) {
	home := t.TempDir()
	a := start(t, home)
	a.shows("Home")
	a.xdotool("windowsize", "--sync", a.window(), "1000", "620")
	a.xdotool("windowmove", "--sync", a.window(), "140", "90")
	a.must(a.until(a.ctx, `innerWidth === 1000`))
	a.terminate()

	a = start(t, home)
	a.must(a.until(a.ctx, `innerWidth === 1000`))
	geometry := a.xdotool("getwindowgeometry", a.window())
	if !strings.Contains(geometry, "Position: 140,90") || !strings.Contains(geometry, "Geometry: 1000x620") {
		t.Errorf("the window came back as %s", geometry)
	}
	a.terminate()
}

// What keeps the platform from starting is on the window, not only in a log
// nobody reads.
func TestAPlatformThatCannotStartIsShown(t *testing.T) {
	home := t.TempDir()
	blocked := filepath.Join(home, "blocked")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := start(t, home, "XDG_DATA_HOME="+blocked)
	a.shows("Benchtop could not start", blocked)
	a.picture("window-cannot-start")
}
