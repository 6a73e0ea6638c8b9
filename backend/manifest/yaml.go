package manifest

import (
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readYAML parses YAML into nodes. Aliases are followed, but what they unfold
// to counts towards maxNodes and maxDepth, so a small text cannot become a
// large value.
func readYAML(text string) (root *node, doubles []member, err *syntaxError) {
	defer func() {
		// The YAML package is not ours; whatever it trips over is a malformed text.
		if p := recover(); p != nil {
			e, ok := p.(*syntaxError)
			if !ok {
				e = &syntaxError{place{1, 1}, "cannot be read as YAML"}
			}
			root, err = nil, e
		}
	}()
	if len(text) > MaxManifestBytes {
		return nil, nil, &syntaxError{place{1, 1}, "has " + strconv.Itoa(len(text)) + " bytes; " + strconv.Itoa(MaxManifestBytes) + " are allowed"}
	}
	var doc yaml.Node
	if e := yaml.Unmarshal([]byte(text), &doc); e != nil {
		return nil, nil, yamlSyntax(e)
	}
	if len(doc.Content) == 0 {
		return &node{place: place{1, 1}, kind: kindNull}, nil, nil
	}
	r := &yamlReader{}
	return r.convert(doc.Content[0], 0), r.doubles, nil
}

func yamlSyntax(err error) *syntaxError {
	msg, _, _ := strings.Cut(err.Error(), "\n")
	msg = strings.TrimPrefix(msg, "yaml: ")
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		number, what, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil && line > 0 {
			return &syntaxError{place{line, 1}, what}
		}
	}
	return &syntaxError{place{1, 1}, msg}
}

type yamlReader struct {
	nodes   int
	doubles []member
}

func (r *yamlReader) convert(y *yaml.Node, depth int) *node {
	r.nodes++
	n := &node{place: place{y.Line, y.Column}}
	if depth > maxDepth {
		panic(&syntaxError{n.place, "nested more than " + strconv.Itoa(maxDepth) + " levels deep"})
	}
	if r.nodes > maxNodes {
		panic(&syntaxError{n.place, "more than " + strconv.Itoa(maxNodes) + " values, aliases unfolded"})
	}
	switch y.Kind {
	case yaml.AliasNode:
		return r.convert(y.Alias, depth+1)
	case yaml.SequenceNode:
		n.kind = kindArray
		for _, c := range y.Content {
			n.items = append(n.items, r.convert(c, depth+1))
		}
	case yaml.MappingNode:
		n.kind = kindObject
		r.mapping(n, y, depth)
	default:
		scalar(n, y)
	}
	return n
}

func (r *yamlReader) mapping(n *node, y *yaml.Node, depth int) {
	var merged []member
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, v := y.Content[i], r.convert(y.Content[i+1], depth+1)
		if k.ShortTag() == "!!merge" {
			from := []*node{v}
			if v.kind == kindArray {
				from = v.items
			}
			for _, o := range from {
				merged = append(merged, o.members...)
			}
			continue
		}
		if k.Kind == yaml.AliasNode {
			k = k.Alias
		}
		if k.Kind != yaml.ScalarNode {
			panic(&syntaxError{place{k.Line, k.Column}, "a key is a plain text here"})
		}
		n.members = append(n.members, member{place{k.Line, k.Column}, k.Value, v})
	}
	r.doubles = append(r.doubles, n.dropDoubles()...)
	for _, m := range merged {
		if n.get(m.key) == nil {
			n.members = append(n.members, m)
		}
	}
}

func scalar(n *node, y *yaml.Node) {
	n.kind, n.text = kindString, y.Value
	switch y.ShortTag() {
	case "!!null":
		n.kind, n.text = kindNull, ""
	case "!!bool":
		var b bool
		if y.Decode(&b) == nil {
			n.kind, n.flag, n.text = kindBool, b, ""
		}
	case "!!int":
		var i int64
		if y.Decode(&i) == nil {
			n.kind, n.text = kindNumber, strconv.FormatInt(i, 10)
		}
	case "!!float":
		var f float64
		if y.Decode(&f) == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			n.kind, n.text = kindNumber, strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
}
