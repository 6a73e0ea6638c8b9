package platform

import (
	"encoding/json"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// A function has its agent's model do something that nobody waits for: tools run
// in the agent's name, and the answer is in the owner's inbox.
func TestBackgroundRun(t *testing.T) {
	st := openStage(t)
	play := func(call string, body any, out any) {
		t.Helper()
		status, got, _ := st.send(scenario{Call: call, As: "owner", Body: body})
		if status != 200 {
			t.Fatalf("%s: %d %v", call, status, got)
		}
		b, err := json.Marshal(got)
		if err == nil && out != nil {
			err = json.Unmarshal(b, out)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, source := range map[string]string{
		"whose": `export default (ctx) => ctx.auth.agentId === ctx.metadata.agentId ? "my own" : "somebody's"`,
		"nudge": `export default async (ctx) => [await ctx.portal.backgroundRun({ prompt: "/tool whose" }), await ctx.portal.backgroundRun({ prompt: "again" })]`,
	} {
		play("POST /api/agents/mia/functions", map[string]any{"name": name, "source": source,
			"manifest": map[string]any{"runtime": "js-v1", "permissions": map[string]any{"portal": []string{"backgroundRun"}}}}, nil)
	}
	play("POST /api/agents/mia/skills/custom_tools/use", map[string]any{"entry": map[string]any{"id": "whose", "name": "whose"}, "use": "whose"}, nil)
	var ran struct {
		InvocationID string
		Result       []struct {
			OK, Skipped    bool
			ChatID, Reason string
			RetryInSec     int
		}
	}
	play("POST /api/agents/mia/functions/nudge/invoke", map[string]any{"args": map[string]any{}}, &ran)
	r := ran.Result
	if len(r) != 2 || !r[0].OK || !strings.HasPrefix(r[0].ChatID, "chat_") || !r[1].Skipped || r[1].Reason != "cooldown" || r[1].RetryInSec < 1 {
		t.Fatalf("%+v", ran)
	}
	for ev := range st.sub.C {
		if ev.Name == contract.EvInboxMessage {
			break
		}
	}
	var page contract.InboxPage
	play("GET /api/local/inbox", nil, &page)
	if len(page.Messages) != 1 || page.Messages[0].Body != "my own" || page.Messages[0].InvocationID != ran.InvocationID || page.Messages[0].Severity != contract.SeverityInfo {
		t.Errorf("%+v", page.Messages)
	}
}
