package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
)

// The file as it is written.
type (
	scriptText struct {
		Rules   []ruleText `yaml:"rules"`
		Replies []string   `yaml:"replies"`
		Words   *int       `yaml:"words_per_chunk"`
	}
	ruleText struct {
		When  string    `yaml:"when"`
		Reply string    `yaml:"reply"`
		Call  *callText `yaml:"call"`
		Then  string    `yaml:"then"`
		Else  string    `yaml:"else"`
		Fail  string    `yaml:"fail"`
	}
	callText struct {
		Tool string    `yaml:"tool"`
		Args yaml.Node `yaml:"args"`
	}
)

// The keys of each, by the name that a mistake calls it.
var scriptKeys = map[string][]string{
	"model.yaml": {"rules", "replies", "words_per_chunk"},
	"a rule":     {"when", "reply", "call", "then", "else", "fail"},
	"call":       {"tool", "args"},
}

// mistake is one in model.yaml, with its place: 1-based, 0 where it is of the
// whole.
type mistake struct {
	path         string // rules[0].when
	line, column int
	message      string
}

// Error names the rule, or the line where there is none.
func (m *mistake) Error() string {
	switch {
	case m.path != "":
		return m.path + ": " + m.message
	case m.line > 0:
		return fmt.Sprintf("line %d: %s", m.line, m.message)
	}
	return m.message
}

func (m *mistake) problem() contract.Problem {
	return contract.Problem{Code: contract.ProjectInvalid, Path: m.path, Message: m.message}.At(ScriptFile, m.line, m.column)
}

// parseScript reads model.yaml. What it found is the first mistake, and where it is.
func parseScript(text []byte) (s *Script, found *mistake) {
	// The YAML package is not ours; whatever it trips over is a malformed file.
	defer func() {
		if p := recover(); p != nil {
			s, found = nil, &mistake{message: "it cannot be read as YAML"}
		}
	}()
	root, found := scriptNode(text)
	if found != nil {
		return nil, found
	}
	p := &parser{}
	p.document(root)
	if p.found != nil {
		return nil, p.found
	}
	var t scriptText
	if root != nil {
		if err := root.Decode(&t); err != nil {
			return nil, yamlMistake(err)
		}
	}
	p.script(t)
	if p.found != nil {
		return nil, p.found
	}
	return p.out, nil
}

// scriptNode reads the text as YAML; nil when it says nothing.
func scriptNode(text []byte) (*yaml.Node, *mistake) {
	var doc yaml.Node
	err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, yamlMistake(err)
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" {
		return nil, nil
	}
	return root, nil
}

var yamlPlace = regexp.MustCompile(`^line (\d+): `)

func yamlMistake(err error) *mistake {
	text, _, _ := strings.Cut(strings.Replace(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n  ", "", 1), "\n")
	m := &mistake{message: text}
	if at := yamlPlace.FindStringSubmatch(text); at != nil {
		if line, err := strconv.Atoi(at[1]); err == nil {
			m.line, m.column, m.message = line, 1, text[len(at[0]):]
		}
	}
	return m
}

// parser makes a script of the text and keeps the first mistake. nodes are the
// rules as they stand in the file.
type parser struct {
	out     *Script
	nodes   []*yaml.Node
	replies []*yaml.Node
	words   *yaml.Node
	found   *mistake
}

func (p *parser) fail(n *yaml.Node, path, format string, args ...any) {
	if p.found != nil {
		return
	}
	p.found = &mistake{path: path, message: fmt.Sprintf(format, args...)}
	if n != nil {
		p.found.line, p.found.column = n.Line, n.Column
	}
}

// document looks at the keys, which YAML would say less well.
func (p *parser) document(root *yaml.Node) {
	if root == nil {
		return
	}
	if root.Kind != yaml.MappingNode {
		p.fail(root, "", "model.yaml is a map with %s", strings.Join(scriptKeys["model.yaml"], ", "))
		return
	}
	p.keys(root, "", "model.yaml")
	p.words = valueOf(root, "words_per_chunk")
	if n := valueOf(root, "replies"); n != nil {
		p.replies = n.Content
	}
	n := valueOf(root, "rules")
	if n == nil {
		return
	}
	p.nodes = n.Content
	for i, rule := range p.nodes {
		path := fmt.Sprintf("rules[%d]", i)
		p.keys(rule, path, "a rule")
		if call := valueOf(rule, "call"); call != nil {
			p.keys(call, path+".call", "call")
		}
	}
}

// keys refuses what nothing reads.
func (p *parser) keys(n *yaml.Node, path, what string) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		return // what is no map is said by its type
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; !contains(scriptKeys[what], k.Value) && k.Value != "<<" {
			p.fail(k, path, "%.80q is no key of %s; %s are", k.Value, what, strings.Join(scriptKeys[what], ", "))
		}
	}
}

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

