package project

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// AddEntry gives AGENT.md a line for a function under functions, when it has
// such a map without that name. Everything else stays as the author wrote it.
func AddEntry(text, name, description string) (string, bool) {
	_, entries := functionsNode(text)
	if entries == nil || findKey(entries, name) >= 0 || entries.Style&yaml.FlowStyle != 0 || len(entries.Content) == 0 {
		return text, false
	}
	value := "{}"
	if description != "" {
		value = "{ description: " + yamlScalar(description) + " }"
	}
	lines := strings.SplitAfter(text, "\n")
	last := entries.Content[len(entries.Content)-2]
	_, end := entryLines(lines, last)
	line := strings.Repeat(" ", last.Column-1) + name + ": " + value + newline(text)
	return strings.Join(slices.Insert(lines, end, line), ""), true
}

// RemoveEntry takes a function's entry out of AGENT.md, with the comment that
// stands right above it. Everything else stays as the author wrote it, unless
// the map is written in braces; then the frontmatter is written anew, comments
// and order kept.
func RemoveEntry(text, name string) (string, bool) {
	doc, entries := functionsNode(text)
	if entries == nil {
		return text, false
	}
	i := findKey(entries, name)
	if i < 0 {
		return text, false
	}
	if entries.Style&yaml.FlowStyle != 0 {
		return rewriteFront(text, doc, entries, i)
	}
	lines := strings.SplitAfter(text, "\n")
	start, end := entryLines(lines, entries.Content[i])
	if comment := entries.Content[i].HeadComment; comment != "" {
		start -= min(strings.Count(comment, "\n")+1, start)
	}
	return strings.Join(slices.Delete(lines, start, end), ""), true
}

// functionsNode finds the functions map of a readable AGENT.md.
func functionsNode(text string) (doc, entries *yaml.Node) {
	front, _, found, closed := splitAgent(text)
	if !found || !closed {
		return nil, nil
	}
	doc, err := parseYAML(front)
	if err != nil || doc == nil || doc.Kind != yaml.MappingNode {
		return nil, nil
	}
	i := findKey(doc, "functions")
	if i < 0 || doc.Content[i+1].Kind != yaml.MappingNode {
		return nil, nil
	}
	return doc, doc.Content[i+1]
}

func findKey(m *yaml.Node, key string) int {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// entryLines gives the lines [start, end) of a block entry: its own and the
// deeper ones below it, without the empty ones and comments that follow.
func entryLines(lines []string, key *yaml.Node) (start, end int) {
	start = key.Line - 1
	return start, entryEnd(lines, start, key.Column-1)
}

func entryEnd(lines []string, start, indent int) int {
	end := start + 1
	for i := end; i < len(lines); i++ {
		bare := strings.TrimLeft(lines[i], " ")
		depth := len(lines[i]) - len(bare)
		if strings.TrimSpace(bare) == "" {
			continue
		}
		if depth <= indent && !(depth == indent && strings.HasPrefix(bare, "- ")) {
			break
		}
		end = i + 1
	}
	return end
}

func rewriteFront(text string, doc, entries *yaml.Node, i int) (string, bool) {
	entries.Content = slices.Delete(entries.Content, i, i+2)
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if enc.Encode(doc) != nil || enc.Close() != nil {
		return text, false
	}
	_, body, _, _ := splitAgent(text)
	return "---\n" + out.String() + "---\n" + body, true
}

func yamlScalar(s string) string {
	b, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Value: strings.Join(strings.Fields(s), " "), Style: yaml.DoubleQuotedStyle})
	if err != nil {
		return `""`
	}
	// Long texts come folded over lines; inside quotes a fold is a space.
	return strings.Join(strings.Fields(string(b)), " ")
}

func newline(text string) string {
	if strings.Contains(text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// Rename changes the name in AGENT.md. Everything else stays as the author wrote
// it.
func Rename(text, name string) (string, bool) {
	front, _, found, closed := splitAgent(text)
	if !found || !closed {
		return text, false
	}
	doc, err := parseYAML(front)
	if err != nil || doc == nil || doc.Kind != yaml.MappingNode {
		return text, false
	}
	i := findKey(doc, "name")
	if i < 0 || doc.Content[i].Line != doc.Content[i+1].Line {
		return text, false
	}
	lines := strings.SplitAfter(text, "\n")
	key := doc.Content[i]
	lines[key.Line-1] = strings.Repeat(" ", key.Column-1) + "name: " + yamlScalar(name) + newline(text)
	return strings.Join(lines, ""), true
}
