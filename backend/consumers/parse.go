package consumers

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"benchtop/backend/contract"
)

// Raw is an entry before it is checked. Path is where it stands, such as
// skills.cron.schedules[0]; At gives the line and column of one of its keys, or
// of the entry for "". It may be nil.
type Raw struct {
	Skill string
	Path  string
	JSON  json.RawMessage
	File  string
	At    func(key string) (line, column int)
	// ID is the id of an entry whose text cannot be read, which somebody else has
	// said; JSON is nil then.
	ID string
}

// Bounds of what one agent may have.
const (
	maxEntries    = 500
	maxEntryBytes = 64 * contract.KB
	maxText       = 1024
)

var idGrammar = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// ValidID reports whether an entry can have that id.
func ValidID(id string) bool { return idGrammar.MatchString(id) }

// Check reads entries and holds them to the rules, each alone and all together.
// The entries given back are those without errors, in order. declared says which
// functions there are; an entry whose function is missing is an error and given
// back all the same, because the function may come back.
func Check(raws []Raw, declared func(function string) bool) (entries []*Entry, errors, warnings []contract.Problem) {
	for _, c := range checkAll(raws, declared) {
		if c.entry != nil {
			entries = append(entries, c.entry)
		}
		errors, warnings = append(errors, c.errors...), append(warnings, c.warnings...)
	}
	return entries, errors, warnings
}

// checked is what became of one Raw; entry is nil when it cannot serve.
type checked struct {
	entry            *Entry
	errors, warnings []contract.Problem
}

func checkAll(raws []Raw, declared func(function string) bool) []checked {
	all := &together{ids: map[string]bool{}, tools: map[string]bool{}, routes: map[string]*Entry{}}
	var out []checked
	for i, raw := range raws {
		r := &reader{raw: raw}
		if i >= maxEntries {
			r.fail("", contract.InvalidEntry, "more than %d entries; the rest is not read", maxEntries)
			return append(out, checked{errors: r.errors})
		}
		if raw.JSON == nil {
			out = append(out, checked{})
			continue
		}
		var c checked
		e := r.entry()
		if len(r.errors) == 0 {
			all.check(r, e)
		}
		if len(r.errors) == 0 {
			c.entry = e
			if !declared(e.Use) {
				r.fail("use", contract.FnNotFound, "%s uses the function %q, which is not declared", raw.Path, e.Use)
			}
		}
		c.errors, c.warnings = r.errors, r.warnings
		out = append(out, c)
	}
	return out
}

// together holds the rules over several entries. What disabled entries claim is
// claimed: enabling one must not break another.
type together struct {
	ids    map[string]bool
	tools  map[string]bool
	routes map[string]*Entry
}

func (t *together) check(r *reader, e *Entry) {
	id := e.Skill + "/" + e.ID
	if t.ids[id] {
		r.fail("id", contract.EntryExists, "%s has the id %q, which another entry of %s has", r.raw.Path, e.ID, e.Skill)
		return
	}
	switch {
	case e.Tool != nil:
		if t.tools[e.Tool.Name] {
			r.fail("name", contract.EntryExists, "%s has the name %q, which another tool has", r.raw.Path, e.Tool.Name)
			return
		}
		t.tools[e.Tool.Name] = true
	case e.Endpoint != nil:
		shape := e.Endpoint.shape()
		if other := t.routes[shape]; other != nil {
			r.fail("path", contract.RouteConflict, "the entry %q answers %s %s, as the entry %q does (%s), which keeps it; give one of them another path",
				e.ID, e.Endpoint.Method, e.Endpoint.Path, other.ID, other.Endpoint.Path)
			return
		}
		t.routes[shape] = e
	}
	t.ids[id] = true
}

// reader reads the keys of one entry and collects everything that is wrong.
type reader struct {
	raw      Raw
	keys     map[string]json.RawMessage
	read     []string
	errors   []contract.Problem
	warnings []contract.Problem
}

func (r *reader) problem(key string, code contract.Code, format string, args ...any) contract.Problem {
	p := contract.Problem{Code: code, Message: fmt.Sprintf(format, args...), Path: r.raw.Path}
	if key != "" {
		p.Path += "." + key
	}
	if r.raw.At == nil {
		return p
	}
	line, column := r.raw.At(key)
	return p.At(r.raw.File, line, column)
}

