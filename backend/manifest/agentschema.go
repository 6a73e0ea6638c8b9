package manifest

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed agent.schema.json
var agentSchema []byte

// AgentSchema is the JSON Schema of AGENT.md's frontmatter, for editors.
func AgentSchema() []byte { return agentSchema }

// AgentSchemaOf gives a schema of its own for one of the definitions in it, such
// as endpoint.
func AgentSchemaOf(definition string) ([]byte, error) {
	var all struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(agentSchema, &all); err != nil {
		return nil, fmt.Errorf("the schema of AGENT.md: %w", err)
	}
	var one map[string]json.RawMessage
	if err := json.Unmarshal(all.Defs[definition], &one); err != nil {
		return nil, fmt.Errorf("the schema of AGENT.md has no %s: %w", definition, err)
	}
	defs, err := json.Marshal(all.Defs)
	if err != nil {
		return nil, err
	}
	one["$defs"] = defs
	return json.Marshal(one)
}
