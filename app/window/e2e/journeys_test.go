//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an author does first, from nothing to a result, as whole journeys: what
// the page shows on the way, and what is on the disk at the end.

// More of what a person sees, as XPaths by role and label.
const (
	editor    = `//*[@data-testid='editor']//*[contains(@class, 'view-lines')]`
	firstArg  = `(//*[@role='group' and @aria-label='Parameters']//input)[1]`
	details   = `//button[normalize-space(.)='Details']`
	dialog    = `//*[@role='dialog']`
	signature = `//input[@aria-label='Value of GREETING_SIGNATURE']`
)

func TestJourneyFirstRun(t *testing.T) {
	a := start(t, t.TempDir())
	a.shows("Start from a sample", "0 of 4")
	dir := a.makeSample()
	a.has(editor, "A function exports one async handler")
	a.press(control, enter)
	a.results(`"Hello, Ada!"`)
	a.shows("POST /api/agents/hello/functions/greet/invoke")

	a.fill(firstArg, "Zoë")
	a.click(run)
	a.results(`"Hello, Zoë!"`)
	a.picture("window-run")
	a.click(details)
	a.has(dialog+`//*[@aria-label='What greet did']`, "greeting")
	a.picture("window-waterfall")
	a.press(escape)
	a.gone(dialog)
	a.press(control, "r") // which makes the run again, and does not reload the page
	a.results(`"Hello, Zoë!"`)

	a.press(control, "1")
	a.shows("1 of 4", dir)
	a.picture("window-first-run")
	a.terminate()
}

func TestJourneyLiveReloadFromAnotherEditor(t *testing.T) {
	a := start(t, t.TempDir())
	source := filepath.Join(a.makeSample(), "functions", "greet", "index.js")
	a.has(editor, "A function exports")
	a.click(run)
	a.results(`"Hello, Ada!"`)

	edit(t, source, "'Hello'", "'Good morning'")
	a.shows("saved v2")
	a.has(editor, "Good morning")
	a.click(run)
	a.results(`"Good morning, Ada!"`)

	edit(t, source, "return {", "retrun {")
	a.shows("JS_COMPILE_ERROR", "version 2 still serves")
	a.click(run)
	a.results(`"Good morning, Ada!"`)
	a.picture("window-broken")
	edit(t, source, "retrun {", "return {")
	a.hides("JS_COMPILE_ERROR")
	a.click(run)
	a.results(`"Good morning, Ada!"`)
	a.picture("window-live-reload")
	a.terminate()
}

func TestJourneySecretFromMissingToSet(t *testing.T) {
	a := start(t, t.TempDir())
	a.makeSample()
	a.choose("visits")
	a.has(editor, "Everything this function may touch")
	a.shows("GREETING_SIGNATURE is declared but not set")
	a.click(run)
	a.results(`"signed": false`, `"visits": 1`)
	a.fill(signature, "sealed-and-signed")
	a.click(`//form[.` + signature + `]//button[normalize-space(.)='Save']`)
	a.hides("is declared but not set")
	a.click(run)
	a.results(`"signed": true`, `"visits": 2`)
	a.picture("window-secret")
	a.press(control, "8")
	a.has(`//main//li[contains(., 'GREETING_SIGNATURE')]`, "Replace") // what is not set has a button to set it
	a.picture("window-secrets")
	var shown string
	a.must(a.eval(a.ctx, `return document.documentElement.outerHTML + JSON.stringify({...localStorage})`, &shown))
	if strings.Contains(shown, "sealed-and-signed") {
		t.Error("the page keeps the secret's value")
	}
	a.terminate()
}

func TestJourneyFromDeniedToFixed(t *testing.T) {
	a := start(t, t.TempDir())
	dir := a.makeSample()
	a.has(editor, "A function exports")

	// Typed in the editor itself: keys are what a web view and Monaco may differ about.
	a.click(editor)
	a.press(control, home)
	for range 5 {
		a.press(down)
	}
	a.press(end)
	a.press(enter)
	a.write("await ctx.kv.put('last', 'Ada');")
	a.shows("unsaved")
	a.press(control, "s")
	a.shows("saved v2")
	saved, err := os.ReadFile(filepath.Join(dir, "functions", "greet", "index.js"))
	a.must(err)
	if want := "async function handler(ctx) {\n  await ctx.kv.put('last', 'Ada');\n"; !strings.Contains(string(saved), want) {
		t.Fatalf("index.js was saved without %q:\n%s", want, saved)
	}

	a.press(control, enter)
	a.has(`//*[@aria-label='Why kv.put was denied']`, "permissions.kv", `ctx.kv.put "last"`)
	a.picture("window-denied")
	a.click(`//*[@aria-label='Why kv.put was denied']//button[contains(., '"kv": "rw"')]`)
	a.shows("saved v3")
	a.results(`"Hello, Ada!"`)
	a.gone(`//*[@aria-label='Why kv.put was denied']`)
	manifest, err := os.ReadFile(filepath.Join(dir, "functions", "greet", "manifest.json"))
	a.must(err)
	if want := `"kv": "rw"`; !strings.Contains(string(manifest), want) {
		t.Errorf("manifest.json has no %s:\n%s", want, manifest)
	}
	a.picture("window-fixed")
	a.terminate()
}

func TestJourneyReplayWithEditAndCompare(t *testing.T) {
	a := start(t, t.TempDir())
	a.makeSample()
	a.fill(firstArg, "Bob")
	a.press(control, enter)
	a.results(`"Hello, Bob!"`)

	a.click(`//*[@role='radiogroup' and starts-with(@aria-label, 'Run, history')]//label[normalize-space(.)='History']`)
	a.click(`//*[@role='listbox' and @aria-label='History of greet']//*[@role='option' and starts-with(@aria-label, 'manual')]`)
	a.click(dialog + `//button[normalize-space(.)='Edit the input and run']`)
	a.gone(dialog)
	a.shows("Input of the run of")
	a.fill(firstArg, "Eve")
	a.click(run)
	a.results(`"Hello, Eve!"`)
	a.click(details)
	a.click(dialog + `//*[@role='tab' and normalize-space(.)='Compare']`)
	a.has(dialog+`//*[@aria-label='Result compared']`, "Hello, Bob!", "Hello, Eve!")
	a.has(dialog+`//*[@aria-label='Input compared']`, "Bob", "Eve")
	a.picture("window-compare")
	a.terminate()
}

// Streams come through the window's own scheme and the platform's port, which a
// browser's page does not have to.
func TestJourneyEndpointThatStreams(t *testing.T) {
	a := start(t, t.TempDir())
	dir := a.makeSample()
	a.must(os.MkdirAll(filepath.Join(dir, "endpoints"), 0o755))
	words := "export default async function* () {\n  for (const word of ['one', 'two', 'three']) yield { word };\n}\n"
	a.must(os.WriteFile(filepath.Join(dir, "endpoints", "words.js"), []byte(words), 0o644))
	edit(t, filepath.Join(dir, "AGENT.md"), "name: hello\n", `name: hello
endpoints:
  - { path: "/words", method: get, scope: all, content_type: text/event-stream, handler: endpoints/words.js }
`)
	a.press(control, "3")
	a.click(`//nav[@aria-label='What the agent serves']//button[contains(., '/words')]`)
	a.click(`//button[normalize-space(.)='Listen']`)
	a.must(a.until(a.ctx, `document.querySelectorAll('[data-testid=live]').length === 3`))
	a.has(`(//*[@data-testid='live'])[2]`, `"two"`)
	a.picture("window-stream")
	a.terminate()
}
