package consumers

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/schema"
)

var nameGrammar = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

func (r *reader) tool() *Tool {
	t := &Tool{Name: r.text("name", true)}
	if t.Name != "" && !nameGrammar.MatchString(t.Name) {
		r.fail("name", contract.InvalidName, "%s: a tool's name is a letter, then letters, digits or underscores, 64 at most, not %.80q", r.raw.Path, t.Name)
	}
	params, ok := r.get("parameters")
	if !ok {
		return t
	}
	compiled, err := schema.Compile(params)
	var e *schema.Error
	switch {
	case errors.As(err, &e):
		key := strings.Join(append([]string{"parameters"}, e.At...), ".")
		r.fail(key, contract.InvalidParametersSchema, "%s: %s", r.raw.Path, e.Message)
	case err != nil:
		r.fail("parameters", contract.InvalidParametersSchema, "%s: %s", r.raw.Path, err.Error())
	default:
		t.Parameters, t.schema = params, compiled
	}
	return t
}

// Methods are what an endpoint may have.
var Methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}

// Bounds of what an entry may ask for.
const (
	maxBodyLimit     = 16 * contract.MB
	maxResponseLimit = contract.MaxResultBytes
)

// shadowed are first segments that the management API has under
// /api/agents/<agent>.
var shadowed = []string{"functions", "skills", "http-endpoints"}

func (r *reader) endpoint() *Endpoint {
	e := &Endpoint{
		Method: strings.ToUpper(r.text("method", true)), Path: r.text("path", true), Auth: r.text("auth", true),
		TimeoutMs: int(r.number("timeoutMs", contract.MaxWallMs)),
		BodyLimit: r.number("bodyLimitBytes", maxBodyLimit), ResponseLimit: r.number("responseSizeLimitBytes", maxResponseLimit),
	}
	if e.Method != "" && !slices.Contains(Methods, e.Method) {
		r.fail("method", contract.InvalidEntry, "%s: method is one of %s, not %.20q", r.raw.Path, strings.Join(Methods, ", "), e.Method)
	}
	if e.Auth != "" && !slices.Contains(authModes, e.Auth) {
		r.fail("auth", contract.InvalidEntry, "%s: auth is one of %s, not %.40q", r.raw.Path, strings.Join(authModes, ", "), e.Auth)
	}
	if e.Path != "" {
		var problem string
		if e.segments, problem = splitTemplate(e.Path); problem != "" {
			r.fail("path", contract.InvalidEntry, "%s: %s", r.raw.Path, problem)
		} else if len(e.segments) > 0 && !e.segments[0].param && slices.Contains(shadowed, e.segments[0].text) {
			r.warn("path", contract.Portability, "%s: below /api/agents/<agent> the management API answers %s; this endpoint is reached at /<agent>%s",
				r.raw.Path, e.Path, e.Path)
		}
	}
	if raw, ok := r.get("price"); ok {
		price, err := contract.ParsePrice(raw)
		if err != nil {
			r.fail("price", contract.InvalidEntry, "%s: price is dollars per request, such as 0.02: %s", r.raw.Path, err.Error())
		}
		e.Price = price
	}
	if w, ok := r.get("widget"); ok {
		var object map[string]json.RawMessage
		if json.Unmarshal(w, &object) != nil {
			r.fail("widget", contract.InvalidEntry, "%s: widget is an object such as { title: Weather }", r.raw.Path)
		}
		e.Widget = true
	}
	return e
}

func (r *reader) schedule() *Schedule {
	text := r.text("cron", false)
	object, structured := r.get("schedule")
	_, cron := r.keys["cron"]
	switch {
	case cron && structured:
		r.fail("schedule", contract.InvalidSchedule, "%s has both cron and schedule; keep one", r.raw.Path)
	case cron:
		parsed, err := parseCron(text)
		if err != nil {
			r.fail("cron", contract.InvalidSchedule, "%s: %s", r.raw.Path, err.Error())
			return nil
		}
		return &Schedule{Timetable{cron: parsed}}
	case structured:
		return r.structured(object)
	default:
		r.fail("", contract.InvalidSchedule, `%s has neither cron (such as "0 3 * * *") nor schedule (such as { frequency: daily })`, r.raw.Path)
	}
	return nil
}

func (r *reader) structured(object json.RawMessage) *Schedule {
	var s struct {
		Frequency     string `json:"frequency"`
		PreferredTime string `json:"preferredTime"`
		PreferredDay  int    `json:"preferredDay"`
		TimeZone      string `json:"timeZone"`
	}
	if err := json.Unmarshal(object, &s); err != nil {
		r.fail("schedule", contract.InvalidSchedule, "%s: schedule is an object such as { frequency: daily, preferredTime: \"09:00\" }, with preferredDay a number", r.raw.Path)
		return nil
	}
	parsed, err := newStructured(s.Frequency, s.PreferredTime, s.TimeZone, s.PreferredDay)
	if err != nil {
		r.fail("schedule", contract.InvalidSchedule, "%s: %s", r.raw.Path, err.Error())
		return nil
	}
	return &Schedule{Timetable{every: parsed}}
}
