package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"benchtop/backend/contract"
)

// Bounds of a call of the Client place.
const (
	maxCallHeaders  = 100
	maxCallMessages = 500
	maxCallPath     = 8 << 10
	maxFileName     = 255
)

var (
	tabs      = []string{contract.TabHTTP, contract.TabWebSocket, contract.TabSSE, contract.TabChat, contract.TabA2A, contract.TabUAMP}
	callers   = []string{contract.ClientOwner, contract.ClientAnonymous, contract.ClientVisitor, contract.ClientAdmin, contract.ClientBearer}
	httpToken = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$")
)

// clientFile is a saved call as it is written: a body or message that is JSON
// stands in it as JSON, so that people can read it and compare versions.
type clientFile struct {
	Tab      string                `json:"tab"`
	Method   string                `json:"method,omitempty"`
	Path     string                `json:"path,omitempty"`
	Headers  []contract.HeaderPair `json:"headers,omitempty"`
	Body     json.RawMessage       `json:"body,omitempty"`
	BodyFile string                `json:"bodyFile,omitempty"`
	NoFollow bool                  `json:"noFollow,omitempty"`
	Caller   *contract.SavedCaller `json:"caller,omitempty"`
	Messages []json.RawMessage     `json:"messages,omitempty"`
}

// parseClientCall reads the text of a saved call. The error is for people.
func parseClientCall(text string) (c contract.ClientCallContent, err error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.TrimSpace(text) == "" {
		return c, errors.New("it is empty")
	}
	var kept clientFile
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return c, errors.New(reasonOf(text, err))
	}
	c = contract.ClientCallContent{Tab: kept.Tab, Method: kept.Method, Path: kept.Path, Headers: kept.Headers, Body: textOf(kept.Body), BodyFile: kept.BodyFile, NoFollow: kept.NoFollow, Caller: contract.SavedCaller{Kind: contract.ClientOwner}}
	if kept.Caller != nil {
		c.Caller = *kept.Caller
	}
	for _, m := range kept.Messages {
		c.Messages = append(c.Messages, textOf(m))
	}
	return c, checkClientCall(&c)
}

// formatClientCall writes a call that was checked. What is read again is the
// same, to the byte.
func formatClientCall(c contract.ClientCallContent) (string, error) {
	kept := clientFile{Tab: c.Tab, Method: c.Method, Path: c.Path, Headers: c.Headers, BodyFile: c.BodyFile, NoFollow: c.NoFollow, Caller: &c.Caller}
	if c.Body != "" {
		kept.Body = rawOf(c.Body)
	}
	for _, m := range c.Messages {
		kept.Messages = append(kept.Messages, rawOf(m))
	}
	return layOut(kept)
}

func layOut(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.String(), err
}

// textOf gives the text that stands in a file as a string or as JSON.
func textOf(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var text string
	if raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// rawOf gives a text as JSON where textOf leads back to the same text, else as a
// string.
func rawOf(text string) json.RawMessage {
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		if raw, err := layOut(json.RawMessage(text)); err == nil && textOf(json.RawMessage(strings.TrimSpace(raw))) == text {
			return json.RawMessage(text)
		}
	}
	raw, err := layOut(text)
	if err != nil {
		return json.RawMessage(`""`) // a string always can be written
	}
	return json.RawMessage(strings.TrimSpace(raw))
}

// checkClientCall holds a call to its form and fills in what may be left out.
func checkClientCall(c *contract.ClientCallContent) error {
	if !slices.Contains(tabs, c.Tab) {
		return fmt.Errorf(`"tab" is %q, and is one of %s`, cut(c.Tab), strings.Join(tabs, ", "))
	}
	if c.Caller.Kind == "" {
		c.Caller.Kind = contract.ClientOwner
	}
	if !slices.Contains(callers, c.Caller.Kind) {
		return fmt.Errorf(`"caller" has the kind %q, which is one of %s`, cut(c.Caller.Kind), strings.Join(callers, ", "))
	}
	if c.Caller.Kind != contract.ClientVisitor {
		c.Caller.ID = ""
	}
	if len(c.Caller.ID) > 200 {
		return errors.New(`"caller" has an id of more than 200 characters`)
	}
	if len(c.Messages) > maxCallMessages {
		return fmt.Errorf(`"messages" has %d entries; %d are allowed`, len(c.Messages), maxCallMessages)
	}
	switch c.Tab {
	case contract.TabHTTP, contract.TabSSE, contract.TabWebSocket:
		return checkRequest(c)
	}
	return nil
}

func checkRequest(c *contract.ClientCallContent) error {
	if c.Method == "" {
		c.Method = "GET"
	}
	if !httpToken.MatchString(c.Method) {
		return fmt.Errorf(`"method" is %q, which is none`, cut(c.Method))
	}
	if !strings.HasPrefix(c.Path, "/") || len(c.Path) > maxCallPath {
		return fmt.Errorf(`"path" begins with a slash and has %d characters at most`, maxCallPath)
	}
	if len(c.Headers) > maxCallHeaders {
		return fmt.Errorf(`"headers" has %d entries; %d are allowed`, len(c.Headers), maxCallHeaders)
	}
	if len(c.BodyFile) > maxFileName || strings.ContainsAny(c.BodyFile, "/\\\r\n\x00") {
		return fmt.Errorf(`"bodyFile" is %q; it is the name of a file without its folder, of %d bytes at most`, cut(c.BodyFile), maxFileName)
	}
	for _, h := range c.Headers {
		if !httpToken.MatchString(h.Name) || strings.ContainsAny(h.Value, "\r\n\x00") {
			return fmt.Errorf(`"headers" has %q, which is no header`, cut(h.Name))
		}
	}
	return nil
}

// reasonOf says what is wrong with a file, and where.
func reasonOf(text string, err error) string {
	line := func(offset int64) int { return 1 + strings.Count(text[:min(int(offset), len(text))], "\n") }
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("line %d: %s", line(syntax.Offset), syntax.Error())
	}
	var mistyped *json.UnmarshalTypeError
	if !errors.As(err, &mistyped) {
		return err.Error()
	}
	want := "an object"
	switch mistyped.Type.Kind() {
	case reflect.String:
		want = "a string"
	case reflect.Slice:
		want = "a list"
	}
	what := "the file"
	if mistyped.Field != "" {
		what = fmt.Sprintf("%q", mistyped.Field)
	}
	return fmt.Sprintf("line %d: %s must be %s and not %s", line(mistyped.Offset), what, want, mistyped.Value)
}

func cut(text string) string { return text[:min(len(text), 60)] }
