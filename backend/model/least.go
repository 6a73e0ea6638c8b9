package model

import (
	"encoding/json"

	"benchtop/backend/contract"
)

const maxLeastDepth = 8

// leastArguments makes the least arguments that a schema asks for: its required
// properties, each with its default, its first choice, or a value of its type;
// a text is what was said.
func leastArguments(schema contract.RawJSON, said string) string {
	b, err := marshal(least(schema, said, 0))
	if err != nil {
		return "{}"
	}
	return string(b)
}

func least(schema contract.RawJSON, said string, depth int) any {
	var s struct {
		Type       any                         `json:"type"`
		Default    contract.RawJSON            `json:"default"`
		Const      contract.RawJSON            `json:"const"`
		Enum       []contract.RawJSON          `json:"enum"`
		Required   []string                    `json:"required"`
		Properties map[string]contract.RawJSON `json:"properties"`
		Minimum    json.Number                 `json:"minimum"`
	}
	empty := map[string]any{}
	if json.Unmarshal(schema, &s) != nil || depth > maxLeastDepth {
		return empty
	}
	switch {
	case depth == 0:
	case len(s.Default) > 0:
		return s.Default
	case len(s.Const) > 0:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	kind, _ := s.Type.(string)
	if several, ok := s.Type.([]any); ok && len(several) > 0 {
		kind, _ = several[0].(string)
	}
	if depth > 0 {
		switch kind {
		case "string":
			return said
		case "integer", "number":
			if s.Minimum != "" {
				return s.Minimum
			}
			return 1
		case "boolean":
			return true
		case "array":
			return []any{}
		case "null":
			return nil
		}
	}
	for _, name := range s.Required {
		empty[name] = least(s.Properties[name], said, depth+1)
	}
	return empty
}
