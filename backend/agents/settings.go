package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"benchtop/backend/contract"
)

// The settings of an agent, as AGENT.md, the API and the store have them.
type (
	Settings  = contract.AgentSettings
	ModelSpec = contract.ModelSpec
	ToolPrice = contract.ToolPrice
)

// Kinds of models.
const (
	ModelScripted = "scripted"
	ModelEcho     = "echo"
	ModelOpenAI   = "openai"
)

// Who may use an agent's transports. What does not say so is the owner's alone:
// any page of a browser reaches this address, and a model may cost money.
const (
	VisibilityPublic = "public"
	VisibilityOwner  = "owner"
)

// transports are the names that a list of transports may have.
var transports = []string{"completions", "a2a", "uamp", "hello"}

// DefaultSettings are those of an agent that says nothing.
func DefaultSettings() Settings {
	return Settings{Model: ModelSpec{Kind: ModelScripted}, Visibility: VisibilityOwner, Transports: []string{}}
}

// Setting is one key as it was written, its value as JSON.
type Setting struct {
	Key  string
	JSON json.RawMessage
}

// Fault is something wrong with a setting. At leads to the place from the key
// on: names of members, and "[n]" for an element. A Warning changes nothing.
type Fault struct {
	At      []string
	Code    contract.Code
	Message string
	Warning bool
}

// Path is At as problems have it, such as transports[1].
func (f Fault) Path() string { return strings.ReplaceAll(strings.Join(f.At, "."), ".[", "[") }

// ParseSettings reads settings. A key that is absent or null has its default; one
// with a fault that is no warning keeps what it is in before.
func ParseSettings(written []Setting, before Settings) (Settings, []Fault) {
	s := DefaultSettings()
	var faults []Fault
	for _, w := range written {
		r := &settingReader{at: []string{w.Key}}
		if string(bytes.TrimSpace(w.JSON)) == "null" {
			continue
		}
		switch w.Key {
		case "model":
			read(r, &s.Model, before.Model, r.model(w.JSON))
		case "visibility":
			read(r, &s.Visibility, before.Visibility, r.visibility(w.JSON))
		case "transports":
			read(r, &s.Transports, before.Transports, r.transports(w.JSON))
		case "commission_percent":
			read(r, &s.CommissionPercent, before.CommissionPercent, r.percent(w.JSON))
		case "toolPricing":
			read(r, &s.ToolPricing, before.ToolPricing, r.pricing(w.JSON))
		}
		faults = append(faults, r.faults...)
	}
	return normal(s), faults
}

// RequestedSettings are those of an agent that is made through the API. What
// AGENT.md is only warned about is left out here, too.
func RequestedSettings(req contract.CreateAgentRequest) (Settings, error) {
	model := json.RawMessage(req.Model)
	if !strings.HasPrefix(strings.TrimSpace(req.Model), "{") {
		model = quoted(req.Model)
	}
	written := []Setting{{"model", model}}
	if req.Visibility != "" {
		written = append(written, Setting{"visibility", quoted(req.Visibility)})
	}
	for _, s := range []Setting{{"transports", req.Transports}, {"commission_percent", req.CommissionPercent}, {"toolPricing", req.ToolPricing}} {
		if len(s.JSON) > 0 {
			written = append(written, s)
		}
	}
	return requested(written, DefaultSettings())
}

// Changed is an agent with what a request changes.
func (a Agent) Changed(req contract.ChangeAgentRequest) (Agent, error) {
	for _, t := range []struct{ to, from *string }{
		{&a.Name, req.Name}, {&a.Username, req.Username}, {&a.Description, req.Description}, {&a.Instructions, req.Instructions}, {&a.Model, req.Model},
	} {
		if t.from != nil {
			*t.to = *t.from
		}
	}
	asked := contract.CreateAgentRequest{Model: a.Model}
	now, err := RequestedSettings(asked)
	if err != nil {
		return a, err
	}
	next := a.Settings
	next.Model = now.Model
	for _, s := range []struct {
		Setting
		take func(from Settings)
	}{
		{Setting{"visibility", req.Visibility}, func(from Settings) { next.Visibility = from.Visibility }},
		{Setting{"transports", req.Transports}, func(from Settings) { next.Transports = from.Transports }},
		{Setting{"commission_percent", req.CommissionPercent}, func(from Settings) { next.CommissionPercent = from.CommissionPercent }},
		{Setting{"toolPricing", req.ToolPricing}, func(from Settings) { next.ToolPricing = from.ToolPricing }},
	} {
		if len(s.JSON) == 0 {
			continue
		}
		read, err := requested([]Setting{s.Setting}, a.Settings)
		if err != nil {
			return a, err
		}
		s.take(read)
	}
	a.Settings = next
	return a, nil
}

// requested reads settings of a request, which are right or refused. What
// AGENT.md is only warned about is left out.
func requested(written []Setting, before Settings) (Settings, error) {
	settings, faults := ParseSettings(written, before)
	for _, f := range faults {
		if !f.Warning {
			return settings, contract.Errorf(contract.InvalidRequest, "%s", f.Message)
		}
	}
	return settings, nil
}

func quoted(text string) json.RawMessage {
	b, _ := json.Marshal(text) // a text always marshals
	return b
}

func read[T any](r *settingReader, to *T, before, now T) {
	*to = now
	if r.failed() {
		*to = before
	}
}

// normal gives settings in the one form in which equal ones are equal.
func normal(s Settings) Settings {
	d := DefaultSettings()
	if s.Model.Kind == "" {
		s.Model = d.Model
	}
	if s.Visibility == "" {
		s.Visibility = d.Visibility
	}
	if s.Transports == nil {
		s.Transports = d.Transports
	}
	if len(s.ToolPricing) == 0 {
		s.ToolPricing = nil
	}
	return s
}

