package platform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// scenario is one row of testdata/management: a request, what it is answered,
// and what it writes. The rows of a file go to one platform, one after the
// other, with the agents mia and noah.
//
// In want "*" is anything, "-" is absent, "~x" is a text with x in it; objects
// may have more members than are named, lists may not. Without want the body is
// not looked at; without rows and events nothing may be written. A {{x*3}} is
// xxx, and $name what an earlier row saved.
type scenario struct {
	Name   string            `yaml:"name"`
	Call   string            `yaml:"call"` // method and path
	As     string            `yaml:"as"`
	Header map[string]string `yaml:"header"`
	Body   any               `yaml:"body"` // an object, or text that is sent as it is
	Status int               `yaml:"status"`
	Want   any               `yaml:"want"`
	Reply  map[string]string `yaml:"reply"` // headers of the answer
	// Rows are those of the history that the call wrote, oldest first:
	// "<skill> <function> <status>[ <code>][ <action>][ by <surface>]".
	Rows   []string          `yaml:"rows"`
	Events []string          `yaml:"events"`
	Save   map[string]string `yaml:"save"` // name: dotted path in the answer

	line int
}

// numbered is a scenario that knows its line, so that a failure can be found.
type numbered struct{ scenario }

// UnmarshalYAML implements yaml.Unmarshaler.
func (s *numbered) UnmarshalYAML(n *yaml.Node) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if _, known := scenarioKeys[n.Content[i].Value]; !known {
			return fmt.Errorf("line %d: no scenario has %q", n.Content[i].Line, n.Content[i].Value)
		}
	}
	err := n.Decode(&s.scenario)
	s.line = n.Line
	return err
}

var scenarioKeys = map[string]bool{
	"name": true, "call": true, "as": true, "header": true, "body": true, "status": true, "want": true,
	"reply": true, "rows": true, "events": true, "save": true,
}

// TestManagement plays the management API, row by row, against its contract
// (spec 4.1, 5 and 7, contract.md 1 to 3).
func TestManagement(t *testing.T) {
	files, err := filepath.Glob("testdata/management/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no rows", err)
	}
	total := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var rows []numbered
		if err := yaml.Unmarshal(text, &rows); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		total += len(rows)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			st := openStage(t)
			for _, row := range rows {
				st.at = fmt.Sprintf("%s:%d %s as %s", filepath.Base(file), row.line, row.Call, row.As)
				st.play(row.scenario)
			}
		})
	}
	t.Logf("%d rows", total)
}

func (st *stage) play(row scenario) {
	st.t.Helper()
	status, body, header := st.send(row)
	shown, err := json.Marshal(body)
	if err != nil {
		st.t.Fatal(err)
	}
	shown = bytes.ToValidUTF8(shown[:min(len(shown), 1500)], nil)
	if status != row.Status {
		st.t.Errorf("%s: status %d, want %d: %s", st.at, status, row.Status, shown)
	}
	if row.Want != nil {
		if path, ok := st.match(row.Want, body, "answer"); !ok {
			st.t.Errorf("%s: %s does not fit: %s", st.at, path, shown)
		}
	}
	for name, want := range row.Reply {
		if got := header.Get(name); got != want && (want != "*" || got == "") {
			st.t.Errorf("%s: header %s is %q, want %q", st.at, name, got, want)
		}
	}
	if got := st.newRows(); !reflect.DeepEqual(got, append([]string{}, row.Rows...)) {
		st.t.Errorf("%s: rows %q, want %q", st.at, got, row.Rows)
	}
	if got := st.newEvents(); !reflect.DeepEqual(got, append([]string{}, row.Events...)) {
		st.t.Errorf("%s: events %q, want %q", st.at, got, row.Events)
	}
	for name, path := range row.Save {
		text, ok := at(body, path).(string)
		if !ok {
			st.t.Fatalf("%s: nothing to save at %s: %s", st.at, path, shown)
		}
		st.saved[name] = text
	}
}

// at follows a dotted path; numbers are indexes.
func at(v any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// match gives the path of the first place that does not fit.
func (st *stage) match(want, got any, path string) (string, bool) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return path, false
		}
		for key, value := range w {
			have, there := g[key]
			if value == "-" && !there {
				continue
			}
			if value == "-" || !there {
				return path + "." + key, false
			}
			if at, ok := st.match(value, have, path+"."+key); !ok {
				return at, false
			}
		}
		return "", true
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return path, false
		}
		for i := range w {
			if at, ok := st.match(w[i], g[i], path+"."+strconv.Itoa(i)); !ok {
				return at, false
			}
		}
		return "", true
	case string:
		w = st.expand(w)
		text, isText := got.(string)
		part, contains := strings.CutPrefix(w, "~")
		return path, w == "*" || isText && (text == w || contains && strings.Contains(text, part))
	case int:
		return path, got == float64(w)
	}
	return path, reflect.DeepEqual(want, got)
}
