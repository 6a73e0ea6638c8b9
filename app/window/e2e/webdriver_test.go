//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// webElement is the key under which WebDriver writes an element's reference.
const webElement = "element-6066-11e4-a52e-4f735466cecf"

// findWithin is how long the driver itself looks for an element, and how long
// a condition may take to come true in the page.
const findWithin = 20 * time.Second

// driver is a client of one WebDriver session.
type driver struct {
	base    string // http://127.0.0.1:PORT
	session string
}

// driverError is what the driver says when a command fails.
type driverError struct {
	Kind    string `json:"error"`
	Message string `json:"message"`
}

func (e *driverError) Error() string { return e.Kind + ": " + e.Message }

// do sends one command and decodes its value into out, when out is not nil.
func (d *driver) do(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if method == http.MethodPost {
		if in == nil {
			in = struct{}{}
		}
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, d.base+path, body)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var answer struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if res.StatusCode != http.StatusOK {
		failed := &driverError{Kind: res.Status}
		if err := json.Unmarshal(answer.Value, failed); err != nil {
			failed.Message = string(answer.Value)
		}
		return failed
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, out)
}

// open has the driver start the program and attach to its web view.
func (d *driver) open(ctx context.Context, binary string) error {
	var got struct {
		SessionID string `json:"sessionId"`
	}
	always := map[string]any{"webkitgtk:browserOptions": map[string]any{"binary": binary, "args": []string{}}}
	err := d.do(ctx, "POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": always}}, &got)
	if err != nil {
		return err
	}
	d.session = "/session/" + got.SessionID
	limits := map[string]int64{
		"implicit": findWithin.Milliseconds(), "script": findWithin.Milliseconds(), "pageLoad": findWithin.Milliseconds(),
	}
	return d.do(ctx, "POST", d.session+"/timeouts", limits, nil)
}

// element is a thing on the page.
type element struct {
	d    *driver
	path string
	what string
	id   string
}

// find waits for the first element that an XPath matches. The driver waits;
// the element may still be covered or outside the view.
func (d *driver) find(ctx context.Context, xpath string) (element, error) {
	var got map[string]string
	err := d.do(ctx, "POST", d.session+"/element", map[string]string{"using": "xpath", "value": xpath}, &got)
	if err != nil {
		return element{}, fmt.Errorf("find %s: %w", xpath, err)
	}
	return element{d, d.session + "/element/" + got[webElement], xpath, got[webElement]}, nil
}

// settled waits in the page until the element can be clicked: it is enabled,
// stands still for some frames, and nothing lies over its middle. It gives false
// when the page has put another element in its place meanwhile.
func (e element) settled(ctx context.Context) (bool, error) {
	var ready bool
	err := e.d.eval(ctx, `const el = arguments[0];
		return new Promise(done => {
			let before = '', still = 0;
			const look = () => {
				if (!el.isConnected) return done(false);
				el.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
				const box = el.getBoundingClientRect(), now = [box.x, box.y, box.width, box.height].join();
				const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
				still = now === before && !el.disabled && over && (el.contains(over) || over.contains(el)) ? still + 1 : 0;
				before = now;
				if (still > 2) done(true); else requestAnimationFrame(look);
			};
			look();
		})`, &ready, map[string]string{webElement: e.id})
	if isStale(err) {
		return false, nil
	}
	return ready, e.wrap("wait until it can be clicked:", err)
}

// isStale says whether an element left the page before the command reached it.
func isStale(err error) bool {
	var failed *driverError
	return errors.As(err, &failed) && failed.Kind == "stale element reference"
}

// Keys as WebDriver writes them.
const (
	control = "\uE009"
	enter   = "\uE007"
	escape  = "\uE00C"
	home    = "\uE011"
	end     = "\uE010"
	down    = "\uE015"
)

// press holds the keys of a chord down together, on whatever has the focus.
func (d *driver) press(ctx context.Context, chord ...string) error {
	var keys []map[string]string
	for _, key := range chord {
		keys = append(keys, map[string]string{"type": "keyDown", "value": key})
	}
	for _, key := range slices.Backward(chord) {
		keys = append(keys, map[string]string{"type": "keyUp", "value": key})
	}
	return d.act(ctx, keys)
}

// write types a text, one key after the other, into whatever has the focus.
func (d *driver) write(ctx context.Context, text string) error {
	var keys []map[string]string
	for _, r := range text {
		keys = append(keys, map[string]string{"type": "keyDown", "value": string(r)}, map[string]string{"type": "keyUp", "value": string(r)})
	}
	return d.act(ctx, keys)
}

func (d *driver) act(ctx context.Context, keys []map[string]string) error {
	source := map[string]any{"type": "key", "id": "keyboard", "actions": keys}
	return d.do(ctx, "POST", d.session+"/actions", map[string]any{"actions": []any{source}}, nil)
}

func (e element) click(ctx context.Context) error {
	return e.wrap("click", e.d.do(ctx, "POST", e.path+"/click", nil, nil))
}

func (e element) wrap(did string, err error) error {
	if err != nil {
		return fmt.Errorf("%s %s: %w", did, e.what, err)
	}
	return nil
}

// eval runs the body of a function in the page. A promise is waited for.
func (d *driver) eval(ctx context.Context, body string, out any, args ...any) error {
	if args == nil {
		args = []any{}
	}
	return d.do(ctx, "POST", d.session+"/execute/sync", map[string]any{"script": body, "args": args}, out)
}

// until waits in the page itself, woken by each change of it or of its size,
// until a JavaScript expression is true. It says what the page showed when it
// never was.
func (d *driver) until(ctx context.Context, expression string, args ...any) error {
	err := d.do(ctx, "POST", d.session+"/execute/async", map[string]any{
		"script": `const args = Array.from(arguments), done = args.pop(), holds = function () { return (` + expression + `) };
			const look = () => { if (holds.apply(null, args)) { observer.disconnect(); removeEventListener('resize', look); done(true) } };
			const observer = new MutationObserver(look);
			observer.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
			addEventListener('resize', look);
			look();`,
		"args": append([]any{}, args...),
	}, nil)
	if err == nil {
		return nil
	}
	var shown string
	if e := d.eval(ctx, `return document.body ? document.body.innerText : ''`, &shown); e != nil {
		shown = e.Error()
	}
	return fmt.Errorf("never true: %s %v: %w; the page shows:\n%s", expression, args, err, shown)
}
