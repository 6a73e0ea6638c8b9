// Package recorded keeps runs of functions as tests in a project folder and
// checks them offline: .benchtop/tests/<function>/<name>.json says what went in,
// what the world answered and what came out (decisions.md 9).
package recorded

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// Test is one recorded run.
type Test struct {
	File string `json:"-"` // its path
	Name string `json:"-"` // of the file, without .json

	Function string          `json:"function"`
	Origin   *Origin         `json:"recorded,omitempty"`
	Input    json.RawMessage `json:"input"` // the body of a manual invoke, spec 4.2
	World    World           `json:"world"`
	Expect   Outcome         `json:"expect"`
	// Masks are paths below expect whose values are not compared, such as
	// result.id, logs.0.data.at or events.*.payload.ms.
	Masks []string `json:"masks,omitempty"`
}

// Origin is the run that a test was made of.
type Origin struct {
	InvocationID string `json:"invocation"`
	StartedAt    string `json:"startedAt"`
	SourceSHA256 string `json:"sourceSha256"`
}

// World is what a run saw of the outside. Each call and each answer is given
// once, to the first that fits.
type World struct {
	Seed         int64              `json:"seed"`         // of Math.random
	ClockStartMs int64              `json:"clockStartMs"` // what Date.now() is at the start
	Calls        []Call             `json:"calls,omitempty"`
	Fetches      []wire.FetchAnswer `json:"fetches,omitempty"`
}

// Call is a host call and its answer; Method is as in a trace: kv.get,
// portal.getOwner.
type Call struct {
	Method string               `json:"method"`
	Args   json.RawMessage      `json:"args,omitempty"`
	Result json.RawMessage      `json:"result,omitempty"` // absent: undefined
	Error  *contract.HostFailed `json:"error,omitempty"`
}

// Outcome is what came out of a run. Calls that the recording has and that were
// not made, or the reverse, are differences, too.
type Outcome struct {
	OK           bool            `json:"ok"`
	Result       json.RawMessage `json:"result,omitempty"`
	ErrorCode    contract.Code   `json:"errorCode,omitempty"`
	ErrorMessage string          `json:"errorMessage,omitempty"`
	Events       []Event         `json:"events,omitempty"`
	Logs         []Log           `json:"logs,omitempty"`
}

// Event is an emitted event without its time.
type Event struct {
	Event   string          `json:"event"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Log is a line without its time.
type Log struct {
	Level   string          `json:"level"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// maxTest bounds the file of a test in bytes.
const maxTest = 4 * contract.MB

// Dir is where the tests of a project are.
func Dir(root string) string { return filepath.Join(root, ".benchtop", "tests") }

var testName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$`)

// Load reads the tests of a project, by function and name; of one function when
// it is not empty. A project without tests has none.
func Load(root, function string) ([]*Test, error) {
	dir := Dir(root)
	var all []*Test
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == dir {
			return fs.SkipAll
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		t, err := read(path)
		if err != nil {
			return err
		}
		if function == "" || t.Function == function {
			all = append(all, t)
		}
		return nil
	})
	return all, err
}

func read(path string) (*Test, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Size() > maxTest {
		return nil, fmt.Errorf("%s has %d bytes; a test has %d at most", path, st.Size(), maxTest)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &Test{File: path, Name: strings.TrimSuffix(filepath.Base(path), ".json")}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(t); err != nil {
		return nil, fmt.Errorf("%s is no test: %w", path, err)
	}
	if folder := filepath.Base(filepath.Dir(path)); t.Function != folder {
		return nil, fmt.Errorf("%s is a test of %q; it belongs into the folder of that name", path, t.Function)
	}
	return t, nil
}

// Save writes a test to its place in the project, at once.
func (t *Test) Save(root string) error {
	if !testName.MatchString(t.Name) {
		return fmt.Errorf("%q cannot name a test; use letters, digits, -, _ and .", t.Name)
	}
	t.File = filepath.Join(Dir(root), t.Function, t.Name+".json")
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(t.File), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(t.File), "."+t.Name+"-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(out.Bytes())
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), t.File)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Of makes a test of a past run. What the history kept only in part, or cannot
// know, is an error or, in todo, something to write into the file.
func Of(d *contract.InvocationDetail) (t *Test, todo []string, err error) {
	if d.SourceSkill == contract.SkillAuthoring || d.Status == contract.StatusRunning {
		return nil, nil, fmt.Errorf("invocation %s is no run that has ended", d.ID)
	}
	t = &Test{
		Function: d.FunctionName, Input: d.Input, Expect: OutcomeOf(d),
		Origin: &Origin{d.ID, d.StartedAt, d.Replay.SourceSHA256},
		World:  World{Seed: d.Replay.Seed, ClockStartMs: d.Replay.ClockStartMs},
	}
	if len(t.Input) == 0 {
		t.Input = json.RawMessage("{}")
	}
	for _, e := range d.Trace {
		switch {
		case e.Kind == contract.TraceHost && e.Truncated:
			return nil, nil, fmt.Errorf("the history kept only the beginning of what %s was sent or gave; such a run cannot be played again", e.Name)
		case e.Kind == contract.TraceHost:
			t.World.Calls = append(t.World.Calls, callOf(e))
		case e.Kind == contract.TraceFetch:
			a, note := fetchOf(e)
			t.World.Fetches = append(t.World.Fetches, a)
			if note != "" {
				todo = append(todo, note)
			}
		}
	}
	return t, todo, nil
}

func callOf(e contract.TraceEntry) Call {
	c := Call{Method: e.Name, Args: e.Args, Result: e.Result, Error: e.Error}
	if e.Name == "secrets.get" && len(e.Result) > 0 && string(e.Result) != "null" {
		// The text that stands for the value wherever the history would show it.
		var args struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(e.Args, &args) == nil {
			c.Result, _ = json.Marshal("[secret " + args.Name + "]") // a text always marshals
		}
	}
	return c
}

// fetchOf makes an answer of a finished fetch. The history keeps no bodies.
func fetchOf(e contract.TraceEntry) (wire.FetchAnswer, string) {
	var args struct {
		Method string `json:"method"`
		URL    string `json:"url"`
	}
	var result struct {
		Status int `json:"status"`
		Bytes  int `json:"bytes"`
	}
	_ = json.Unmarshal(e.Args, &args) // what is cut leaves empty fields, which the note points at
	_ = json.Unmarshal(e.Result, &result)
	a := wire.FetchAnswer{Method: args.Method, URL: args.URL, Status: result.Status, Error: e.Error}
	if e.Error == nil && result.Bytes > 0 {
		return a, fmt.Sprintf("the history keeps no bodies: write what %s answered (%d bytes) to world.fetches", e.Name, result.Bytes)
	}
	return a, ""
}

// OutcomeOf is what came out of a run, as the history kept it.
func OutcomeOf(d *contract.InvocationDetail) Outcome {
	o := Outcome{OK: d.Status == contract.StatusOK, Result: d.Result, ErrorCode: d.ErrorCode, ErrorMessage: d.ErrorMessage}
	for _, e := range d.Events {
		o.Events = append(o.Events, Event{e.Event, e.Payload})
	}
	for _, l := range d.Logs {
		o.Logs = append(o.Logs, Log{l.Level, l.Message, l.Data})
	}
	return o
}

// Mask adds paths that are not compared from now on.
func (t *Test) Mask(paths ...string) {
	for _, p := range paths {
		if !slices.Contains(t.Masks, p) {
			t.Masks = append(t.Masks, p)
		}
	}
	slices.Sort(t.Masks)
}
