package project

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// settingKeys are the keys of AGENT.md that say how the agent is served. What
// their values may be is not this package's business.
var settingKeys = []string{"model", "visibility", "transports", "commission_percent", "toolPricing"}

// Setting is one of these keys with its value.
type Setting struct {
	Key  string
	JSON json.RawMessage
	key  *yaml.Node
	node *yaml.Node
}

// At gives the place of what the path leads to, as far as it leads: the key
// itself, then names of members and "[n]" for elements.
func (s Setting) At(path []string) (line, column int) {
	at, n := s.node, s.node
	if len(path) < 2 {
		return s.key.Line, s.key.Column
	}
	for _, step := range path[1:] {
		n = follow(n)
		index, isIndex := strings.CutPrefix(step, "[")
		i, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		switch {
		case n.Kind == yaml.MappingNode && findKey(n, step) >= 0:
			i := findKey(n, step)
			at, n = n.Content[i], n.Content[i+1]
		case n.Kind == yaml.SequenceNode && isIndex && err == nil && i >= 0 && i < len(n.Content):
			at, n = n.Content[i], n.Content[i]
		default:
			return at.Line, at.Column
		}
	}
	return at.Line, at.Column
}

func (u *Unit) readSetting(k, v *yaml.Node) {
	text, err := (&jsonOf{}).json(v)
	if err != nil {
		u.agentProblem(k.Line, k.Column, k.Value, "%s is not read: %s", k.Value, err.Error())
		return
	}
	for _, s := range u.Agent.Settings {
		if s.Key == k.Value {
			u.agentProblem(k.Line, k.Column, k.Value, "%s is there twice; the first one counts", k.Value)
			return
		}
	}
	u.Agent.Settings = append(u.Agent.Settings, Setting{Key: k.Value, JSON: text, key: k, node: v})
}

// describeModel keeps a name as it is and an object as JSON.
func describeModel(v *yaml.Node) string {
	v = follow(v)
	if v.Kind == yaml.ScalarNode && !null(v) {
		return v.Value
	}
	if v.Kind != yaml.MappingNode {
		return ""
	}
	flat := map[string]string{}
	for i := 0; i+1 < len(v.Content); i += 2 {
		if v.Content[i+1].Kind == yaml.ScalarNode {
			flat[v.Content[i].Value] = v.Content[i+1].Value
		}
	}
	b, err := json.Marshal(flat)
	if err != nil { // texts always marshal
		return fmt.Sprint(err)
	}
	return string(b)
}
