package model

import (
	"encoding/json"

	"benchtop/backend/contract"
)

const maxMessages = 2000

// CheckMessages holds a conversation to the form of the OpenAI protocol. An
// error is INVALID_REQUEST and says where.
func CheckMessages(all []Message) error {
	if len(all) == 0 {
		return contract.Errorf(contract.InvalidRequest, "messages is empty: a conversation has one message at least")
	}
	if len(all) > maxMessages {
		return contract.Errorf(contract.InvalidRequest, "messages has %d messages; %d are allowed", len(all), maxMessages)
	}
	for i, m := range all {
		if err := m.check(); err != nil {
			return contract.Errorf(contract.InvalidRequest, "messages[%d]%s", i, err.Message)
		}
	}
	return nil
}

func (m Message) check() *contract.Error {
	bad := func(format string, args ...any) *contract.Error {
		return contract.Errorf(contract.InvalidRequest, format, args...)
	}
	switch m.Role {
	case RoleSystem, RoleUser, RoleAssistant, RoleTool, "developer":
	case "":
		return bad(".role is missing: system, user, assistant or tool")
	default:
		return bad(".role is system, user, assistant or tool, not %.40q", m.Role)
	}
	if m.Role == RoleTool && m.ToolCallID == "" {
		return bad(".tool_call_id is missing: which call the result is of")
	}
	for i, c := range m.ToolCalls {
		if c.ID == "" || c.Function.Name == "" || m.Role != RoleAssistant {
			return bad(".tool_calls[%d] is an assistant's {id, type: function, function: {name, arguments}}", i)
		}
	}
	return m.checkContent(bad)
}

func (m Message) checkContent(bad func(string, ...any) *contract.Error) *contract.Error {
	if len(m.Content) == 0 || string(m.Content) == "null" {
		if m.Role == RoleAssistant {
			return nil
		}
		return bad(".content is missing: a text or a list of parts")
	}
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		return bad(".content is a text or a list of parts")
	}
	for i, p := range parts {
		if p.Type == "" {
			return bad(".content[%d].type is missing: text, image_url or input_audio", i)
		}
	}
	return nil
}
