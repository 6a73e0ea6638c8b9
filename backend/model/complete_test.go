package model

import (
	"encoding/json"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

func TestComplete(t *testing.T) {
	private := agents.Agent{Username: "mia", Settings: agents.Settings{Model: agents.ModelSpec{Kind: agents.ModelEcho}}}
	w := newWorld(t, private)
	var text, finish string
	var usage *Usage
	ids := map[string]bool{}
	for raw, err := range w.Complete(t.Context(), w.agents["mia"], contract.RawJSON(`[{"role":"user","content":"one two three"}]`)) {
		if err != nil {
			t.Fatal(err)
		}
		var c CompletionChunk
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatal(err)
		}
		ids[c.ID] = true
		if c.Object != "chat.completion.chunk" || c.Model != "mia" || c.Created != 1700000000 {
			t.Errorf("%s", raw)
		}
		if len(c.Choices) > 0 {
			if d := c.Choices[0].Delta.Content; d != nil {
				text += *d
			}
			if f := c.Choices[0].FinishReason; f != nil {
				finish = *f
			}
		}
		usage = c.Usage
	}
	if text != "one two three" || finish != "stop" || usage == nil || len(ids) != 1 {
		t.Errorf("%q %s %v %v", text, finish, usage, ids)
	}
	w.price["mia"] = true // which the run that asks pays
	n := 0
	for _, err := range w.Complete(t.Context(), w.agents["mia"], contract.RawJSON(`[{"role":"user","content":"one two three"}]`)) {
		if err != nil {
			t.Error(err)
		}
		if n++; n == 2 {
			break
		}
	}
	if w.Running("id-mia") != 0 {
		t.Error("the turn goes on without anybody")
	}
	for messages, want := range map[string]string{`{}`: "messages is a list", `[]`: "messages is empty", `[{"role":"x","content":"y"}]`: "messages[0].role"} {
		var errs []string
		for _, err := range w.Complete(t.Context(), w.agents["mia"], contract.RawJSON(messages)) {
			errs = append(errs, err.Error())
		}
		if len(errs) != 1 || !strings.Contains(errs[0], want) {
			t.Errorf("%s: %q", messages, errs)
		}
	}
}
