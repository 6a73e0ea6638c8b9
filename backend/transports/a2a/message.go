package a2a

import (
	"encoding/base64"
	"encoding/json"
	"mime"
	"strings"
	"unicode/utf8"

	"benchtop/backend/model"
	"benchtop/backend/tasks"
)

// sendParams are the parameters of sending a message, in all versions.
type sendParams struct {
	ID            string          `json:"id"`        // legacy: the task's
	SessionID     string          `json:"sessionId"` // legacy: the context's
	Message       *wireMessage    `json:"message"`
	Metadata      json.RawMessage `json:"metadata"`
	Configuration struct {
		HistoryLength     *int            `json:"historyLength"`
		ReturnImmediately bool            `json:"returnImmediately"`
		Blocking          *bool           `json:"blocking"` // 0.3
		Push              json.RawMessage `json:"taskPushNotificationConfig"`
		LegacyPush        json.RawMessage `json:"pushNotificationConfig"`
	} `json:"configuration"`
	HistoryLength *int `json:"historyLength"` // legacy
}

// wireMessage is a message as clients of all versions send it.
type wireMessage struct {
	MessageID string          `json:"messageId"`
	ContextID string          `json:"contextId"`
	TaskID    string          `json:"taskId"`
	Role      string          `json:"role"`
	Parts     []wirePart      `json:"parts"`
	Metadata  json.RawMessage `json:"metadata"`
}

// wirePart is a part as clients of all versions send it: 1.0 has a member for
// each sort, 0.3 says kind and the first versions type.
type wirePart struct {
	Text      *string         `json:"text"`
	Data      json.RawMessage `json:"data"`
	URL       string          `json:"url"`
	Raw       string          `json:"raw"`
	Filename  string          `json:"filename"`
	MediaType string          `json:"mediaType"`
	MimeType  string          `json:"mimeType"`
	File      *struct {
		Name     string `json:"name"`
		MimeType string `json:"mimeType"`
		Bytes    string `json:"bytes"`
		URI      string `json:"uri"`
	} `json:"file"`
	Metadata json.RawMessage `json:"metadata"`
}

const (
	maxParts = 100
	maxID    = 128
)

// read checks a message and gives it in the form in which tasks keep it.
func (m *wireMessage) read(newID func() string) (tasks.Message, error) {
	var out tasks.Message
	switch {
	case m == nil:
		return out, faultf(invalidParams, "params.message is missing")
	case m.Role != "" && m.Role != "user" && m.Role != "ROLE_USER":
		return out, faultf(invalidParams, "message.role is ROLE_USER: what the agent says is its own, not %.40q", m.Role)
	case len(m.Parts) == 0:
		return out, faultf(invalidParams, "message.parts is empty: a message has one part at least")
	case len(m.Parts) > maxParts:
		return out, faultf(invalidParams, "message.parts has %d parts; %d are allowed", len(m.Parts), maxParts)
	}
	for _, id := range []struct{ name, value string }{{"messageId", m.MessageID}, {"contextId", m.ContextID}, {"taskId", m.TaskID}} {
		if err := checkID("message."+id.name, id.value); err != nil {
			return out, err
		}
	}
	out = tasks.Message{ID: m.MessageID, Role: tasks.RoleUser, Metadata: object(m.Metadata)}
	if out.ID == "" {
		out.ID = newID()
	}
	for i, p := range m.Parts {
		part := p.part()
		if _, err := content(part); err != nil {
			return out, faultf(err.kind, "message.parts[%d]: %s", i, err.message)
		}
		out.Parts = append(out.Parts, part)
	}
	return out, nil
}

func checkID(name, id string) error {
	bad := func(r rune) bool { return r <= ' ' || r == 0x7f || r == utf8.RuneError }
	if len(id) > maxID || strings.ContainsFunc(id, bad) {
		return faultf(invalidParams, "%s has at most %d characters and no spaces", name, maxID)
	}
	return nil
}

// object keeps metadata that is an object.
func object(raw json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || len(members) == 0 {
		return nil
	}
	return raw
}

