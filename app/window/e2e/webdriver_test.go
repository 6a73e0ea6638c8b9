//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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
}

// find waits for the first element that an XPath matches. The driver waits;
// the element may still be covered or outside the view.
func (d *driver) find(ctx context.Context, xpath string) (element, error) {
	var got map[string]string
	err := d.do(ctx, "POST", d.session+"/element", map[string]string{"using": "xpath", "value": xpath}, &got)
	if err != nil {
		return element{}, fmt.Errorf("find %s: %w", xpath, err)
	}
	return element{d, d.session + "/element/" + got[webElement], xpath}, nil
}

func (e element) click(ctx context.Context) error {
	return e.wrap("click", e.d.do(ctx, "POST", e.path+"/click", nil, nil))
}

// write types text, one trusted key after the other.
func (e element) write(ctx context.Context, text string) error {
	return e.wrap("type into", e.d.do(ctx, "POST", e.path+"/value", map[string]string{"text": text}, nil))
}

func (e element) clear(ctx context.Context) error {
	return e.wrap("clear", e.d.do(ctx, "POST", e.path+"/clear", nil, nil))
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
