package model

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"
)

// speak says a text in pieces of so many words, and counts what it took.
func speak(ctx context.Context, text string, q question, words int, say func(string) error) (answer, error) {
	for _, piece := range pieces(text, words) {
		if err := ctx.Err(); err != nil {
			return answer{}, err
		}
		if err := say(piece); err != nil {
			return answer{}, err
		}
	}
	u := Usage{CompletionTokens: tokens(text)}
	for _, m := range q.messages {
		u.PromptTokens += tokens(m.Text())
		for _, c := range m.ToolCalls {
			u.PromptTokens += tokens(c.Function.Name) + tokens(c.Function.Arguments)
		}
	}
	u.TotalTokens = u.PromptTokens + u.CompletionTokens
	return answer{text: text, finish: FinishStop, usage: u}, nil
}

// pieces cuts a text behind the space that follows every n-th word; together they
// are the text.
func pieces(text string, n int) []string {
	var out []string
	start, words, inWord := 0, 0, false
	for i, r := range text {
		space := unicode.IsSpace(r)
		if inWord && space {
			words++
		}
		if words >= n && !space && !inWord {
			out = append(out, text[start:i])
			start, words = i, 0
		}
		inWord = !space
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// tokens is what a text counts as: about four bytes are one.
func tokens(text string) int { return (len(text) + 3) / 4 }

// plainResult is a tool's result for people: a text as it is, else its JSON.
func plainResult(result string) string {
	var text string
	if json.Unmarshal([]byte(result), &text) == nil {
		return text
	}
	return result
}

// marshal writes JSON as people write it: <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}
