package model

import (
	"encoding/json"

	"benchtop/backend/contract"
)

// Modes of a Choice.
const (
	ChoiceAuto     = "auto"
	ChoiceNone     = "none"
	ChoiceRequired = "required"
	ChoiceFunction = "function" // the one that Name names
)

// Choice is whether a model may or has to call tools; the zero one lets it.
type Choice struct {
	Mode string
	Name string
}

func (c Choice) forces() bool { return c.Mode == ChoiceRequired || c.Mode == ChoiceFunction }

// JSON gives the choice as the OpenAI protocol has it, nil for the zero one.
func (c Choice) JSON() contract.RawJSON {
	var v any = c.Mode
	switch c.Mode {
	case "":
		return nil
	case ChoiceFunction:
		v = map[string]any{"type": "function", "function": map[string]string{"name": c.Name}}
	}
	b, _ := json.Marshal(v) // texts always marshal
	return b
}

// ParseChoice reads tool_choice: auto, none, required, or {type: function,
// function: {name}}.
func ParseChoice(raw contract.RawJSON) (Choice, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return Choice{}, nil
	}
	var mode string
	if json.Unmarshal(raw, &mode) == nil {
		switch mode {
		case ChoiceAuto, ChoiceNone, ChoiceRequired:
			return Choice{Mode: mode}, nil
		}
	}
	var named struct {
		Type     string `json:"type"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if json.Unmarshal(raw, &named) == nil && named.Type == "function" && named.Function.Name != "" {
		return Choice{Mode: ChoiceFunction, Name: named.Function.Name}, nil
	}
	return Choice{}, contract.Errorf(contract.InvalidRequest, `tool_choice is auto, none, required or {"type":"function","function":{"name":...}}`)
}
