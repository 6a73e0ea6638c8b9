package manifest

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"benchtop/backend/contract"
)

// Options say how a text is read.
type Options struct {
	File           string // for the problems, relative to the project folder
	DefaultRuntime string // counts when the manifest names none; empty: that is an error
	// Schema looks deeper into parameters than its top level; it gives the path
	// to what is wrong and a message, empty when nothing is. It may be nil.
	Schema func(schema json.RawMessage) (at []string, message string)
}

// Parse reads a manifest written as JSON, checks all of it and normalises every
// notation (spec 2.2, contract.md 2.1 to 2.3). It never stops at the first
// finding. With errors the Manifest is not to be used.
func Parse(data []byte, opts Options) (m Manifest, errors, warnings []contract.Problem) {
	root, doubles, serr := readJSON(string(data))
	c := &checker{opts: opts}
	if serr != nil {
		c.err(contract.ManifestSyntax, serr.place, "", "%s", serr.msg)
		return m, c.errors, nil
	}
	c.doubles(doubles)
	m = c.manifest(root)
	return m, c.errors, c.warnings
}

// ValidName reports whether s can name a function: a letter, then letters,
// digits or underscores, 64 characters at most.
func ValidName(s string) bool { return len(s) <= 64 && word(s, letter, letter+digit+"_") }

// Letters of names. Workers link this package and start often, so names are
// checked by hand: a compiled expression would cost at every start.
const (
	letter = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digit  = "0123456789"
)

// word reports whether s begins with one of first and goes on with any of rest.
func word(s, first, rest string) bool {
	return s != "" && strings.IndexByte(first, s[0]) >= 0 && strings.Trim(s[1:], rest) == ""
}

// identifier reports whether s is a name of JavaScript in ASCII.
func identifier(s string) bool {
	return len(s) <= 128 && word(s, letter+"_$", letter+digit+"_$")
}

// CheckName gives INVALID_NAME for what cannot name a function.
func CheckName(s string) *contract.Error {
	if ValidName(s) {
		return nil
	}
	return contract.Errorf(contract.InvalidName, "%s cannot name a function: a name is a letter, then letters, digits or underscores, 64 characters at most", quoted(s))
}

// checker collects problems while it walks the nodes.
type checker struct {
	opts     Options
	loose    bool // an @key header: a single text stands for a list of one
	errors   []contract.Problem
	warnings []contract.Problem
}

func (c *checker) err(code contract.Code, at place, path, format string, args ...any) {
	c.errors = append(c.errors, c.problem(code, at, path, format, args...))
}

func (c *checker) warn(code contract.Code, at place, path, format string, args ...any) {
	c.warnings = append(c.warnings, c.problem(code, at, path, format, args...))
}

func (c *checker) problem(code contract.Code, at place, path, format string, args ...any) contract.Problem {
	p := contract.Problem{Code: code, Message: fmt.Sprintf(format, args...), Path: path}
	return p.At(c.opts.File, at.line, at.col)
}

func (c *checker) doubles(ms []member) {
	for _, m := range ms {
		c.warn(contract.UnknownKey, m.place, m.key, "%s stands here twice; the last one counts", quoted(m.key))
	}
}

// unknown warns about keys nothing reads.
func (c *checker) unknown(n *node, path string, known ...string) {
	for _, m := range n.members {
		if slices.Contains(known, m.key) {
			continue
		}
		at := join(path, m.key)
		if near := nearest(m.key, known); near != "" {
			c.warn(contract.UnknownKey, m.place, at, "%s is not a known key; did you mean %s?", quoted(m.key), quoted(near))
			continue
		}
		c.warn(contract.UnknownKey, m.place, at, "%s is not a known key and is ignored", quoted(m.key))
	}
}

func (c *checker) manifest(n *node) (m Manifest) {
	m.Entrypoint = "default"
	if n.kind != kindObject {
		c.err(contract.InvalidManifest, n.place, "", "a manifest is a JSON object, not %s", n.kind)
		return m
	}
	c.unknown(n, "", "name", "description", "runtime", "entrypoint", "code", "permissions", "limits", "bundleSha256", "parameters", "secrets", "$schema", "contentId", "file")
	m.Name = c.text(n, "name")
	m.Description = c.text(n, "description")
	m.Runtime = c.runtime(n)
	if e := c.text(n, "entrypoint"); e != "" {
		m.Entrypoint = e
		if !identifier(e) {
			c.err(contract.InvalidManifest, n.get("entrypoint").place, "entrypoint", "entrypoint names an export of the source, such as handler; %s is no such name", quoted(e))
		}
	}
	m.Code = c.code(n.get("code"))
	if p := n.get("permissions"); p != nil {
		m.Permissions = c.permissions(p)
	}
	c.topLevelSecrets(n.get("secrets"), &m.Permissions)
	m.Limits = c.limits(n.get("limits"))
	if h := c.text(n, "bundleSha256"); h != "" {
		m.BundleSHA256 = c.hash(n.get("bundleSha256"), "bundleSha256")
	}
	if p := n.get("parameters"); p != nil && p.kind != kindNull {
		m.Parameters = c.parameters(p)
	}
	return m
}