func (p wirePart) part() tasks.Part {
	out := tasks.Part{Text: p.Text, URL: p.URL, Raw: p.Raw, Filename: p.Filename, MediaType: p.MediaType, Metadata: object(p.Metadata)}
	if out.MediaType == "" {
		out.MediaType = p.MimeType
	}
	if f := p.File; f != nil {
		out.URL, out.Raw = f.URI, f.Bytes
		if f.Name != "" {
			out.Filename = f.Name
		}
		if f.MimeType != "" {
			out.MediaType = f.MimeType
		}
	}
	if len(p.Data) > 0 && string(p.Data) != "null" {
		out.Data = p.Data
	}
	return out
}

// contentPart is a part of a message to a model.
type contentPart struct {
	Type  string            `json:"type"`
	Text  string            `json:"text,omitempty"`
	Image map[string]string `json:"image_url,omitempty"`
	Audio map[string]string `json:"input_audio,omitempty"`
}

// content is what a model gets of a part: text and data as text, pictures and
// sounds as such, files of text as their text.
func content(p tasks.Part) (contentPart, *fault) {
	given := 0
	for _, is := range []bool{p.Text != nil, len(p.Data) > 0, p.URL != "", p.Raw != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		return contentPart{}, faultf(invalidParams, "a part has one of text, data, url and raw (file in earlier versions)")
	}
	text := func(s string) (contentPart, *fault) { return contentPart{Type: "text", Text: s}, nil }
	switch {
	case p.Text != nil:
		return text(*p.Text)
	case len(p.Data) > 0:
		return text(string(p.Data))
	}
	media, _, err := mime.ParseMediaType(p.MediaType)
	if err != nil {
		media = p.MediaType
	}
	var bytes []byte
	if p.Raw != "" {
		if bytes, err = base64.StdEncoding.DecodeString(p.Raw); err != nil {
			if bytes, err = base64.RawURLEncoding.DecodeString(strings.TrimRight(p.Raw, "=")); err != nil {
				return contentPart{}, faultf(invalidParams, "raw (file.bytes) is not base64")
			}
		}
	}
	switch {
	case strings.HasPrefix(media, "image/"):
		url := p.URL
		if url == "" {
			url = "data:" + media + ";base64," + base64.StdEncoding.EncodeToString(bytes)
		}
		return contentPart{Type: "image_url", Image: map[string]string{"url": url}}, nil
	case p.Raw != "" && (media == "audio/wav" || media == "audio/mpeg" || media == "audio/mp3"):
		format := "mp3"
		if media == "audio/wav" {
			format = "wav"
		}
		return contentPart{Type: "input_audio", Audio: map[string]string{"data": base64.StdEncoding.EncodeToString(bytes), "format": format}}, nil
	case p.Raw != "" && (strings.HasPrefix(media, "text/") || media == "application/json") && utf8.Valid(bytes):
		return text(string(bytes))
	case p.URL != "":
		return text(strings.TrimSpace(p.Filename + " " + p.URL))
	}
	return contentPart{}, faultf(contentType, "files of %.80q cannot be read here: text, images, audio/wav and audio/mpeg can", p.MediaType)
}

// conversation gives messages as a model gets them.
func conversation(all []tasks.Message) []model.Message {
	var out []model.Message
	for _, m := range all {
		role := model.RoleUser
		if m.Role == tasks.RoleAgent {
			role = model.RoleAssistant
		}
		parts := []contentPart{}
		plain := true
		for _, p := range m.Parts {
			c, err := content(p)
			if err != nil {
				continue // read has refused it before it was stored
			}
			plain = plain && c.Type == "text"
			parts = append(parts, c)
		}
		if plain {
			var lines []string
			for _, c := range parts {
				lines = append(lines, c.Text)
			}
			out = append(out, model.TextMessage(role, strings.Join(lines, "\n")))
			continue
		}
		b, _ := json.Marshal(parts) // texts always marshal
		out = append(out, model.Message{Role: role, Content: b})
	}
	return out
}
