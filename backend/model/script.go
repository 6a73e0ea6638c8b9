package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

// ScriptFile is where a project keeps the script of its agent's model.
const ScriptFile = ".benchtop/model.yaml"

// Bounds of a script. Expressions are those of Go, which take linear time.
const (
	maxScriptBytes = 256 << 10
	maxRules       = 500
	maxPattern     = 1000
	maxText        = 64 << 10
)

// Script is what the scripted model goes by. The first rule that fits what was
// said last is taken; when none does, Replies are given in turn, one for each
// answer that the conversation has already; without any, the model describes
// itself.
type Script struct {
	Rules   []Rule
	Replies []string
	// Words is how many words a chunk has.
	Words int
}

// Rule is one line of a conversation. Texts may say {{1}} for what a group of
// When has found, {{text}} for what was said, {{agent}} for the agent's name,
// and, where a tool was called before, {{result}} or {{result.a.b}} for what it
// gave.
type Rule struct {
	When  *regexp.Regexp // nil fits everything
	Reply string         // said first
	Call  *ScriptCall    // then this is called
	Then  string         // and this is said about its result; empty is the result itself
	Else  string         // or this when the tool failed; empty is what it failed with
	Fail  string         // the model fails with these words instead
}

// ScriptCall is a call of a tool, the agent's or the client's. A text in Args
// that is one placeholder and nothing else becomes what it stands for, a number
// where it reads as one; others are filled in as texts.
type ScriptCall struct {
	Tool string
	Args map[string]any
}

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

// ParseScript reads model.yaml. An error says the line where YAML knows it, or
// the rule.
func ParseScript(text []byte) (*Script, error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	var t scriptText
	if err := d.Decode(&t); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(strings.TrimPrefix(firstLine(err), "yaml: "))
	}
	s := &Script{Replies: t.Replies, Words: 1}
	if t.Words != nil {
		if s.Words = *t.Words; s.Words < 1 || s.Words > 1000 {
			return nil, errors.New("words_per_chunk is a number from 1 to 1000")
		}
	}
	if len(t.Rules) > maxRules || len(t.Replies) > maxRules {
		return nil, fmt.Errorf("there are more than %d rules or replies", maxRules)
	}
	for _, r := range t.Replies {
		if len(r) > maxText {
			return nil, fmt.Errorf("a reply has %d bytes; %d are allowed", len(r), maxText)
		}
	}
	for i, r := range t.Rules {
		rule, err := r.parse()
		if err != nil {
			return nil, fmt.Errorf("rules[%d]: %w", i, err)
		}
		s.Rules = append(s.Rules, rule)
	}
	return s, nil
}

func (r ruleText) parse() (Rule, error) {
	rule := Rule{Reply: r.Reply, Then: r.Then, Else: r.Else, Fail: r.Fail}
	if len(r.When) > maxPattern || len(r.Reply)+len(r.Then)+len(r.Else)+len(r.Fail) > maxText {
		return rule, fmt.Errorf("when has more than %d bytes, or its texts more than %d", maxPattern, maxText)
	}
	if r.When != "" {
		re, err := regexp.Compile("(?i)" + r.When)
		if err != nil {
			return rule, fmt.Errorf("when is no regular expression: %w", err)
		}
		rule.When = re
	}
	switch {
	case r.Reply == "" && r.Call == nil && r.Fail == "":
		return rule, errors.New("it has neither reply nor call nor fail")
	case (r.Then != "" || r.Else != "") && r.Call == nil:
		return rule, errors.New("then and else are said after a call, and there is none")
	case r.Call == nil:
		return rule, nil
	case r.Call.Tool == "":
		return rule, errors.New("call.tool is missing: the name of a tool")
	}
	rule.Call = &ScriptCall{Tool: r.Call.Tool, Args: map[string]any{}}
	if r.Call.Args.Kind != 0 {
		if err := r.Call.Args.Decode(&rule.Call.Args); err != nil {
			return rule, errors.New("call.args is a map from names to values")
		}
	}
	// What YAML allows and JSON does not, such as keys that are no texts.
	if _, err := marshal(rule.Call.Args); err != nil {
		return rule, errors.New("call.args cannot be written as JSON")
	}
	return rule, nil
}

func firstLine(err error) string {
	text, _, _ := strings.Cut(strings.Replace(err.Error(), "unmarshal errors:\n  ", "", 1), "\n")
	return text
}

// loadScript reads an agent's script each time it is needed: what was saved
// counts from the next turn on.
func loadScript(a agents.Agent) (*Script, error) {
	if a.Folder == "" {
		return &Script{Words: 1}, nil
	}
	f, err := project.ReadOwn(a.Folder, "model.yaml", maxScriptBytes)
	if err != nil {
		return nil, contract.Errorf(contract.ModelNotReady, "%s of agent %s cannot be read: %s", ScriptFile, a.Username, err)
	}
	if f == nil {
		return &Script{Words: 1}, nil
	}
	s, err := ParseScript([]byte(f.Text))
	if err != nil {
		return nil, contract.Errorf(contract.ModelNotReady, "%s of agent %s has a mistake: %s", ScriptFile, a.Username, err)
	}
	return s, nil
}
