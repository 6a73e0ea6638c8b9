package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
)

// list finds a skill's list in the nodes; nil when it is not there.
func (f *front) list(skill string) *yaml.Node {
	at := f.doc
	for _, key := range []string{"skills", skill, contract.SkillList(skill)} {
		i := findKey(at, key)
		if i < 0 {
			return nil
		}
		at = at.Content[i+1]
	}
	return at
}

// add writes an entry below the last line of what is there of skills, skill and
// list. False: the place is not written line by line.
func (f *front) add(skill string, entry json.RawMessage) (string, bool) {
	item, err := yamlOf(entry)
	if err != nil {
		return "", false
	}
	missing := []string{"skills", skill, contract.SkillList(skill)}
	at, end, indent := f.doc, f.closing(), 0
	for len(missing) > 0 {
		i := findKey(at, missing[0])
		if i < 0 {
			break
		}
		key, v := at.Content[i], at.Content[i+1]
		if at.Style&yaml.FlowStyle != 0 || len(v.Content) == 0 || v.Style&yaml.FlowStyle != 0 {
			return "", false
		}
		_, end = entryLines(f.lines, key)
		at, missing, indent = v, missing[1:], v.Column-1
	}
	if at.Style&yaml.FlowStyle != 0 {
		return "", false
	}
	var lines []string
	for _, key := range missing {
		lines = append(lines, strings.Repeat(" ", indent)+key+":"+f.eol)
		indent += 2
	}
	itemLines, ok := f.item(item, indent)
	return f.splice(end, end, append(lines, itemLines...)), ok
}

// closing is the line that ends the frontmatter.
func (f *front) closing() int {
	for i := 1; i < len(f.lines); i++ {
		if strings.TrimRight(f.lines[i], " \t\r\n") == "---" {
			return i
		}
	}
	return len(f.lines)
}

// itemLines gives the lines [start, end) of an item of a block list, without the
// empty ones and comments that follow.
func (f *front) itemLines(list *yaml.Node, i int) (start, end int) {
	indent := list.Column - 1
	start = list.Content[i].Line - 1
	for start > 1 && !strings.HasPrefix(f.lines[start], strings.Repeat(" ", indent)+"-") {
		start--
	}
	end = start + 1
	for n := end; n < f.closing(); n++ {
		bare := strings.TrimLeft(f.lines[n], " ")
		if strings.TrimSpace(bare) == "" {
			continue
		}
		if len(f.lines[n])-len(bare) <= indent {
			break
		}
		end = n + 1
	}
	return start, end
}

func (f *front) splice(start, end int, lines []string) string {
	return strings.Join(slices.Replace(slices.Clone(f.lines), start, end, lines...), "")
}

// maxInline is how long an entry may be to stand on one line.
const maxInline = 120

// item writes an entry as an item of a list.
func (f *front) item(n *yaml.Node, indent int) ([]string, bool) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{n}}
	if errors.Join(enc.Encode(list), enc.Close()) != nil {
		return nil, false
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Repeat(" ", indent)+strings.TrimRight(line, "\n")+f.eol)
	}
	return lines, true
}

// yamlOf makes nodes of a JSON object, its keys in their order. A short flat one
// stands on one line.
func yamlOf(entry json.RawMessage) (*yaml.Node, error) {
	d := json.NewDecoder(bytes.NewReader(entry))
	d.UseNumber()
	n, err := readNode(d, 0)
	if err != nil || n.Kind != yaml.MappingNode {
		return nil, contract.Errorf(contract.InvalidEntry, "an entry is a JSON object")
	}
	if len(entry) <= maxInline {
		n.Style = yaml.FlowStyle
	}
	return n, nil
}

func readNode(d *json.Decoder, depth int) (*yaml.Node, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxSkillDepth {
		return nil, fmt.Errorf("nested more than %d levels deep", maxSkillDepth)
	}
	switch t := tok.(type) {
	case json.Delim:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		if t == '[' {
			n = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		}
		for d.More() {
			child, err := readNode(d, depth+1) // of an object, keys and values in turn
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
		}
		_, err := d.Token()
		return n, err
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: t}, nil
	case json.Number:
		tag := "!!int"
		if strings.ContainsAny(t.String(), ".eE") {
			tag = "!!float"
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: t.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(t)}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
}
