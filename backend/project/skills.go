package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
)

// Bounds of what the entries of AGENT.md unfold to, aliases followed.
const (
	maxSkillNodes = 20_000
	maxSkillDepth = 64
)

// SkillEntry is an entry under skills in AGENT.md, such as
// skills.cron.schedules[0]. JSON is its value, nil for one that cannot be read,
// whose ID is there if that can.
type SkillEntry struct {
	Skill string
	Path  string
	JSON  json.RawMessage
	ID    string
	node  *yaml.Node
}

// At gives the place of one of its keys, or of the entry itself.
func (e SkillEntry) At(key string) (line, column int) {
	if i := findKey(e.node, key); e.node.Kind == yaml.MappingNode && i >= 0 {
		return e.node.Content[i].Line, e.node.Content[i].Column
	}
	return e.node.Line, e.node.Column
}

// readSkills collects the entries of the skills that consume functions.
func (u *Unit) readSkills(skills *yaml.Node) {
	if null(skills) {
		return
	}
	if skills.Kind != yaml.MappingNode {
		for _, s := range contract.SkillLists {
			u.Agent.Unread = append(u.Agent.Unread, s.Skill)
		}
		u.agentProblem(skills.Line, skills.Column, "skills", "skills is a list of skills, such as custom_http, each with its entries behind it")
		return
	}
	conv := &jsonOf{}
	for i := 0; i+1 < len(skills.Content); i += 2 {
		k, skill := skills.Content[i], follow(skills.Content[i+1])
		list := contract.SkillList(k.Value)
		path := "skills." + k.Value
		switch {
		case list == "":
			u.Problems = append(u.Problems, contract.Problem{Code: contract.UnknownKey, Path: path,
				Message: fmt.Sprintf("%q is not a skill that is known here; it is ignored", k.Value)}.At(AgentFileName, k.Line, k.Column))
		case null(skill):
		case skill.Kind != yaml.MappingNode:
			u.Agent.Unread = append(u.Agent.Unread, k.Value)
			u.agentProblem(skill.Line, skill.Column, path, "%s is an object with %s", path, list)
		default:
			u.readSkill(k.Value, path, list, skill, conv)
		}
	}
}

func (u *Unit) readSkill(name, path, list string, skill *yaml.Node, conv *jsonOf) {
	i := findKey(skill, list)
	if i < 0 {
		return
	}
	path += "." + list
	entries := follow(skill.Content[i+1])
	if null(entries) {
		return
	}
	if entries.Kind != yaml.SequenceNode {
		u.Agent.Unread = append(u.Agent.Unread, name)
		u.agentProblem(entries.Line, entries.Column, path, "%s is a list: each entry begins with -", path)
		return
	}
	for n, e := range entries.Content {
		e = follow(e)
		at := fmt.Sprintf("%s[%d]", path, n)
		text, err := conv.json(e)
		if err != nil {
			u.agentProblem(e.Line, e.Column, at, "%s is not read: %s", at, err.Error())
			entry := SkillEntry{Skill: name, Path: at, node: e}
			if i := findKey(e, "id"); e.Kind == yaml.MappingNode && i >= 0 {
				entry.ID = e.Content[i+1].Value
			}
			u.Agent.Skills = append(u.Agent.Skills, entry)
			continue
		}
		u.Agent.Skills = append(u.Agent.Skills, SkillEntry{Skill: name, Path: at, JSON: text, node: e})
	}
}

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// jsonOf writes YAML as JSON, keys in their order. What aliases unfold to counts,
// so that a small text cannot become a large one.
type jsonOf struct{ nodes int }

func (c *jsonOf) json(n *yaml.Node) (json.RawMessage, error) {
	var b bytes.Buffer
	err := c.write(&b, n, 0)
	return b.Bytes(), err
}

func (c *jsonOf) write(b *bytes.Buffer, n *yaml.Node, depth int) error {
	if c.nodes++; c.nodes > maxSkillNodes || depth > maxSkillDepth {
		return errors.New("it is too large or too deep")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return c.write(b, n.Alias, depth+1)
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := c.write(b, item, depth+1); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	case yaml.MappingNode:
		return c.object(b, n, depth)
	}
	return scalarJSON(b, n)
}

func (c *jsonOf) object(b *bytes.Buffer, n *yaml.Node, depth int) error {
	b.WriteByte('{')
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := follow(n.Content[i])
		if k.Kind != yaml.ScalarNode || k.ShortTag() == "!!merge" {
			return fmt.Errorf("line %d: a key is a text", k.Line)
		}
		if seen[k.Value] {
			return fmt.Errorf("line %d: %q is there twice", k.Line, k.Value)
		}
		seen[k.Value] = true
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(text(k.Value))
		b.WriteByte(':')
		if err := c.write(b, n.Content[i+1], depth+1); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func scalarJSON(b *bytes.Buffer, n *yaml.Node) error {
	switch n.ShortTag() {
	case "!!null":
		b.WriteString("null")
		return nil
	case "!!bool", "!!int", "!!float":
		if json.Valid([]byte(n.Value)) { // as it was written: a decimal is no binary fraction
			b.WriteString(n.Value)
			return nil
		}
		var v any
		if err := n.Decode(&v); err != nil {
			return fmt.Errorf("line %d: %q is no value", n.Line, n.Value)
		}
		out, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("line %d: %s has no place in JSON", n.Line, n.Value)
		}
		b.Write(out)
		return nil
	}
	b.Write(text(n.Value))
	return nil
}

func text(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return bytes.TrimRight(b.Bytes(), "\n")
}
