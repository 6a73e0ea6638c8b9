package endpoints

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"regexp"
	"slices"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/schema"
)

// Raw is an entry as it stands in AGENT.md. At gives the place of one of its
// keys, or of the entry itself for a key that is not there.
type Raw struct {
	Path string // endpoints[0]
	JSON json.RawMessage
	File string
	At   func(key string) (line, column int)
}

// Module is a file of handlers. Manifest is the text of the JSON file beside it,
// users.json for users.js; empty without one.
type Module struct {
	Text, SHA256           string
	Manifest, ManifestFile string
}

// Taken reports who has a method and path already; empty for nobody.
type Taken func(method string, t Template, socket bool) string

// Options of Check. Modules gives a file below endpoints/; what it says when it
// does not is told. Taken may be nil.
type Options struct {
	Modules func(file string) (Module, error)
	Taken   Taken
}

// Check parses entries and holds them to their rules. What breaks one is left
// out, with a problem; warnings are problems that leave the entry in.
func Check(raws []Raw, opts Options) (entries []*Entry, problems []contract.Problem) {
	form := entrySchema()
	for _, raw := range raws {
		c := &checker{raw: raw, opts: opts, form: form, e: &Entry{Enabled: true}}
		if c.entry(entries); !c.failed {
			entries = append(entries, c.e)
		}
		problems = append(problems, c.problems...)
	}
	return entries, problems
}

// entrySchema is what the schema of AGENT.md says of an entry. The checks below
// say it in better words and know more; what only the schema refuses, it refuses.
func entrySchema() *schema.Schema {
	text, err := manifest.AgentSchemaOf("endpoint")
	if err != nil {
		return nil // a test reads it
	}
	s, err := schema.Compile(text)
	if err != nil {
		return nil
	}
	return s
}

type checker struct {
	raw      Raw
	form     *schema.Schema
	opts     Options
	e        *Entry
	keys     map[string]json.RawMessage
	problems []contract.Problem
	failed   bool
}

// known are the keys of an entry: both notations of spec 2.8 and our own.
var known = []string{"path", "method", "websocket", "scope", "scopes", "provides", "description", "content_type", "handler", "price",
	"protocols", "enabled", "permissions", "limits", "parameters", "body", "auth"}

var methods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}

