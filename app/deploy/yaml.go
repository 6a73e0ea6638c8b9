package deploy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlOf is JSON as YAML without braces, keys in their order. Texts are quoted
// where they must be.
func yamlOf(text json.RawMessage) (*yaml.Node, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	n, err := yamlValue(dec)
	if err != nil {
		return nil, fmt.Errorf("cannot be written as YAML: %w", err)
	}
	return n, nil
}

func yamlValue(dec *json.Decoder) (*yaml.Node, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		n := &yaml.Node{Kind: yaml.MappingNode}
		if t == '[' {
			n.Kind = yaml.SequenceNode
		}
		for dec.More() { // a key is a value, too
			child, err := yamlValue(dec)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
		}
		if len(n.Content) == 0 {
			n.Style = yaml.FlowStyle
		}
		_, err := dec.Token()
		return n, err
	case string:
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: t}
		if t != strings.TrimLeft(t, " \t\n") {
			n.Style = yaml.DoubleQuotedStyle // a block that begins so is written with an indent that is not read again
		}
		return n, nil
	case json.Number:
		tag, value := "!!int", t.String()
		switch {
		case bytes.ContainsAny([]byte(t), ".eE"):
			tag = "!!float"
		case value == "-0": // no whole number has a sign and no size
			tag, value = "!!float", "-0.0"
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(t)}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
}
