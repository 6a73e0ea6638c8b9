package project

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
)

const transportsKey = "transports"

// SetTransport puts a name into the transports of AGENT.md or takes it out; a list
// that has none left goes. Everything else stays as the author wrote it.
func SetTransport(text, name string, on bool) (string, error) {
	names, err := transportsOf(text)
	if err != nil || slices.Contains(names, name) == on {
		return text, err
	}
	return editFront(text, func(doc *yaml.Node) error {
		i := findKey(doc, transportsKey)
		scalar := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}
		switch {
		case i < 0:
			list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle, Content: []*yaml.Node{scalar}}
			doc.Content = append(doc.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: transportsKey}, list)
		case null(doc.Content[i+1]):
			doc.Content[i+1] = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle, Content: []*yaml.Node{scalar}, LineComment: doc.Content[i+1].LineComment}
		case on:
			doc.Content[i+1].Content = append(doc.Content[i+1].Content, scalar)
		case len(names) == 1:
			doc.Content = slices.Delete(doc.Content, i, i+2)
		default:
			list := doc.Content[i+1]
			list.Content = slices.DeleteFunc(list.Content, func(n *yaml.Node) bool { return n.Value == name })
		}
		return nil
	}, func(f *front) (string, bool) { return f.setTransport(names, name, on) })
}

// transportsOf reads the names; what is no list of them is not for us to edit.
func transportsOf(text string) ([]string, error) {
	f, err := readFront(text)
	if err != nil {
		return nil, err
	}
	i := findKey(f.doc, transportsKey)
	if i < 0 || null(f.doc.Content[i+1]) {
		return nil, nil
	}
	list := f.doc.Content[i+1]
	odd := list.Kind != yaml.SequenceNode || slices.ContainsFunc(list.Content, func(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode })
	if odd {
		return nil, contract.Errorf(contract.AgentFileInvalid, "AGENT.md cannot be edited: transports (line %d) is no list of names", list.Line)
	}
	var names []string
	for _, n := range list.Content {
		names = append(names, n.Value)
	}
	return names, nil
}

// setTransport does the same to the lines. False: they are not written so that a
// line of them could be changed by itself.
func (f *front) setTransport(names []string, name string, on bool) (string, bool) {
	i := findKey(f.doc, transportsKey)
	if i < 0 {
		if f.doc.Style&yaml.FlowStyle != 0 {
			return "", false
		}
		at := f.closing()
		return f.splice(at, at, []string{inBrackets([]string{name}, "") + f.eol}), true
	}
	key, list := f.doc.Content[i], f.doc.Content[i+1]
	start, end := entryLines(f.lines, key)
	if !on && len(names) == 1 {
		f.dropped = countComments(strings.Join(f.lines[start:end], ""))
		return f.splice(start, end, nil), true
	}
	if list.Kind == yaml.SequenceNode && list.Style&yaml.FlowStyle == 0 && len(list.Content) > 0 {
		if on {
			return f.splice(end, end, []string{strings.Repeat(" ", list.Column-1) + "- " + name + f.eol}), true
		}
		at := slices.IndexFunc(list.Content, func(n *yaml.Node) bool { return n.Value == name })
		from, to := f.itemLines(list, at)
		f.dropped = countComments(strings.Join(f.lines[from:to], ""))
		return f.splice(from, to, nil), true
	}
	next := slices.Concat(names, []string{name})
	if !on {
		next = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
	}
	comment := list.LineComment
	if comment == "" {
		comment = key.LineComment
	}
	return f.splice(start, end, []string{inBrackets(next, comment) + f.eol}), true
}

func inBrackets(names []string, comment string) string {
	line := transportsKey + ": [" + strings.Join(names, ", ") + "]"
	if comment != "" {
		line += " " + comment
	}
	return line
}