var (
	price      = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,9})?$`)
	exportName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]{0,99}$`)
	capability = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$`)
	protocol   = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$")
)

func (c *checker) entry(before []*Entry) {
	if json.Unmarshal(c.raw.JSON, &c.keys) != nil || c.keys == nil {
		c.fail(contract.InvalidEntry, "", "an endpoint is an object such as { path: /status, method: get, handler: endpoints/status.js }")
		return
	}
	for key := range c.keys {
		if !slices.Contains(known, key) {
			c.problem(contract.UnknownKey, key, fmt.Sprintf("%q is not a key of an endpoint and is ignored", key))
		}
	}
	slices.SortFunc(c.problems, func(a, b contract.Problem) int { return strings.Compare(a.Path, b.Path) })
	e := c.e
	e.Socket, _ = c.boolean("websocket")
	if v, ok := c.boolean("enabled"); ok {
		e.Enabled = v
	}
	e.Provides, e.Description, e.ContentType = c.text("provides"), c.text("description"), c.text("content_type")
	c.route()
	c.scopes()
	c.handler()
	c.rest()
	if c.failed {
		return
	}
	for _, p := range c.form.Validate(c.raw.JSON) {
		key, _, _ := strings.Cut(strings.TrimPrefix(p.Path, "."), ".")
		c.fail(contract.InvalidEntry, key, "%s", p.Message)
		return
	}
	for _, other := range before {
		if other.Method == e.Method && other.Socket == e.Socket && other.Template.Shape() == e.Template.Shape() {
			c.fail(contract.RouteConflict, "path", "%s has an endpoint already, %s", e.ID, other.ID)
			return
		}
	}
	if c.opts.Taken != nil {
		if who := c.opts.Taken(e.Method, e.Template, e.Socket); who != "" {
			c.fail(contract.RouteConflict, "path", "%s is taken by %s; two answers on one method and path are not possible", e.ID, who)
		}
	}
}

func (c *checker) route() {
	e := c.e
	e.Path = c.text("path")
	var err *contract.Error
	if e.Template, err = ParseTemplate(e.Path); err != nil {
		c.fail(contract.InvalidEntry, "path", "%s", err.Message)
	}
	e.Method = strings.ToUpper(c.text("method"))
	switch {
	case e.Method == "":
		e.Method = "GET"
	case !slices.Contains(methods, e.Method):
		c.fail(contract.InvalidEntry, "method", "method is one of %s", strings.ToLower(strings.Join(methods, ", ")))
	case e.Socket && e.Method != "GET":
		c.fail(contract.InvalidEntry, "method", "a WebSocket has no method: it begins with a GET")
	}
	e.ID = e.Method + " " + e.Path
	if e.Socket {
		e.ID = "WS " + e.Path
	}
}

// scopes reads scope (one notation) and scopes (the other); each may be a text or
// a list. An empty text lets nobody in.
func (c *checker) scopes() {
	var found []string
	given := false
	for _, key := range []string{"scope", "scopes"} {
		raw, ok := c.keys[key]
		if !ok || string(raw) == "null" {
			continue
		}
		if given {
			c.fail(contract.InvalidEntry, "scopes", "scope and scopes are two notations of the same; keep one")
			return
		}
		given = true
		var one string
		if json.Unmarshal(raw, &one) == nil {
			if one != "" {
				found = []string{one}
			}
		} else if json.Unmarshal(raw, &found) != nil {
			c.fail(contract.InvalidEntry, key, "%s is all, owner or admin, or a list of them", key)
			return
		}
		for _, s := range found {
			if s != "all" && s != "owner" && s != "admin" {
				c.fail(contract.InvalidEntry, key, "%q is no scope; all, owner and admin are", s)
			}
		}
	}
	if !given {
		found = []string{"all"}
	}
	c.e.Scopes = found
}

// handler finds the function that answers and what it may do.
func (c *checker) handler() {
	e := c.e
	name := c.text("handler")
	if name == "" {
		c.fail(contract.InvalidEntry, "handler", "an endpoint names its handler, such as endpoints/status.js or endpoints/users.js#getUser")
		return
	}
	e.Module, e.Export, _ = strings.Cut(name, "#")
	if !manifest.InsideFolder(e.Module) || !strings.HasPrefix(e.Module, "endpoints/") ||
		!slices.ContainsFunc([]string{".js", ".mjs", ".ts"}, func(end string) bool { return strings.HasSuffix(e.Module, end) }) {
		c.fail(contract.InvalidEntry, "handler", "a handler is a .js, .mjs or .ts file inside endpoints/, and # and the name of an export, not %.120q", name)
		return
	}
	if e.Export != "" && !exportName.MatchString(e.Export) {
		c.fail(contract.InvalidEntry, "handler", "%.80q is no name of an export", e.Export)
		return
	}
	m, err := c.opts.Modules(e.Module)
	if err != nil {
		c.fail(contract.InvalidEntry, "handler", "%s", err.Error())
		return
	}
	e.Source, e.SHA256 = m.Text, m.SHA256
	c.grants(m)
	e.Manifest.Entrypoint = "default"
	if e.Export != "" {
		e.Manifest.Entrypoint = e.Export
	}
}

// grants reads what the handler may do: what its entry says, else the file beside
// the module, else the module's header, else nothing.
func (c *checker) grants(m Module) {
	opts := manifest.Options{DefaultRuntime: manifest.RuntimeJS, File: c.raw.File}
	own := map[string]json.RawMessage{}
	for _, key := range []string{"permissions", "limits"} {
		if raw, ok := c.keys[key]; ok && string(raw) != "null" {
			own[key] = raw
		}
	}
	var found []contract.Problem
	var warnings []contract.Problem
	switch {
	case len(own) > 0:
		c.e.Own = true
		text, err := json.Marshal(own)
		if err == nil {
			c.e.Manifest, found, warnings = manifest.Parse(text, opts)
		}
		for _, list := range [][]contract.Problem{found, warnings} {
			for i := range list {
				key, _, _ := strings.Cut(list[i].Path, ".")
				line, column := c.raw.At(key)
				list[i] = list[i].At(c.raw.File, line, column)
			}
		}
	case m.Manifest != "":
		opts.File = m.ManifestFile
		c.e.Manifest, found, warnings = manifest.Parse([]byte(m.Manifest), opts)
	default:
		opts.File = c.e.Module
		c.e.Manifest, _, found, warnings = manifest.Docblock(m.Text, opts)
		if c.e.Manifest.Runtime == "" {
			c.e.Manifest.Runtime = manifest.RuntimeJS
		}
	}
	c.problems = append(append(c.problems, found...), warnings...)
	c.failed = c.failed || len(found) > 0
}

func (c *checker) rest() {
	e := c.e
	if e.Provides != "" && !capability.MatchString(e.Provides) {
		c.fail(contract.InvalidEntry, "provides", "a capability is a word of letters, digits, _, ., : and -")
	}
	if e.ContentType != "" && mediaType(e.ContentType) == "" {
		c.fail(contract.InvalidEntry, "content_type", "%.80q is no content type", e.ContentType)
	}
	if raw, ok := c.keys["price"]; ok && string(raw) != "null" {
		text := strings.Trim(string(raw), `"`)
		switch {
		case !price.MatchString(text):
			c.fail(contract.InvalidAmount, "price", "price is a number of dollars with nine decimals at most, such as 0.02")
		case strings.Trim(text, "0.") != "":
			e.Price = text
		}
	}
	switch body := c.text("body"); body {
	case "", "json":
		e.AnyBody = e.Manifest.Permissions.RawBody
	case "any":
		e.AnyBody = true
	default:
		c.fail(contract.InvalidEntry, "body", "body is json or any")
	}
	if raw, ok := c.keys["protocols"]; ok && string(raw) != "null" {
		if json.Unmarshal(raw, &e.Protocols) != nil || slices.ContainsFunc(e.Protocols, func(p string) bool { return !protocol.MatchString(p) }) {
			c.fail(contract.InvalidEntry, "protocols", "protocols is a list of names of WebSocket subprotocols")
		}
	}
	c.parameters()
}

