package completions

import (
	"encoding/json"
	"errors"
	"regexp"

	"benchtop/backend/contract"
	"benchtop/backend/model"
)

// request is the body of a chat completion. Whatever else the protocol has is in
// options, for the models that know it.
type request struct {
	Model         string                    `json:"model"`
	Messages      []model.Message           `json:"messages"`
	Stream        bool                      `json:"stream"`
	Tools         []contract.ToolDefinition `json:"tools"`
	ToolChoice    contract.RawJSON          `json:"tool_choice"`
	N             *int                      `json:"n"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`

	choice  model.Choice
	options map[string]contract.RawJSON
}

const (
	maxModelName = 256
	maxTools     = 128
)

var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// parse reads a request. An error is INVALID_REQUEST and says what is wrong with
// it, and where.
func parse(body []byte) (*request, error) {
	bad := func(format string, args ...any) (*request, error) {
		return nil, contract.Errorf(contract.InvalidRequest, format, args...)
	}
	r := &request{}
	if err := json.Unmarshal(body, &r.options); err != nil || r.options == nil {
		return bad("the request is no JSON object")
	}
	if err := json.Unmarshal(body, r); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return bad("%s cannot be a %s", wrong.Field, wrong.Value)
		}
		return bad("the request cannot be read")
	}
	switch {
	case r.Model == "":
		return bad("model is missing: any name; the agent's is what it is called")
	case len(r.Model) > maxModelName:
		return bad("model has more than %d bytes", maxModelName)
	case r.N != nil && *r.N != 1:
		return bad("n is 1: an agent gives one answer")
	case len(r.Tools) > maxTools:
		return bad("tools has %d tools; %d are allowed", len(r.Tools), maxTools)
	}
	if err := model.CheckMessages(r.Messages); err != nil {
		return nil, err
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		if t.Type != "function" || !toolName.MatchString(t.Function.Name) {
			return bad(`tools[%d] is {"type":"function","function":{"name":...}}, with a name of letters, digits, _ and -, 64 at most`, i)
		}
		if len(t.Function.Parameters) == 0 || string(t.Function.Parameters) == "null" {
			t.Function.Parameters = contract.RawJSON(`{"type":"object","properties":{}}`)
		}
		var object map[string]contract.RawJSON
		if json.Unmarshal(t.Function.Parameters, &object) != nil {
			return bad("tools[%d].function.parameters is no JSON Schema of an object", i)
		}
	}
	var err error
	r.choice, err = model.ParseChoice(r.ToolChoice)
	return r, err
}
