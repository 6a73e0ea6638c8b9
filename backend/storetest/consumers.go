package storetest

import (
	"encoding/json"
	"reflect"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
)

func stored(agent string, position int, skill, id, entry string) consumers.Stored {
	return consumers.Stored{AgentID: agent, Position: position, Skill: skill, EntryID: id, JSON: json.RawMessage(entry)}
}

// Entries come back in their agent's order, a replacement is all or nothing, and
// an agent takes its own with it.
func testConsumers(t *testing.T, s Stores) {
	must(t, s.Agents.InsertAgent(ctx, agents.Agent{ID: "a", Username: "ann", CreatedAt: epoch}))
	tool := stored("a", 0, contract.SkillTools, "quote", `{"id":"quote","use":"f","note":"☕"}`)
	hook := stored("a", 1, contract.SkillHTTP, "quote", `{"id":"quote","use":"g"}`) // the same id in another skill
	must(t, s.Consumers.ReplaceConsumers(ctx, "a", []consumers.Stored{tool, hook}))
	other := stored("b", 0, contract.SkillCron, "quote", `{}`)
	must(t, s.Consumers.ReplaceConsumers(ctx, "b", []consumers.Stored{other}))

	s = s.Reopen(t)
	wantConsumers(t, s, tool, hook, other)

	tool.Position, hook.Position = 1, 0
	must(t, s.Consumers.ReplaceConsumers(ctx, "a", []consumers.Stored{hook, tool}))
	wantConsumers(t, s, hook, tool, other)
	double := []consumers.Stored{stored("a", 0, contract.SkillTools, "x", "{}"), stored("a", 1, contract.SkillTools, "x", "{}")}
	if err := s.Consumers.ReplaceConsumers(ctx, "a", double); err == nil {
		t.Error("two entries of one skill have one id")
	}
	wantConsumers(t, s, hook, tool, other)

	must(t, s.Consumers.ReplaceConsumers(ctx, "b", nil))
	wantConsumers(t, s, hook, tool)
	must(t, s.Agents.DeleteAgent(ctx, "a"))
	wantConsumers(t, s)
}

func wantConsumers(t *testing.T, s Stores, want ...consumers.Stored) {
	t.Helper()
	got, err := s.Consumers.ListConsumers(ctx)
	must(t, err)
	if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("consumers\n got %+v\nwant %+v", got, want)
	}
}