// parameters reads what arguments there are: a JSON Schema of an object, or names
// with their types.
func (c *checker) parameters() {
	raw, ok := c.keys["parameters"]
	if !ok || string(raw) == "null" {
		return
	}
	var shape struct {
		Type       json.RawMessage            `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var short map[string]string
	if json.Unmarshal(raw, &short) == nil && short["properties"] == "" {
		properties := map[string]map[string]string{}
		for name, kind := range short {
			properties[name] = map[string]string{"type": kind}
		}
		b, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
		if err != nil {
			return
		}
		raw = b
	}
	if json.Unmarshal(raw, &shape) != nil || string(shape.Type) != `"object"` {
		c.fail(contract.InvalidParametersSchema, "parameters", "parameters is a JSON Schema whose type is object, or names with their types, such as { include_details: boolean }")
		return
	}
	for name, property := range shape.Properties {
		var p struct {
			Type string `json:"type"`
		}
		_ = json.Unmarshal(property, &p) // a type that is a list is none to go by
		if p.Type != "" && !slices.Contains([]string{"string", "boolean", "integer", "number", "object", "array", "null"}, p.Type) {
			c.fail(contract.InvalidParametersSchema, "parameters", "%s has the type %.40q; string, boolean, integer, number, object and array are types", name, p.Type)
		}
		c.e.Parameters = append(c.e.Parameters, Parameter{name, p.Type})
	}
	slices.SortFunc(c.e.Parameters, func(a, b Parameter) int { return strings.Compare(a.Name, b.Name) })
	c.e.Schema = bytes.Clone(raw)
	compiled, err := schema.Compile(raw)
	if err != nil {
		c.fail(contract.InvalidParametersSchema, "parameters", "%s", err.Error())
		return
	}
	c.e.schema = compiled
}

func (c *checker) text(key string) string {
	raw, ok := c.keys[key]
	if !ok || string(raw) == "null" {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil || len(s) > 4096 {
		c.fail(contract.InvalidEntry, key, "%s is a text", key)
	}
	return s
}

func (c *checker) boolean(key string) (value, ok bool) {
	raw, ok := c.keys[key]
	if !ok || string(raw) == "null" {
		return false, false
	}
	if json.Unmarshal(raw, &value) != nil {
		c.fail(contract.InvalidEntry, key, "%s is true or false", key)
	}
	return value, true
}

func (c *checker) fail(code contract.Code, key, format string, args ...any) {
	c.failed = true
	c.problem(code, key, fmt.Sprintf(format, args...))
}

func (c *checker) problem(code contract.Code, key, message string) {
	p := contract.Problem{Code: code, Path: c.raw.Path, Message: message}
	line, column := 0, 0
	if c.raw.At != nil {
		line, column = c.raw.At(key)
	}
	if key != "" {
		p.Path += "." + key
	}
	c.problems = append(c.problems, p.At(c.raw.File, line, column))
}

func mediaType(contentType string) string {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil || !strings.Contains(t, "/") {
		return ""
	}
	return t
}
