package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
)

// AddSkill gives AGENT.md an entry at the end of a skill's list. Everything else
// stays as the author wrote it; where the place for it is written in braces, the
// frontmatter is written anew, comments and order kept.
func AddSkill(text, skill string, entry json.RawMessage) (string, error) {
	return editSkill(text, skill, func(list *yaml.Node) error {
		n, err := yamlOf(entry)
		if err == nil {
			list.Content = append(list.Content, n)
		}
		return err
	}, func(f *front) (string, bool) { return f.add(skill, entry) })
}

// ChangeSkill replaces an entry: keys that stay the same keep their text and
// comments.
func ChangeSkill(text, skill, id string, entry json.RawMessage) (string, error) {
	next, err := yamlOf(entry)
	if err != nil {
		return text, err
	}
	return editSkill(text, skill, func(list *yaml.Node) error {
		i := findID(list, id)
		if i < 0 {
			return errNoEntry
		}
		adopt(list.Content[i], next)
		return nil
	}, func(f *front) (string, bool) {
		list := f.list(skill)
		i := findID(list, id)
		if i < 0 || list.Style&yaml.FlowStyle != 0 {
			return "", false
		}
		start, end := f.itemLines(list, i)
		item := list.Content[i]
		adopt(item, next)
		item.HeadComment, item.FootComment = "", ""
		if len(item.Content) > 0 {
			item.Content[0].HeadComment = ""
		}
		lines, ok := f.item(item, list.Column-1)
		return f.splice(start, end, lines), ok
	})
}

// RemoveSkill takes an entry out, with the comment that stands right above it.
func RemoveSkill(text, skill, id string) (string, error) {
	return editSkill(text, skill, func(list *yaml.Node) error {
		i := findID(list, id)
		if i < 0 {
			return errNoEntry
		}
		list.Content = slices.Delete(list.Content, i, i+1)
		return nil
	}, func(f *front) (string, bool) {
		list := f.list(skill)
		i := findID(list, id)
		if i < 0 || list.Style&yaml.FlowStyle != 0 || len(list.Content) == 1 {
			return "", false
		}
		start, end := f.itemLines(list, i)
		for start > 1 {
			bare := strings.TrimLeft(f.lines[start-1], " ")
			if !strings.HasPrefix(bare, "#") || len(f.lines[start-1])-len(bare) != list.Column-1 {
				break
			}
			start--
		}
		f.dropped = countComments(strings.Join(f.lines[start:end], ""))
		return f.splice(start, end, nil), true
	})
}

var (
	errNoEntry = contract.Errorf(contract.EntryNotFound, "AGENT.md has no such entry")
	errNoFront = contract.Errorf(contract.AgentFileInvalid, "AGENT.md cannot be edited: its frontmatter between --- lines cannot be read")
)

// editSkill changes a list of entries.
func editSkill(text, skill string, nodes func(list *yaml.Node) error, lines func(f *front) (string, bool)) (string, error) {
	return editFront(text, func(doc *yaml.Node) error {
		list, err := makeList(doc, skill)
		if err != nil {
			return err
		}
		return nodes(list)
	}, lines)
}

// editFront changes the frontmatter twice: as nodes, which says what the file
// shall mean, and as text, which keeps it as it was written. The text counts when
// it means the same and no comment was lost.
func editFront(text string, nodes func(doc *yaml.Node) error, lines func(f *front) (string, bool)) (string, error) {
	f, err := readFront(text)
	if err != nil {
		return text, err
	}
	meant, err := readFront(text)
	if err != nil {
		return text, err
	}
	if err := nodes(meant.doc); err != nil {
		return text, err
	}
	want, err := (&jsonOf{}).json(meant.doc)
	if err != nil {
		return text, contract.Errorf(contract.AgentFileInvalid, "AGENT.md cannot be edited: %s", err.Error())
	}
	comments := countComments(text)
	if out, ok := lines(f); ok && countComments(out) >= comments-f.dropped {
		if again, err := readFront(out); err == nil {
			if got, err := (&jsonOf{}).json(again.doc); err == nil && bytes.Equal(got, want) {
				return out, nil
			}
		}
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(meant.doc), enc.Close()); err != nil {
		return text, err
	}
	return "---\n" + b.String() + "---\n" + meant.body, nil
}

func countComments(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") || strings.Contains(line, " #") {
			n++
		}
	}
	return n
}

// front is AGENT.md as lines and as nodes with their places.
type front struct {
	doc     *yaml.Node
	body    string
	lines   []string
	eol     string
	dropped int // comments that an edit means to take away
}

func readFront(text string) (*front, error) {
	head, body, found, closed := splitAgent(text)
	if !closed {
		return nil, errNoFront
	}
	f := &front{body: body, lines: strings.SplitAfter(text, "\n"), eol: newline(text)}
	if !found {
		f.lines = append([]string{"---" + f.eol, "---" + f.eol}, f.lines...)
	}
	doc, err := parseYAML(head)
	switch {
	case err != nil:
		return nil, errNoFront
	case doc == nil:
		doc = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	case doc.Kind != yaml.MappingNode:
		return nil, errNoFront
	}
	f.doc = doc
	return f, nil
}

// makeList finds the list of a skill, or makes it.
func makeList(doc *yaml.Node, skill string) (*yaml.Node, error) {
	at := doc
	for _, key := range []string{"skills", skill} {
		i := findKey(at, key)
		if i >= 0 && null(at.Content[i+1]) {
			at.Content[i+1] = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		}
		if i < 0 {
			at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"})
			i = len(at.Content) - 2
		}
		if at = at.Content[i+1]; at.Kind != yaml.MappingNode {
			return nil, contract.Errorf(contract.AgentFileInvalid, "AGENT.md cannot be edited: %s (line %d) is no plain object", key, at.Line)
		}
	}
	key := contract.SkillList(skill)
	i := findKey(at, key)
	if i < 0 {
		at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"})
		i = len(at.Content) - 2
	}
	if null(at.Content[i+1]) {
		at.Content[i+1] = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	}
	if at.Content[i+1].Kind != yaml.SequenceNode {
		return nil, contract.Errorf(contract.AgentFileInvalid, "AGENT.md cannot be edited: %s (line %d) is no list", key, at.Content[i+1].Line)
	}
	return at.Content[i+1], nil
}

func findID(list *yaml.Node, id string) int {
	if list == nil || list.Kind != yaml.SequenceNode {
		return -1
	}
	return slices.IndexFunc(list.Content, func(e *yaml.Node) bool {
		i := -1
		if e.Kind == yaml.MappingNode {
			i = findKey(e, "id")
		}
		return i >= 0 && e.Content[i+1].Value == id
	})
}

// adopt brings an entry up to another one and leaves alone what is the same.
func adopt(entry, next *yaml.Node) {
	same := func(a, b *yaml.Node) bool {
		x, err := (&jsonOf{}).json(a)
		y, err2 := (&jsonOf{}).json(b)
		return err == nil && err2 == nil && bytes.Equal(x, y)
	}
	var content []*yaml.Node
	for i := 0; i+1 < len(next.Content); i += 2 {
		k, v := next.Content[i], next.Content[i+1]
		if j := findKey(entry, k.Value); j >= 0 {
			k = entry.Content[j]
			if old := entry.Content[j+1]; same(old, v) {
				v = old
			} else {
				v.LineComment = old.LineComment
			}
		}
		content = append(content, k, v)
	}
	entry.Content = content
}
