package deploy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
)

// Kinds of steps.
const (
	Add    = "add"
	Update = "update"
	Remove = "remove"
	Same   = "same"
	// Extra is only there, and stays.
	Extra = "extra"
)

// Step is what happens to one function or entry.
type Step struct {
	Kind string `json:"kind"` // add, update, remove, same, extra
	What string `json:"what"` // function, entry
	Name string `json:"name"`
	// Changes names what differs: manifest, source, or keys of an entry.
	Changes []string `json:"changes,omitempty"`
	// Diff is the difference as unified text, from there to here.
	Diff string `json:"diff,omitempty"`
	// Failed is why the platform refused it; nothing else was held up by that.
	Failed string `json:"failed,omitempty"`

	function *Function
	entry    *Entry
	patch    map[string]json.RawMessage
}

// Plan compares what is here with what is there, functions first. prune removes
// what is only there.
func Plan(here, there *Unit, prune bool) []Step {
	var steps, last []Step
	extra := Extra
	if prune {
		extra = Remove
	}
	for i := range here.Functions {
		f := &here.Functions[i]
		old := there.function(f.Name)
		s := Step{Kind: Add, What: "function", Name: f.Name, function: f}
		if old != nil {
			s.compare(old, f)
		} else {
			s.Diff = unified("functions/"+f.Name, "", f.Source)
		}
		steps = append(steps, s)
	}
	for i := range here.Entries {
		e := &here.Entries[i]
		s := Step{Kind: Add, What: "entry", Name: e.Name(), entry: e}
		if old := there.entry(e.Skill, e.ID); old != nil {
			s.compareEntry(old, e)
		}
		steps = append(steps, s)
	}
	for i := range there.Entries {
		if e := &there.Entries[i]; here.entry(e.Skill, e.ID) == nil {
			last = append(last, Step{Kind: extra, What: "entry", Name: e.Name(), entry: e})
		}
	}
	for i := range there.Functions {
		if f := &there.Functions[i]; here.function(f.Name) == nil {
			last = append(last, Step{Kind: extra, What: "function", Name: f.Name, function: f})
		}
	}
	return append(steps, last...)
}

// Changes counts the steps that change something.
func Changes(steps []Step) (n int) {
	for _, s := range steps {
		if s.Kind != Same && s.Kind != Extra {
			n++
		}
	}
	return n
}

func (u *Unit) function(name string) *Function {
	i := slices.IndexFunc(u.Functions, func(f Function) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &u.Functions[i]
}

func (u *Unit) entry(skill, id string) *Entry {
	i := slices.IndexFunc(u.Entries, func(e Entry) bool { return e.Skill == skill && e.ID == id })
	if i < 0 {
		return nil
	}
	return &u.Entries[i]
}

func (s *Step) compare(old, now *Function) {
	s.Kind = Same
	if old.Canonical != now.Canonical {
		s.Changes = append(s.Changes, "manifest")
		s.Diff += unified("functions/"+now.Name+"/manifest.json", string(indent(old.Canonical)), string(indent(now.Canonical)))
	}
	if old.Source != now.Source {
		s.Changes = append(s.Changes, "source")
		s.Diff += unified("functions/"+now.Name, old.Source, now.Source)
	}
	if len(s.Changes) > 0 {
		s.Kind = Update
	}
}

// compareEntry finds the keys that differ, and the patch that makes them the
// same: a null takes a key away.
func (s *Step) compareEntry(old, now *Entry) {
	var was, is map[string]json.RawMessage
	if json.Unmarshal(old.JSON, &was) != nil || json.Unmarshal(now.JSON, &is) != nil {
		s.Kind, s.patch = Update, is
		return
	}
	s.patch = map[string]json.RawMessage{}
	for key, v := range is {
		if !equal(was[key], v) {
			s.patch[key] = v
			s.Changes = append(s.Changes, key)
		}
	}
	for key := range was {
		if _, ok := is[key]; !ok {
			s.patch[key] = json.RawMessage("null")
			s.Changes = append(s.Changes, key)
		}
	}
	slices.Sort(s.Changes)
	s.Kind = Same
	if len(s.Changes) > 0 {
		s.Kind = Update
		s.Diff = unified(now.Name(), string(indent(string(old.JSON))), string(indent(string(now.JSON))))
	}
}

// equal compares JSON by value; numbers by their text, so that none is rounded.
func equal(a, b json.RawMessage) bool {
	var x, y any
	for raw, to := range map[*json.RawMessage]*any{&a: &x, &b: &y} {
		dec := json.NewDecoder(bytes.NewReader(*raw))
		dec.UseNumber()
		if dec.Decode(to) != nil {
			return false
		}
	}
	return reflect.DeepEqual(x, y)
}

// indent is JSON over lines, keys in order of their names.
func indent(text string) []byte {
	var v any
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return []byte(text)
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return []byte(text)
	}
	return append(b, '\n')
}

func unified(name, old, now string) string {
	return string(diff.Diff("there/"+name, []byte(old), "here/"+name, []byte(now)))
}

// String is the step in one line.
func (s Step) String() string {
	sign := map[string]string{Add: "+", Update: "~", Remove: "-", Same: "=", Extra: "?"}[s.Kind]
	line := fmt.Sprintf("%s %s %s", sign, s.What, s.Name)
	if len(s.Changes) > 0 {
		line += fmt.Sprintf(" %v", s.Changes)
	}
	if s.Kind == Extra {
		line += " (only there; --prune removes it)"
	}
	return line
}
