//go:build e2e && bench

package e2e

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// firstPaint waits for the first picture with something in it and gives its time
// in ms since 1970.
const firstPaint = `return new Promise(done => new PerformanceObserver(list => {
	for (const e of list.getEntriesByName('first-contentful-paint')) done(performance.timeOrigin + e.startTime)
}).observe({type: 'paint', buffered: true}))`

// toEditor goes to a function and gives, in ms since 1970, when it went and when
// the page had its text on the screen in an editor that takes keys.
const toEditor = `return new Promise(done => {
	const went = performance.timeOrigin + performance.now()
	new PerformanceObserver(list => {
		for (const e of list.getEntriesByName('editor.ready')) done([went, performance.timeOrigin + e.startTime])
	}).observe({type: 'mark', buffered: true})
	location.hash = '#/a/hello/functions/greet'
})`

// TestFigures prints how long the window takes; `make bench` runs it. Its
// figures are of a program that a driver has started, which costs a little of
// their own.
func TestFigures(t *testing.T) {
	home := t.TempDir()
	var paints, editors, ways []time.Duration
	// The first start makes the data directory and WebKit's own.
	for i := range 6 {
		t.Run(fmt.Sprint("start ", i+1), func(t *testing.T) {
			a := start(t, home)
			begun, err := os.Stat(a.pidFile) // written just before the program
			a.must(err)
			since := func(ms float64) time.Duration { return time.UnixMicro(int64(ms * 1000)).Sub(begun.ModTime()) }
			a.shows("Home")
			var painted float64
			a.must(a.eval(a.ctx, firstPaint, &painted))
			paints = append(paints, since(painted))
			if i == 0 {
				a.makeSample()
				a.terminate()
				return
			}
			var at [2]float64
			a.must(a.eval(a.ctx, toEditor, &at))
			editors, ways = append(editors, since(at[1])), append(ways, since(at[1])-since(at[0]))
			// What it noted is true: it takes keys.
			const editor = `//*[@data-testid='editor']`
			line, err := a.find(a.ctx, editor+`//*[contains(@class, 'view-line')]`)
			a.must(err)
			a.must(line.click(a.ctx))
			a.must(a.eval(a.ctx, `document.execCommand('insertText', false, 'typed')`, nil))
			a.must(a.until(a.ctx, `[...document.querySelectorAll('[data-testid=editor] .view-line')].some(l => l.textContent.includes('typed'))`))
			a.terminate()
		})
	}
	if len(editors) < 5 {
		t.Fatalf("measured %d starts of 6", len(paints))
	}
	fmt.Printf("\nthe window\n")
	fmt.Printf("  %-46s %12s\n", "very first start to first paint", paints[0].Round(time.Millisecond))
	for _, f := range []struct {
		what  string
		times []time.Duration
		aim   string
	}{{"process start to first paint", paints[1:], "1 s"}, {"process start to the editor, by Home", editors, "2 s"}, {"Home to the editor", ways, "1 s"}} {
		slices.Sort(f.times)
		fmt.Printf("  %-46s %12s   aim %s; median of %d: %s\n", f.what, f.times[0].Round(time.Millisecond), f.aim,
			len(f.times), f.times[len(f.times)/2].Round(time.Millisecond))
	}
}