// text reads an optional text; anything else is an error.
func (c *checker) text(n *node, key string) string {
	v := n.get(key)
	if v == nil || v.kind == kindNull {
		return ""
	}
	if v.kind != kindString {
		c.err(contract.InvalidManifest, v.place, key, "%s is a text, not %s", key, v.kind)
		return ""
	}
	return v.text
}

func (c *checker) runtime(n *node) string {
	v := n.get("runtime")
	if v == nil || v.kind == kindNull || v.kind == kindString && v.text == "" {
		if c.opts.DefaultRuntime != "" {
			return c.opts.DefaultRuntime
		}
		c.err(contract.MissingRuntime, n.place, "runtime", "the manifest names no runtime; add \"runtime\": %q", RuntimeJS)
		return ""
	}
	switch {
	case v.kind != kindString:
		c.err(contract.RuntimeUnknown, v.place, "runtime", "runtime is a text such as %q, not %s", RuntimeJS, v.kind)
	case v.text == RuntimeJS:
	case v.text == RuntimePyodide:
		c.err(contract.RuntimeDisabled, v.place, "runtime", "the runtime %s is deferred; %s is the active one", v.text, RuntimeJS)
	case v.text == RuntimeWasm:
		c.err(contract.RuntimeDisabled, v.place, "runtime", "the runtime %s is reserved for a later version; %s is the active one", v.text, RuntimeJS)
	default:
		c.err(contract.RuntimeUnknown, v.place, "runtime", "there is no runtime %s; %s is the active one", quoted(v.text), RuntimeJS)
	}
	return v.text
}

func (c *checker) limits(n *node) (l Limits) {
	if n == nil || n.kind == kindNull {
		return l
	}
	if n.kind != kindObject {
		c.err(contract.InvalidLimits, n.place, "limits", "limits is an object such as {\"wallMs\": 5000}, not %s", n.kind)
		return l
	}
	c.unknown(n, "limits", "wallMs", "cpuMs", "memoryMb", "ingressBytes", "egressBytes", "bodyBytesMax")
	l.WallMs = int(c.limit(n, "wallMs", contract.MaxWallMs))
	l.CPUMs = int(c.limit(n, "cpuMs", contract.MaxWallMs))
	l.MemoryMb = int(c.limit(n, "memoryMb", contract.MaxMemoryMb))
	l.IngressBytes = c.limit(n, "ingressBytes", 0)
	l.EgressBytes = c.limit(n, "egressBytes", 0)
	l.BodyBytesMax = c.limit(n, "bodyBytesMax", 0)
	return l
}

// limit reads a positive number, rounded up. Above most (0: none) it stays as
// it is, with a warning: Effective clamps it.
func (c *checker) limit(n *node, key string, most int64) int64 {
	v := n.get(key)
	if v == nil || v.kind == kindNull {
		return 0
	}
	path := "limits." + key
	f, err := strconv.ParseFloat(v.text, 64)
	if v.kind != kindNumber || err != nil || !(f > 0) || math.IsInf(f, 0) {
		c.err(contract.InvalidLimits, v.place, path, "%s is a number above 0", path)
		return 0
	}
	if most > 0 && f > float64(most) {
		c.warn(contract.InvalidLimits, v.place, path, "%s is above the maximum; the function runs with %d", path, most)
	}
	return int64(math.Ceil(min(f, 1<<40)))
}

// parameters checks a manifest's schema and gives it back as JSON.
func (c *checker) parameters(n *node) json.RawMessage {
	const code = contract.InvalidParametersSchema
	if n.kind != kindObject {
		c.err(code, n.place, "parameters", "parameters is a JSON Schema of an object, not %s", n.kind)
		return nil
	}
	if t := n.get("type"); t == nil || t.kind != kindString || t.text != "object" {
		c.err(code, n.placeOf("type"), "parameters.type", "the top of parameters has \"type\": \"object\": a function takes named arguments")
		return nil
	}
	text := n.appendJSON(nil)
	if c.opts.Schema == nil {
		return text
	}
	if at, message := c.opts.Schema(text); message != "" {
		c.err(code, n.locate(at).place, strings.Join(append([]string{"parameters"}, at...), "."), "%s", message)
		return nil
	}
	return text
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// nearest finds a known key that differs by case, by - and _, or by one letter.
func nearest(key string, known []string) string {
	if len(key) < 3 || len(key) > 64 {
		return ""
	}
	fold := strings.NewReplacer("-", "", "_", "")
	for _, k := range known {
		if strings.EqualFold(fold.Replace(k), fold.Replace(key)) || oneApart(k, key) {
			return k
		}
	}
	return ""
}

// oneApart reports whether one letter added, dropped or changed makes a into b.
func oneApart(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a)-len(b) > 1 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:]
	}
	return a[i+1:] == b[i:]
}
