package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what an upstream model may say.
const (
	maxFrame = 4 << 20
	maxReply = 16 << 20
	maxWords = 64 << 10 // of an error, read
	maxSaid  = 1000     // of an error, repeated
)

// reply puts an answer together from the chunks of the OpenAI protocol.
type reply struct {
	say   func(string) error
	think func(string) error // nil: nobody asks
	heard func()             // something came
	newID func() string

	text   strings.Builder
	calls  []ToolCall
	finish string
	usage  Usage
	size   int
	begun  bool
	stray  string // the first line that is none of an event stream
}

// piece is a chunk, or a whole completion: Delta or Message is there.
type piece struct {
	Choices []struct {
		Delta   *said  `json:"delta"`
		Message *said  `json:"message"`
		Finish  string `json:"finish_reason"`
	} `json:"choices"`
	Usage   *Usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"` // of an error, where there are no choices
	Detail  json.RawMessage `json:"detail"`
}

// words are the text of a message: some servers send it in parts.
type words string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '[' {
		return json.Unmarshal(b, (*string)(w))
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if p.Type == "text" {
			*w += words(p.Text)
		}
	}
	return nil
}

type said struct {
	Content *words `json:"content"`
	// What the model reasons, under one of two names, and with some servers in
	// forms of their own, which are passed over.
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`

	ToolCalls []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// stream reads server-sent events until [DONE], or the end behind a chunk that
// says why the answer ended.
func (r *reply) stream(body io.Reader) error {
	lines := bufio.NewReaderSize(body, 32<<10)
	var data []byte
	var event string
	for {
		line, err := readLine(lines)
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && len(data) == 0) {
			if errors.Is(err, io.EOF) && r.finish != "" {
				return nil
			}
			switch {
			case !errors.Is(err, io.EOF):
				return err
			case r.stray != "" && !r.begun:
				return errors.New("it sent what is no chat completion: " + r.stray)
			}
			return io.ErrUnexpectedEOF
		}
		r.heard()
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
		} else if name, ok := bytes.CutPrefix(line, []byte("event:")); ok {
			event = string(bytes.TrimSpace(name))
		} else if r.stray == "" && !isField(line) {
			r.stray = short(string(line), 200)
		}
		if len(data) > maxFrame {
			return fmt.Errorf("it sent an event of more than %d bytes", maxFrame)
		}
		if len(line) > 0 && err == nil {
			continue
		}
		if event == "error" && len(data) > 0 {
			return errors.New("it failed: " + errorWords(data))
		}
		if done, err := r.event(data); done || err != nil {
			return err
		}
		data, event = data[:0], ""
	}
}

// isField reports whether a line may stand in an event stream, beside its data and
// the names of its events.
func isField(line []byte) bool {
	for _, field := range []string{":", "id:", "retry:"} {
		if bytes.HasPrefix(line, []byte(field)) {
			return true
		}
	}
	return len(bytes.TrimSpace(line)) == 0
}

// readLine gives a line without its end; with EOF, what is left.
func readLine(from *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := from.ReadSlice('\n')
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) && len(line) <= maxFrame {
			continue
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}

func (r *reply) event(data []byte) (done bool, err error) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return false, nil
	}
	if string(data) == "[DONE]" {
		if !r.begun {
			return true, errors.New("its answer was empty")
		}
		return true, nil
	}
	return false, r.piece(data)
}

// whole reads an answer that is not streamed.
func (r *reply) whole(body io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(body, maxReply+1))
	if err != nil {
		return err
	}
	if err := r.piece(text); err != nil {
		return err
	}
	if !r.begun {
		return errors.New("its answer has no choices")
	}
	return nil
}

func (r *reply) piece(text []byte) error {
	if r.size += len(text); r.size > maxReply {
		return fmt.Errorf("its answer has more than %d bytes", maxReply)
	}
	var p piece
	if err := json.Unmarshal(text, &p); err != nil {
		return fmt.Errorf("it sent what is no chat completion: %s", short(string(text), 200))
	}
	if len(p.Error) > 0 && string(p.Error) != "null" {
		return errors.New("it failed: " + errorWords(text))
	}
	if p.Usage != nil {
		r.usage = *p.Usage
		if r.usage.TotalTokens == 0 {
			r.usage.TotalTokens = r.usage.PromptTokens + r.usage.CompletionTokens
		}
	}
	if len(p.Choices) == 0 {
		if p.Usage == nil && len(p.Message)+len(p.Detail) > 0 {
			return errors.New("it failed: " + errorWords(text))
		}
		return nil
	}
	r.begun = true
	c := p.Choices[0]
	if c.Finish != "" {
		r.finish = c.Finish
	}
	for _, s := range []*said{c.Delta, c.Message} {
		if s == nil {
			continue
		}
		if err := r.take(s); err != nil {
			return err
		}
	}
	return nil
}

func (r *reply) take(s *said) error {
	for _, raw := range []json.RawMessage{s.ReasoningContent, s.Reasoning} {
		var text string
		if r.think == nil || json.Unmarshal(raw, &text) != nil || text == "" {
			continue
		}
		if err := r.think(text); err != nil {
			return err
		}
		break // servers that send both send the same
	}
	if s.Content != nil && *s.Content != "" {
		text := string(*s.Content)
		r.text.WriteString(text)
		if err := r.say(text); err != nil {
			return err
		}
	}
	for _, c := range s.ToolCalls {
		// Without an index, a call that has a name is another one.
		at := len(r.calls) - 1
		if c.Index != nil {
			at = *c.Index
		} else if c.Function.Name != "" || at < 0 {
			at++
		}
		if at < 0 || at > len(r.calls) || at >= maxCalls {
			return fmt.Errorf("it called more than %d tools at once, or out of order", maxCalls)
		}
		if at == len(r.calls) {
			r.calls = append(r.calls, ToolCall{Type: "function"})
		}
		call := &r.calls[at]
		if c.ID != "" {
			call.ID = c.ID
		}
		if c.Function.Name != "" {
			call.Function.Name = c.Function.Name
		}
		args := string(c.Function.Arguments)
		var text string
		if json.Unmarshal(c.Function.Arguments, &text) == nil {
			args = text // as the protocol has it; some servers send the object itself
		}
		call.Function.Arguments += args
	}
	return nil
}

func (r *reply) answer() answer {
	a := answer{text: r.text.String(), finish: r.finish, usage: r.usage}
	for _, c := range r.calls {
		if c.Function.Name == "" {
			continue
		}
		if c.ID == "" {
			c.ID = "call_" + strings.ReplaceAll(r.newID(), "-", "")
		}
		a.calls = append(a.calls, c)
	}
	if !slices.Contains([]string{FinishStop, FinishLength, FinishFilter, FinishToolCalls}, a.finish) {
		a.finish = FinishStop
	}
	return a
}

// errorWords finds what a failed answer says in words.
func errorWords(text []byte) string {
	var e struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(text, &e) != nil {
		return short(string(text), maxSaid)
	}
	for _, raw := range []json.RawMessage{e.Error, e.Detail} {
		var words string
		var nested struct {
			Message string `json:"message"`
		}
		switch {
		case len(raw) == 0:
		case json.Unmarshal(raw, &words) == nil && words != "":
			return short(words, maxSaid)
		case json.Unmarshal(raw, &nested) == nil && nested.Message != "":
			return short(nested.Message, maxSaid)
		}
	}
	if e.Message != "" {
		return short(e.Message, maxSaid)
	}
	return short(string(text), maxSaid)
}

// short makes words of strangers fit into one line.
func short(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}

// retryAfter reads a number of seconds; dates are not worth it.
func retryAfter(value string) int {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > 3600 {
		return 0
	}
	return n
}