// valueOf gives what stands behind a key of a map; nil without it.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			v := n.Content[i+1]
			for v.Kind == yaml.AliasNode {
				v = v.Alias
			}
			return v
		}
	}
	return nil
}

func (p *parser) script(t scriptText) {
	p.out = &Script{Replies: t.Replies, Words: 1}
	if t.Words != nil {
		if p.out.Words = *t.Words; p.out.Words < 1 || p.out.Words > 1000 {
			p.fail(p.words, "words_per_chunk", "it is a number from 1 to 1000")
		}
	}
	if len(t.Rules) > maxRules || len(t.Replies) > maxRules {
		p.fail(nil, "", "there are more than %d rules or replies", maxRules)
		return
	}
	for i, r := range t.Replies {
		if len(r) > maxText {
			p.fail(at(p.replies, i), fmt.Sprintf("replies[%d]", i), "a reply has %d bytes; %d are allowed", len(r), maxText)
		}
	}
	for i, r := range t.Rules {
		p.out.Rules = append(p.out.Rules, p.rule(r, at(p.nodes, i), fmt.Sprintf("rules[%d]", i)))
	}
}

func at(nodes []*yaml.Node, i int) *yaml.Node {
	if i < len(nodes) {
		return nodes[i]
	}
	return nil
}

func (p *parser) rule(r ruleText, n *yaml.Node, path string) Rule {
	// The place is that of the key, or of the rule for one that is not there.
	fail := func(key, format string, args ...any) {
		where := valueOf(n, key)
		if where == nil {
			where = n
		}
		p.fail(where, path, format, args...)
	}
	rule := Rule{Reply: r.Reply, Then: r.Then, Else: r.Else, Fail: r.Fail}
	if len(r.When) > maxPattern || len(r.Reply)+len(r.Then)+len(r.Else)+len(r.Fail) > maxText {
		fail("when", "when has more than %d bytes, or its texts more than %d", maxPattern, maxText)
		return rule
	}
	if r.When != "" {
		re, err := regexp.Compile("(?i)" + r.When)
		if err != nil {
			fail("when", "when is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
			return rule
		}
		rule.When = re
	}
	switch {
	case r.Reply == "" && r.Call == nil && r.Fail == "":
		fail("", "it has neither reply nor call nor fail")
		return rule
	case (r.Then != "" || r.Else != "") && r.Call == nil:
		fail("then", "then and else are said after a call, and there is none")
		return rule
	case r.Call == nil:
		return rule
	case r.Call.Tool == "":
		fail("call", "call.tool is missing: the name of a tool")
		return rule
	}
	rule.Call = &ScriptCall{Tool: r.Call.Tool, Args: map[string]any{}}
	if r.Call.Args.Kind != 0 {
		if err := r.Call.Args.Decode(&rule.Call.Args); err != nil {
			fail("call", "call.args is a map from names to values")
			return rule
		}
	}
	// What YAML allows and JSON does not, such as keys that are no texts.
	if _, err := marshal(rule.Call.Args); err != nil {
		fail("call", "call.args cannot be written as JSON")
	}
	return rule
}
