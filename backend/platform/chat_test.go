package platform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// say sends one message to an agent as nobody, with a payment token or without.
func (c *console) say(agent, text, token string, stream bool) (status int, body string) {
	c.t.Helper()
	sent, err := json.Marshal(map[string]any{"model": agent, "stream": stream, "messages": []any{map[string]string{"role": "user", "content": text}}})
	if err != nil {
		c.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url+"/"+agent+"/v1/chat/completions", bytes.NewReader(sent))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("X-PAYMENT", token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// paidChat is leo, whose tool costs a cent, and mia, whose model leo is.
func paidChat(t *testing.T) *console {
	t.Helper()
	c := start(t, t.TempDir())
	for name, more := range map[string]map[string]any{
		"Leo": {"toolPricing": map[string]any{"tools": map[string]any{"fn:price": map[string]int{"perCall": 10_000_000}}}},
		"Mia": {"model": fmt.Sprintf(`{"base_url": %q, "model": "leo"}`, c.url+"/leo/v1")},
	} {
		more["name"], more["visibility"], more["transports"] = name, "public", []string{"completions"}
		c.must("POST", "/api/agents", more, nil)
	}
	c.declare("leo", "price", `{"runtime":"js-v1"}`, `export default () => "ten"`)
	c.must("POST", "/api/agents/leo/skills/custom_tools/use", map[string]any{"entry": map[string]any{"id": "price", "name": "price"}, "use": "price"}, nil)
	return c
}

func (c *console) mint(amount float64, audience string) (token, id string) {
	c.t.Helper()
	var r contract.PaymentMintResponse
	c.must("POST", "/api/local/payments/mint", map[string]any{"amount": amount, "audience": audience}, &r)
	return r.Token, r.Info.ID
}

func (c *console) left(tokenID string) string {
	c.t.Helper()
	var tok contract.PaymentToken
	c.must("GET", "/api/payments/tokens/"+tokenID, nil, &tok)
	return tok.RemainingCredits.String()
}

// An agent whose tools have a price asks for it before it says anything.
func TestChatIsPaid(t *testing.T) {
	c := paidChat(t)
	for _, stream := range []bool{false, true} {
		status, body := c.say("leo", "hello", "", stream)
		var required struct {
			Error      string
			StatusCode int `json:"status_code"`
			Context    struct {
				Accepts []struct{ Scheme, Network, Amount, Asset string }
			}
		}
		if err := json.Unmarshal([]byte(body), &required); err != nil {
			t.Fatalf("stream %v: %d %s", stream, status, body)
		}
		if a := required.Context.Accepts; status != 402 || required.StatusCode != 402 || required.Error == "" || len(a) != 1 || a[0].Scheme != "token" || a[0].Amount != "0.01" {
			t.Errorf("stream %v: %d %s", stream, status, body)
		}
	}
	token, id := c.mint(0.015, "leo")
	if status, body := c.say("leo", "hello", token, false); status != 200 || c.left(id) != "0.015" {
		t.Errorf("a turn without a tool: %d %s, %s left", status, body, c.left(id))
	}
	if status, body := c.say("leo", "/tool price", token, true); status != 200 || !strings.Contains(body, `"content":"ten"`) || c.left(id) != "0.005" {
		t.Errorf("a turn with one: %d %s, %s left", status, body, c.left(id))
	}
	if status, body := c.say("leo", "/tool price", token, false); status != 402 || strings.Contains(body, token) {
		t.Errorf("without the money: %d %s", status, body)
	}
	if status, _ := c.say("leo", "hello", "nonsense", false); status != 402 {
		t.Errorf("a token that is none: %d", status)
	}
	var page contract.InvocationPage
	c.must("GET", "/api/local/invocations?skill=custom_tools", nil, &page)
	if len(page.Invocations) != 1 || page.Invocations[0].CostNanocents != "10000000" {
		t.Errorf("%+v", page.Invocations)
	}
	whole, err := json.Marshal(c.detail(page.Invocations[0].InvocationID))
	if err != nil || strings.Contains(string(whole), token) {
		t.Errorf("the token is in the record (%v)", err)
	}
	c.balanced()
}

// The agent behind another one is paid out of the caller's token, and what is
// left of that comes back.
func TestChatBetweenAgentsIsPaid(t *testing.T) {
	c := paidChat(t)
	if status, body := c.say("mia", "hello", "", false); status != 402 || !strings.Contains(body, `"accepts"`) {
		t.Errorf("without a token: %d %s", status, body)
	}
	token, id := c.mint(1, "mia")
	if status, body := c.say("mia", "/tool price", token, false); status != 200 || !strings.Contains(body, `"content":"ten"`) || c.left(id) != "0.99" {
		t.Errorf("%d %s, %s left", status, body, c.left(id))
	}
	other, id := c.mint(1, "leo")
	if status, body := c.say("mia", "/tool price", other, false); status != 402 || c.left(id) != "1" {
		t.Errorf("a token that is meant for another: %d %s, %s left", status, body, c.left(id))
	}
	c.balanced()
}

// Agents that are each other's models are told so.
func TestChatInACircle(t *testing.T) {
	c := start(t, t.TempDir())
	for name, other := range map[string]string{"Mia": "leo", "Leo": "mia"} {
		c.must("POST", "/api/agents", map[string]any{"name": name, "visibility": "public", "transports": []string{"completions"},
			"model": fmt.Sprintf(`{"base_url": %q, "model": "x"}`, c.url+"/"+other+"/v1")}, nil)
	}
	if status, body := c.say("mia", "hello", "", true); status != 400 || !strings.Contains(body, `mia -\u003e leo -\u003e mia`) || !strings.Contains(body, "AGENT_LOOP") {
		t.Errorf("%d %s", status, body)
	}
}

// balanced holds the ledger against itself.
func (c *console) balanced() {
	c.t.Helper()
	var check contract.PaymentCheck
	c.must("GET", "/api/local/payments/check", nil, &check)
	if !check.OK {
		c.t.Errorf("the ledger: %v", check.Problems)
	}
}

// The sample's conversation, and what its tools leave behind.
func TestSampleChatAgent(t *testing.T) {
	s := openSample(t, "chat-agent")
	for _, line := range []struct{ says, want string }{
		{"Hello there", `"content":"Hello! I am chat-agent. How many hours does your job take?"`},
		{"12 hours", `"content":"12 hours cost 900 EUR. Which day suits you?"`},
		{"Tuesday, please", `"content":"Let me see. You have tuesday. Your booking is number 2."`},
		{"On TUESDAY", `"content":"Let me see. Somebody has tuesday already."`},
		{"99 hours", `"content":"That did not work: `},
		{"what?", `"content":"I price jobs by the hour and book days. How many hours is it?"`},
	} {
		if status, body := s.say(s.name, line.says, "", false); status != 200 || !strings.Contains(body, line.want) {
			t.Errorf("%s: %d %s, want %s", line.says, status, body, line.want)
		}
	}
	if status, body := s.say(s.name, "Friday", "", true); status != 200 || !strings.Contains(body, `"event":"checking","payload":{"day":"friday"}`) || !strings.HasSuffix(body, "data: [DONE]\n\n") {
		t.Errorf("streamed: %d %s", status, body)
	}
	if rows := s.rows(s.name, "book"); len(rows) != 3 {
		t.Errorf("%d bookings in the history", len(rows))
	}
	var problems struct{ Problems []contract.Problem }
	if s.must("GET", "/api/agents/"+s.name+"/functions", nil, &problems); len(problems.Problems) > 0 {
		t.Errorf("%v", problems.Problems)
	}
}

// What a handler's model calls is part of the handler's run: it is written down
// below it and paid for like it, by the owner here.
func TestModelWithinAnEndpoint(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"AGENT.md": `---
name: mia
skills: { custom_tools: { tools: [{ id: double, name: double, use: double }] } }
endpoints:
  - { path: /ask, method: post, scope: all, handler: endpoints/ask.js }
toolPricing: { tools: { "fn:double": { perCall: 10000000 } } }
---
`,
		"functions/double/manifest.json": `{"runtime":"js-v1"}`,
		"functions/double/index.js":      `export default (ctx) => ctx.toolCall.params.n * 2`,
		"endpoints/ask.js": `export default async (ctx, { text }) => {
  let said = "";
  for await (const chunk of ctx.agent.complete({ messages: [{ role: "user", content: text }] })) said += chunk.choices[0]?.delta.content ?? "";
  return { said };
};`,
	} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := start(t, t.TempDir(), folder)
	var answer struct{ Said string }
	if c.must("POST", "/mia/ask", map[string]string{"text": `/tool double {"n": 21}`}, &answer); answer.Said != "42" {
		t.Fatalf("said %q", answer.Said)
	}
	var page contract.InvocationPage
	c.must("GET", "/api/local/invocations", nil, &page)
	rows := map[string]contract.InvocationItem{}
	for _, r := range page.Invocations {
		rows[r.SourceSkill] = r
	}
	handler, tool := rows[contract.SkillEndpoint], rows[contract.SkillTools]
	if tool.ParentInvocationID != handler.ID || tool.RootInvocationID != handler.ID || tool.ChainDepth != 1 || tool.Status != "ok" || tool.CostNanocents != "10000000" || handler.ID == "" {
		t.Errorf("the handler %+v\nits tool %+v", handler.InvocationRow, tool.InvocationRow)
	}
	c.balanced()
}