func (r *reader) fail(key string, code contract.Code, format string, args ...any) {
	r.errors = append(r.errors, r.problem(key, code, format, args...))
}

func (r *reader) warn(key string, code contract.Code, format string, args ...any) {
	r.warnings = append(r.warnings, r.problem(key, code, format, args...))
}

func (r *reader) entry() *Entry {
	e := &Entry{Skill: r.raw.Skill, JSON: r.raw.JSON}
	if len(r.raw.JSON) > maxEntryBytes {
		r.fail("", contract.InvalidEntry, "%s has %d bytes; %d are allowed", r.raw.Path, len(r.raw.JSON), maxEntryBytes)
		return e
	}
	if err := json.Unmarshal(r.raw.JSON, &r.keys); err != nil || r.keys == nil {
		r.fail("", contract.InvalidEntry, "%s is an object such as %s", r.raw.Path, example(e.Skill))
		return e
	}
	e.ID = r.text("id", true)
	if e.ID != "" && !ValidID(e.ID) {
		r.fail("id", contract.InvalidEntry, "%s: an id is 1 to 64 letters, digits, dots, dashes and underscores, not %.80q", r.raw.Path, e.ID)
	}
	e.Use = r.text("use", true)
	e.Enabled = r.flag("enabled", true)
	e.Description = r.text("description", false)
	switch e.Skill {
	case contract.SkillTools:
		e.Tool = r.tool()
	case contract.SkillHTTP:
		e.Endpoint = r.endpoint()
	case contract.SkillCron:
		e.Schedule = r.schedule()
	}
	for key := range r.keys {
		if !slices.Contains(r.read, key) {
			r.warn(key, contract.UnknownKey, "%s: nothing reads %.80q", r.raw.Path, key)
		}
	}
	slices.SortFunc(r.warnings, func(a, b contract.Problem) int { return compare(a.Path, b.Path) })
	return e
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func example(skill string) string {
	switch skill {
	case contract.SkillTools:
		return "{ id: quote, name: quote, use: quote }"
	case contract.SkillHTTP:
		return "{ id: hook, method: POST, path: /hook, auth: public, use: hook }"
	}
	return `{ id: nightly, cron: "0 3 * * *", use: digest }`
}

// get gives the text of a key; false when it is absent or null.
func (r *reader) get(key string) (json.RawMessage, bool) {
	r.read = append(r.read, key)
	v, ok := r.keys[key]
	return v, ok && string(v) != "null"
}

func (r *reader) text(key string, required bool) string {
	v, ok := r.get(key)
	if !ok {
		if required {
			r.fail(key, contract.InvalidEntry, "%s has no %s, such as %s", r.raw.Path, key, example(r.raw.Skill))
		}
		return ""
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		r.fail(key, contract.InvalidEntry, "%s: %s is a text", r.raw.Path, key)
		return ""
	}
	switch {
	case len(s) > maxText:
		r.fail(key, contract.InvalidEntry, "%s: %s has %d bytes; %d are allowed", r.raw.Path, key, len(s), maxText)
	case required && s == "":
		r.fail(key, contract.InvalidEntry, "%s: %s is empty", r.raw.Path, key)
	}
	return s
}

func (r *reader) flag(key string, absent bool) bool {
	v, ok := r.get(key)
	if !ok {
		return absent
	}
	var b bool
	if json.Unmarshal(v, &b) != nil {
		r.fail(key, contract.InvalidEntry, "%s: %s is true or false", r.raw.Path, key)
		return absent
	}
	return b
}

// number reads a whole number of 1 to most; 0 when absent.
func (r *reader) number(key string, most int64) int64 {
	v, ok := r.get(key)
	if !ok {
		return 0
	}
	var n int64
	if json.Unmarshal(v, &n) != nil || n < 1 || n > most {
		r.fail(key, contract.InvalidEntry, "%s: %s is a whole number from 1 to %d", r.raw.Path, key, most)
		return 0
	}
	return n
}
