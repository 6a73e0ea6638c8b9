package platform_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"benchtop/backend/contract"
)

// What a custom endpoint costs is in its answer's receipt, in the history and,
// under the run's id, in the ledger, like the price of any other run.
func TestEndpointsTellWhatTheyCost(t *testing.T) {
	p := openProject(t, map[string]string{
		"AGENT.md": `---
name: mia
endpoints:
  - { path: "/report", price: 0.25, handler: endpoints/e.js }
  - { path: "/refuses", price: 0.25, handler: endpoints/e.js#refuses }
  - { path: "/stream", price: 0.5, content_type: text/event-stream, handler: endpoints/e.js#stream }
  - { path: "/free", handler: endpoints/e.js#forged }
  - { path: "/live", price: 0.1, websocket: true, handler: endpoints/e.js#live }
---
`,
		"endpoints/e.js": `export default () => 'worth it'
export const refuses = () => ({ status: 404, body: 'none' })
export async function* stream() { yield 'a'; throw new Error('late') }
export const forged = () => new Response('x', { headers: { 'PAYMENT-RESPONSE': 'forged' } })
export const live = async ({ socket }) => socket.send('hello')`,
	})
	var minted contract.PaymentMintResponse
	p.must("POST", "/api/local/payments/mint", map[string]any{"amount": 2}, &minted)
	newest := func() contract.InvocationItem {
		var page contract.InvocationPage
		p.must("GET", "/api/local/invocations?limit=1&skill=endpoint", nil, &page)
		return page.Invocations[0]
	}
	settled := func(run string) string {
		var page contract.PaymentEntryPage
		p.must("GET", "/api/local/payments/entries?kind=settle&invocation="+run, nil, &page)
		if len(page.Entries) != 1 {
			return "-"
		}
		return page.Entries[0].Amount.String()
	}
	for _, tt := range []struct{ path, cost, entry, receipt string }{
		{"/mia/report", "250000000", "0.25", "0.25"},
		{"/mia/refuses", "0", "-", ""},
		{"/mia/stream", "500000000", "0.5", "0.5"},
		{"/mia/free", "0", "-", ""},
	} {
		resp, _ := p.send("GET", tt.path, nil, "X-PAYMENT", minted.Token)
		row := newest()
		if got := settled(row.ID); row.CostNanocents != tt.cost || got != tt.entry {
			t.Errorf("%s: cost %s, entry %s, want %s and %s", tt.path, row.CostNanocents, got, tt.cost, tt.entry)
		}
		if got := receiptOf(t, resp.Header); got != tt.receipt {
			t.Errorf("%s: receipt %q, want %q", tt.path, got, tt.receipt)
		}
	}
	header := http.Header{"X-Payment": {minted.Token}}
	conn, resp, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.url, "http")+"/mia/live", header)
	if err != nil {
		t.Fatal(err)
	}
	if got := receiptOf(t, resp.Header); got != "0.1" {
		t.Errorf("a WebSocket: receipt %q", got)
	}
	defer func() { _ = conn.Close() }()
	if _, _, err := conn.ReadMessage(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Fatal(err)
	}
	if row := newest(); row.CostNanocents != "100000000" || settled(row.ID) != "0.1" {
		t.Errorf("a WebSocket: %+v", row)
	}

	// What cannot be charged is withheld, before its first byte and its handshake's
	// end, and what was held stays where it was.
	p.must("PUT", "/api/local/agents/mia/simulator", map[string]any{"settleFails": true}, nil)
	for _, path := range []string{"/mia/report", "/mia/stream"} {
		resp, body := p.send("GET", path, nil, "X-PAYMENT", minted.Token)
		if resp.StatusCode != http.StatusServiceUnavailable || strings.Contains(string(body), "worth") || receiptOf(t, resp.Header) != "" {
			t.Errorf("%s: %d %s", path, resp.StatusCode, body)
		}
		if row := newest(); row.CostNanocents != "0" || row.ErrorCode != contract.PaymentUnavailable {
			t.Errorf("%s: %+v", path, row)
		}
	}
	if _, resp, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.url, "http")+"/mia/live", header); err == nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a WebSocket that cannot be charged: %v", err)
	}
}

// receiptOf gives the amount of an answer's receipt; empty without one.
func receiptOf(t *testing.T, h http.Header) string {
	t.Helper()
	text := h.Get("Payment-Response")
	if text == "" {
		return ""
	}
	var r struct {
		Success     bool
		Transaction string
		Amount      contract.Amount
	}
	if b, err := base64.StdEncoding.DecodeString(text); err != nil || json.Unmarshal(b, &r) != nil || !r.Success || r.Transaction == "" || text != h.Get("X-Payment-Response") {
		return "no receipt: " + text
	}
	return r.Amount.String()
}
