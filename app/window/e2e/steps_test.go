//go:build e2e

package e2e

// picture keeps a picture of the display once the animations in the page have
// ended and the window has drawn what the page already is.
func (a *app) picture(name string) {
	a.t.Helper()
	a.must(a.eval(a.ctx, `
		const ending = document.getAnimations().filter(x => x.effect.getTiming().iterations !== Infinity);
		return Promise.allSettled(ending.map(x => x.finished))
			.then(() => new Promise(done => setTimeout(() => requestAnimationFrame(() => done(true)), 250)))`, nil))
	screenshot(a.t, name)
}

// click finds something by XPath and clicks it once it stands still: what is
// loaded later may move it between being found and being clicked.
func (a *app) click(xpath string) {
	a.t.Helper()
	for {
		e, err := a.find(a.ctx, xpath)
		a.must(err)
		ready, err := e.settled(a.ctx)
		a.must(err)
		if !ready {
			continue
		}
		if err := e.click(a.ctx); !isStale(err) {
			a.must(err)
			return
		}
	}
}

// fill replaces the text of a field.
func (a *app) fill(xpath, text string) {
	a.t.Helper()
	a.click(xpath)
	a.press(control, "a")
	a.write(text)
}

// press holds keys down together, on whatever has the focus.
func (a *app) press(chord ...string) {
	a.t.Helper()
	a.must(a.driver.press(a.ctx, chord...))
}

// write types a text into whatever has the focus.
func (a *app) write(text string) {
	a.t.Helper()
	a.must(a.driver.write(a.ctx, text))
}

// shows waits until the page's text contains every one of the texts.
func (a *app) shows(texts ...string) {
	a.t.Helper()
	for _, text := range texts {
		a.must(a.until(a.ctx, `document.body && document.body.innerText.includes(arguments[0])`, text))
	}
}

// hides waits until the page's text no longer contains the text.
func (a *app) hides(text string) {
	a.t.Helper()
	a.must(a.until(a.ctx, `!document.body.innerText.includes(arguments[0])`, text))
}

// has waits until what an XPath leads to contains all of the texts. The editor
// writes spaces that do not break.
func (a *app) has(xpath string, texts ...string) {
	a.t.Helper()
	for _, text := range texts {
		a.must(a.until(a.ctx, `document.evaluate(arguments[0], document).iterateNext()?.textContent.replaceAll('\u00a0', ' ').includes(arguments[1])`, xpath, text))
	}
}

// gone waits until an XPath leads nowhere.
func (a *app) gone(xpath string) {
	a.t.Helper()
	a.must(a.until(a.ctx, `!document.evaluate(arguments[0], document).iterateNext()`, xpath))
}
