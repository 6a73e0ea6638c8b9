package model

import "context"

// echo says what was said last.
type echo struct{}

func (echo) step(ctx context.Context, q question, say func(string) error) (answer, error) {
	text := ""
	if n := len(q.messages); n > 0 {
		text = q.messages[n-1].Text()
	}
	return speak(ctx, text, q, 1, say)
}
