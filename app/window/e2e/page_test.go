//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a person sees on the page, as XPaths by role and label.
const (
	sampleCard = `//button[contains(., 'Hello tool')]`
	functions  = `//nav[@aria-label='Functions']`
	run        = `//button[normalize-space(.)='Run']`
	result     = `//*[@aria-label='Result']`
)

// makeSample clicks the sample's card on Home and gives the folder it made.
func (a *app) makeSample() string {
	a.t.Helper()
	a.click(sampleCard)
	_, err := a.find(a.ctx, functions+`//button[contains(., 'visits')]`)
	a.must(err)
	dir := filepath.Join(a.home, "Benchtop", "hello")
	if _, err := os.Stat(filepath.Join(dir, "AGENT.md")); err != nil {
		a.t.Fatalf("the sample's folder: %v", err)
	}
	return dir
}

// choose opens a function in the tree.
func (a *app) choose(function string) {
	a.t.Helper()
	a.click(functions + `//button[contains(., '` + function + `')]`)
}

// results waits until the result of the last run contains all of the texts.
func (a *app) results(texts ...string) {
	a.t.Helper()
	a.has(result, texts...)
}

// edit changes a file as another program would: all of it at once, by rename.
func edit(t *testing.T, path, before, after string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), before) {
		t.Fatalf("%s has no %q", path, before)
	}
	changed := strings.ReplaceAll(string(text), before, after)
	if err := os.WriteFile(path+"~", []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
}

func TestTheWindowFollowsTheSystemsTheme(t *testing.T) {
	for theme, gtk := range map[string]string{"light": "Adwaita", "dark": "Adwaita:dark"} {
		t.Run(theme, func(t *testing.T) {
			a := start(t, t.TempDir(), "GTK_THEME="+gtk)
			_, err := a.find(a.ctx, sampleCard)
			a.must(err)
			var dark bool
			a.must(a.eval(a.ctx, `return matchMedia('(prefers-color-scheme: dark)').matches`, &dark))
			var background string
			a.must(a.eval(a.ctx, `return getComputedStyle(document.body).backgroundColor`, &background))
			if dark != (theme == "dark") || brightness(t, background) > 0.5 == dark {
				t.Errorf("GTK is %s; the page is told dark=%v and draws on %s", theme, dark, background)
			}
			a.picture("window-home-" + theme)
			a.makeSample()
			a.choose("greet")
			_, err = a.find(a.ctx, `//*[@data-testid='editor']//*[contains(@class, 'view-line')]`)
			a.must(err)
			a.click(run)
			a.results(`"Hello, Ada!"`)
			a.picture("window-" + theme)
			a.terminate()
		})
	}
}