// Listed is the agent as GET /api/agents shows it; base is the platform's
// address, or empty when nobody needs the agent's.
func (a Agent) Listed(base string) contract.Agent {
	out := contract.Agent{
		ID: a.ID, Username: a.Username, Name: a.Name, Description: a.Description, Instructions: a.Instructions,
		Model: a.Model, Folder: a.Folder, CreatedAt: a.CreatedAt,
		IsPublic: a.Settings.Visibility == VisibilityPublic, Settings: normal(a.Settings),
	}
	if base != "" {
		out.AgentURL = base + "/" + a.Username
	}
	return out
}

// Equal reports whether two agents are the same in everything.
func (a Agent) Equal(b Agent) bool {
	a.Settings, b.Settings = normal(a.Settings), normal(b.Settings)
	return reflect.DeepEqual(a, b)
}

// Serves reports whether the agent offers a transport.
func (a Agent) Serves(transport string) bool {
	return slices.Contains(a.Settings.Transports, transport)
}

type settingReader struct {
	at     []string
	faults []Fault
}

func (r *settingReader) failed() bool {
	return slices.ContainsFunc(r.faults, func(f Fault) bool { return !f.Warning })
}

func (r *settingReader) fail(below []string, format string, args ...any) {
	r.faults = append(r.faults, Fault{At: slices.Concat(r.at, below), Code: contract.AgentFileInvalid, Message: fmt.Sprintf(format, args...)})
}

func (r *settingReader) warn(below []string, format string, args ...any) {
	r.faults = append(r.faults, Fault{At: slices.Concat(r.at, below), Code: contract.UnknownKey, Message: fmt.Sprintf(format, args...), Warning: true})
}

func (r *settingReader) visibility(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) != nil || s != VisibilityPublic && s != VisibilityOwner {
		r.fail(nil, "visibility says who may use the agent's transports: public or owner, not %.80s", value)
	}
	return s
}

func (r *settingReader) transports(value json.RawMessage) []string {
	var written []json.RawMessage
	if json.Unmarshal(value, &written) != nil {
		r.fail(nil, "transports is a list of %s", strings.Join(transports, ", "))
		return nil
	}
	names := []string{}
	for i, w := range written {
		var name string
		at := []string{fmt.Sprintf("[%d]", i)}
		switch {
		case json.Unmarshal(w, &name) != nil || !slices.Contains(transports, name):
			r.fail(at, "%.80s is no transport; there are %s", w, strings.Join(transports, ", "))
		case slices.Contains(names, name):
			r.warn(at, "%s is there twice", name)
		default:
			names = append(names, name)
		}
	}
	return names
}

var percentGrammar = regexp.MustCompile(`^(100(\.0{1,6})?|[0-9]{1,2}(\.[0-9]{1,6})?)$`)

// percent keeps the text: what is a decimal is never a binary fraction.
func (r *settingReader) percent(value json.RawMessage) string {
	text := string(bytes.TrimSpace(value))
	var quoted string
	if json.Unmarshal(value, &quoted) == nil {
		text = quoted
	}
	if !percentGrammar.MatchString(text) {
		r.fail(nil, "commission_percent is a number from 0 to 100 with at most 6 decimals, not %.80s", text)
		return ""
	}
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text = strings.TrimLeft(text, "0"); text == "" || text[0] == '.' {
		text = "0" + text
	}
	return text
}

var secretName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,127}$`)

func (r *settingReader) model(value json.RawMessage) ModelSpec {
	var name string
	if json.Unmarshal(value, &name) == nil {
		switch name {
		case "", ModelScripted:
		case ModelEcho:
			return ModelSpec{Kind: ModelEcho}
		default:
			r.warn(nil, "there is no model %.80q here, the scripted one answers; name %s, %s or an object with base_url, model and key_secret",
				name, ModelScripted, ModelEcho)
		}
		return ModelSpec{Kind: ModelScripted}
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(value, &keys) != nil {
		r.fail(nil, "model is %s, %s or an object with base_url, model and key_secret", ModelScripted, ModelEcho)
		return ModelSpec{}
	}
	spec := ModelSpec{Kind: ModelOpenAI}
	for _, m := range []struct {
		key string
		to  *string
	}{{"base_url", &spec.BaseURL}, {"model", &spec.Model}, {"key_secret", &spec.KeySecret}} {
		v, ok := keys[m.key]
		if !ok && m.key == "key_secret" { // a model of this machine needs none
			continue
		}
		if json.Unmarshal(v, m.to) != nil || strings.TrimSpace(*m.to) == "" || len(*m.to) > 1024 {
			r.fail([]string{m.key}, "model.%s is a text", m.key)
		}
	}
	for key := range keys {
		if !slices.Contains([]string{"base_url", "model", "key_secret"}, key) {
			r.warn([]string{key}, "nothing reads model.%.80s", key)
		}
	}
	if u, err := url.Parse(spec.BaseURL); !r.failed() && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "") {
		r.fail([]string{"base_url"}, "model.base_url is an http or https address without a user, a query or a fragment, such as http://127.0.0.1:11434/v1")
	}
	// Never repeated: somebody may have put the key itself here.
	if spec.KeySecret != "" && !secretName.MatchString(spec.KeySecret) {
		r.fail([]string{"key_secret"}, "model.key_secret is the name of a secret (letters, digits, _, . and -), not the key itself")
	}
	return spec
}
