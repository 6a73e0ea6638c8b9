package uamp

import (
	"encoding/json"

	"benchtop/backend/model"
)

// maxConversation bounds what a session keeps, in bytes.
const (
	maxConversation = 16 << 20
	maxItems        = 2000
)

func tooLarge() *failure {
	return &failure{Code: codeTooLarge, Message: "the conversation is larger than a session keeps; delete items or create another session"}
}

// item is one of a conversation. An open one is input of the user's to which more
// may come before it is answered; its parts become its content then.
type item struct {
	id      string
	message model.Message
	parts   []part
	open    bool
	bytes   int
}

// part is a piece of a message to a model, in the form of the OpenAI protocol.
type part struct {
	Type  string            `json:"type"`
	Text  string            `json:"text,omitempty"`
	Image map[string]string `json:"image_url,omitempty"`
	Video map[string]string `json:"video_url,omitempty"`
	Audio map[string]string `json:"input_audio,omitempty"`
	File  map[string]string `json:"file,omitempty"`
}

func (p part) size() int {
	n := len(p.Text)
	for _, m := range []map[string]string{p.Image, p.Video, p.Audio, p.File} {
		for _, v := range m {
			n += len(v)
		}
	}
	return n
}

func toolItem(callID, name, result string) item {
	m := model.TextMessage(model.RoleTool, result)
	m.ToolCallID, m.Name = callID, name
	return item{message: m, bytes: len(result)}
}

func itemOf(m model.Message) item {
	n := len(m.Content)
	for _, c := range m.ToolCalls {
		n += len(c.Function.Arguments) + len(c.Function.Name)
	}
	return item{message: m, bytes: n}
}

// add puts an item at the end of the conversation; the lock is held.
func (s *session) add(i item) {
	if i.id == "" {
		i.id = s.c.t.id("item")
	}
	s.items = append(s.items, i)
	s.bytes += i.bytes
}

// input adds a piece of the user's input.
func (s *session) input(role string, p part) *failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := p.size()
	if s.bytes+n > maxConversation || len(s.items) >= maxItems {
		return tooLarge()
	}
	if last := len(s.items) - 1; role == model.RoleUser && last >= 0 && s.items[last].open {
		s.items[last].parts = append(s.items[last].parts, p)
		s.items[last].bytes += n
		s.bytes += n
		return nil
	}
	s.add(item{message: model.Message{Role: role}, parts: []part{p}, open: role == model.RoleUser, bytes: n})
	return nil
}

// messages is the conversation as a model gets it; the lock is held. Nothing more
// comes to its items.
func (s *session) messages() []model.Message {
	var all []model.Message
	for i := range s.items {
		it := &s.items[i]
		it.open = false
		m := it.message
		switch {
		case len(it.parts) == 1 && it.parts[0].Type == "text":
			m = model.TextMessage(m.Role, it.parts[0].Text)
		case len(it.parts) > 0:
			m.Content, _ = json.Marshal(it.parts) // texts always marshal
		}
		all = append(all, m)
	}
	return all
}

// createItem answers conversation.item.create: history that the client brings.
func (s *session) createItem(in incoming) *failure {
	var e struct {
		Item struct {
			ID        string          `json:"id"`
			Type      string          `json:"type"`
			Role      string          `json:"role"`
			Content   json.RawMessage `json:"content"`
			Name      string          `json:"name"`
			Arguments string          `json:"arguments"`
			CallID    string          `json:"call_id"`
			Output    json.RawMessage `json:"output"`
		} `json:"item"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	it := e.Item
	var made item
	switch it.Type {
	case "message", "":
		made = itemOf(model.Message{Role: it.Role, Content: contentOf(it.Content)})
	case "function_call":
		made = itemOf(model.Message{Role: model.RoleAssistant, Content: json.RawMessage("null"), ToolCalls: []model.ToolCall{
			{ID: it.CallID, Type: "function", Function: model.FunctionCall{Name: it.Name, Arguments: it.Arguments}},
		}})
	case "function_call_output":
		output := string(it.Output)
		_ = json.Unmarshal(it.Output, &output) // what is no text stays the JSON that it is
		made = toolItem(it.CallID, "", output)
	default:
		return invalid("an item is a message, a function_call or a function_call_output, not %.40q", it.Type)
	}
	if err := model.CheckMessages([]model.Message{made.message}); err != nil {
		return invalid("the item cannot be read: %s", clip(err.Error()))
	}
	if len(it.ID) > maxID {
		return invalid("item.id has at most %d characters", maxID)
	}
	made.id = it.ID
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case it.ID != "" && s.itemAt(it.ID) >= 0:
		return invalid("the conversation has an item %s already", clip(it.ID))
	case s.bytes+made.bytes > maxConversation || len(s.items) >= maxItems:
		return tooLarge()
	}
	s.add(made)
	return nil
}

// contentOf reads content items of the protocol, {type: text, text}, as parts of
// the OpenAI protocol, which have the same form for text.
func contentOf(raw json.RawMessage) json.RawMessage {
	var items []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &items) != nil {
		return raw
	}
	var parts []part
	for _, it := range items {
		switch it.Type {
		case "text", "input_text", "output_text":
			parts = append(parts, part{Type: "text", Text: it.Text})
		default:
			return raw
		}
	}
	b, err := json.Marshal(parts)
	if err != nil || len(parts) == 0 {
		return raw
	}
	return b
}

// itemAt finds an item; the lock is held.
func (s *session) itemAt(id string) int {
	for i, it := range s.items {
		if it.id == id {
			return i
		}
	}
	return -1
}

type itemEvent struct {
	ItemID string `json:"item_id"`
}

func (s *session) deleteItem(in incoming) *failure {
	var e itemEvent
	if f := in.into(&e); f != nil {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.itemAt(e.ItemID)
	if i < 0 {
		return noItem(e.ItemID)
	}
	s.bytes -= s.items[i].bytes
	s.items = append(s.items[:i:i], s.items[i+1:]...)
	return nil
}

// truncateItem shortens sound that was not heard; here an agent answers in text,
// which has been read when it is there.
func (s *session) truncateItem(in incoming) *failure {
	var e itemEvent
	if f := in.into(&e); f != nil {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.itemAt(e.ItemID) < 0 {
		return noItem(e.ItemID)
	}
	return nil
}

func noItem(id string) *failure {
	return &failure{Code: codeItemNotFound, Message: "the conversation has no item " + clip(id)}
}
