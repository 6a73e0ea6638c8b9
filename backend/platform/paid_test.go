package platform_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// till is a platform with an agent whose work has a price.
type till struct {
	*console
	id string // of the agent
}

const worker = `export default async (ctx) => {
  const { query = {}, body } = ctx.request ?? {};
  if (query.fail) throw new Error('broken');
  if (query.loop) { let n = 0; for (let i = 0; i < 300000; i++) n += Math.sqrt(i); return n }
  return { status: 200, headers: { 'x-payment-response': 'forged', 'content-type': 'application/json' }, body: { did: 'work', idle: true, payment: ctx.auth.payment ?? 'none' } }
}`

func openTill(t *testing.T) *till {
	s := &till{console: start(t, t.TempDir())}
	var agent contract.Agent
	s.must("POST", "/api/agents", map[string]any{"name": "Mia", "visibility": "public", "transports": []string{"completions"}, "toolPricing": map[string]any{"tools": map[string]any{
		"fn:quote": map[string]any{"perCall": 20_000_000}, "fn:meter": map[string]any{"perUnit": map[string]any{"cpu_ms": 1_000_000}},
	}}}, &agent)
	s.id = agent.ID
	s.must("POST", "/api/agents", map[string]any{"name": "Leo"}, nil)
	for _, name := range []string{"work", "quote", "meter"} {
		s.declare("mia", name, `{"runtime":"js-v1"}`, worker)
	}
	for _, e := range []string{
		`{"id":"paid","method":"POST","path":"/paid","auth":"public","use":"work","price":0.05,"description":"An hour of work"}`,
		`{"id":"streamed","method":"GET","path":"/streamed","auth":"public","use":"work","price":"0.05"}`,
		`{"id":"free","method":"GET","path":"/free","auth":"public","use":"work"}`,
		`{"id":"quote","method":"GET","path":"/quote","auth":"public","use":"quote"}`,
		`{"id":"meter","method":"GET","path":"/meter","auth":"public","use":"meter"}`,
		`{"id":"broken","method":"GET","path":"/big","auth":"public","use":"work","price":0.05,"responseSizeLimitBytes":1}`,
	} {
		s.must("POST", "/api/agents/mia/skills/custom_http/use", map[string]any{"entry": json.RawMessage(e)}, nil)
	}
	s.must("POST", "/api/agents/mia/skills/custom_tools/use", map[string]any{"entry": map[string]any{"id": "q", "name": "quote"}, "use": "quote"}, nil)
	return s
}

// done holds the ledger against itself: nothing is held any more.
func (s *till) done() {
	s.t.Helper()
	var check contract.PaymentCheck
	s.must("GET", "/api/local/payments/check", nil, &check)
	if !check.OK {
		s.t.Errorf("the ledger does not agree: %v", check.Problems)
	}
	if b := s.balances(); b.Escrow != 0 {
		s.t.Errorf("%s dollars are still held", b.Escrow)
	}
}

func (s *till) balances() (b contract.PaymentBalances) {
	s.t.Helper()
	s.must("GET", "/api/local/payments/balances", nil, &b)
	return b
}

func (s *till) earned() contract.Amount {
	s.t.Helper()
	for _, a := range s.balances().Agents {
		if a.AgentID == s.id {
			return a.Balance
		}
	}
	return 0
}

func (s *till) mint(dollars string, audience ...string) (token, id string) {
	s.t.Helper()
	var out contract.PaymentMintResponse
	s.must("POST", "/api/local/payments/mint", map[string]any{"amount": json.Number(dollars), "audience": audience}, &out)
	return out.Token, out.Info.ID
}

func (s *till) left(id string) string {
	s.t.Helper()
	var token contract.PaymentToken
	s.must("GET", "/api/payments/tokens/"+id, nil, &token)
	return token.RemainingCredits.String()
}

// ask calls the agent as somebody without any credential.
func (s *till) ask(method, path string, header ...string) (*http.Response, string) {
	s.t.Helper()
	resp, body := s.send(method, "/mia"+path, map[string]any{}, append([]string{"Authorization", "Bearer none"}, header...)...)
	return resp, string(body)
}

func (s *till) newest(function string) contract.InvocationRow {
	s.t.Helper()
	rows := s.rows("mia", function)
	if len(rows) == 0 {
		return contract.InvocationRow{}
	}
	return rows[0]
}

// Who asks for a paid entry without money learns how to pay, and nothing runs.
func TestPaidEntryAsksForMoney(t *testing.T) {
	s := openTill(t)
	poor, poorID := s.mint("0.049")
	foreign, _ := s.mint("1", "leo")
	revoked, revokedID := s.mint("1")
	s.must("DELETE", "/api/payments/tokens/"+revokedID, nil, nil)
	for _, tt := range []struct {
		name   string
		header []string
		code   contract.Code
	}{
		{"nothing", nil, contract.PaymentTokenRequired},
		{"too little", []string{"X-PAYMENT", poor}, contract.InsufficientToken},
		{"a token for another agent", []string{"X-PAYMENT", foreign}, contract.PaymentTokenInvalid},
		{"a revoked token", []string{"X-Payment-Token", revoked}, contract.PaymentTokenInvalid},
		{"a forged token", []string{"X-PAYMENT", poor[:len(poor)-4] + "AAAA"}, contract.PaymentTokenInvalid},
		{"no token at all", []string{"X-PAYMENT", "money"}, contract.PaymentTokenInvalid},
		{"the owner's key", []string{"X-PAYMENT", s.p.Auth().OwnerKey()}, contract.PaymentTokenInvalid},
	} {
		for _, accept := range []string{"*/*", "text/event-stream"} {
			resp, body := s.ask("POST", "/paid", append(tt.header, "Accept", accept)...)
			var required contract.PaymentRequiredBody
			if err := json.Unmarshal([]byte(body), &required); err != nil || resp.StatusCode != 402 || required.Code != tt.code || required.StatusCode != 402 {
				t.Errorf("%s: %d %s", tt.name, resp.StatusCode, body)
				continue
			}
			a := required.Context.Accepts
			if len(a) != 1 || a[0].Scheme != "token" || a[0].Network != "robutler" || a[0].Amount != "0.05" || a[0].Asset != "robutler:credits" ||
				a[0].MaxTimeoutSeconds != 300 || a[0].PayTo != s.id || a[0].Description != "An hour of work" || !strings.HasSuffix(a[0].Resource, "/mia/paid") {
				t.Errorf("%s: accepts %+v", tt.name, a)
			}
			if header, err := base64.StdEncoding.DecodeString(resp.Header.Get("Payment-Required")); err != nil || string(header) != body {
				t.Errorf("%s: PAYMENT-REQUIRED is %q", tt.name, resp.Header.Get("Payment-Required"))
			}
		}
	}
	if rows := s.rows("mia", "work"); len(rows) > 0 {
		t.Errorf("it ran: %+v", rows)
	}
	if got := s.left(poorID); got != "0.049" {
		t.Errorf("the token has %s left", got)
	}
	s.done()
}

// What was paid for is charged when it went well, and given back when it did not.
func TestPaidEntry(t *testing.T) {
	s := openTill(t)
	token, id := s.mint("1", "mia")
	wrapped := base64.StdEncoding.EncodeToString([]byte(`{"x402Version":1,"scheme":"token","payload":{"token":"` + token + `"}}`))
	for _, tt := range []struct {
		name, method, path string
		header             []string
		status             int
		part               string
		left               string // of the token afterwards
		cost               string // in the row
	}{
		{"paid", "POST", "/paid", []string{"X-PAYMENT", token}, 200, `"payment":{"tokenSub":"owner","balance":950000000}`, "0.95", "50000000"},
		{"the older header", "POST", "/paid", []string{"X-Payment-Token", token}, 200, `"did":"work"`, "0.9", "50000000"},
		{"wrapped as x402 does", "POST", "/paid", []string{"Payment-Signature", wrapped}, 200, `"did":"work"`, "0.85", "50000000"},
		{"a second token that has it", "POST", "/paid", []string{"X-PAYMENT", "none", "X-Payment-Token", token}, 200, `"did":"work"`, "0.8", "50000000"},
		{"streamed", "GET", "/streamed", []string{"X-PAYMENT", token, "Accept", "text/event-stream"}, 200, "event: result", "0.75", "50000000"},
		{"the function fails", "POST", "/paid?fail=1", []string{"X-PAYMENT", token}, 500, "JS_RUNTIME_ERROR", "0.75", "0"},
		{"its answer is too large", "GET", "/big", []string{"X-PAYMENT", token}, 502, "RESPONSE_SIZE_CAP", "0.75", "0"},
		{"free, with a token", "GET", "/free", []string{"X-PAYMENT", "none", "X-Payment-Token", token}, 200, `"payment":{"tokenSub":"owner","balance":750000000}`, "0.75", "0"},
		{"free, with none that counts", "GET", "/free", []string{"X-PAYMENT", token + "x"}, 200, `"payment":"none"`, "0.75", "0"},
		{"free", "GET", "/free", nil, 200, `"payment":"none"`, "0.75", "0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.t = t
			resp, body := s.ask(tt.method, tt.path, tt.header...)
			if resp.StatusCode != tt.status || !strings.Contains(body, tt.part) {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
			row := s.newest("work")
			if got := s.left(id); got != tt.left || row.CostNanocents != tt.cost {
				t.Errorf("left %s, want %s; cost %s, want %s", got, tt.left, row.CostNanocents, tt.cost)
			}
			whole, err := json.Marshal(s.detail(row.ID))
			if err != nil || strings.Contains(string(whole), token) || strings.Contains(string(whole), wrapped) {
				t.Errorf("the token is in the record: %s", whole)
			}
			var receipt struct {
				Success     bool
				Transaction string
				Amount      contract.Amount
			}
			if b, err := base64.StdEncoding.DecodeString(resp.Header.Get("X-Payment-Response")); err != nil || len(b) > 0 && json.Unmarshal(b, &receipt) != nil ||
				receipt.Success != (tt.cost != "0" && tt.name != "streamed") || receipt.Success && (receipt.Amount != 50_000_000 || receipt.Transaction == "") {
				t.Errorf("receipt %+v, %v", receipt, err)
			}
			if tt.cost != "0" {
				var page contract.PaymentEntryPage
				s.must("GET", "/api/local/payments/entries?kind=settle&invocation="+row.ID, nil, &page)
				if len(page.Entries) != 1 || page.Entries[0].Amount != 50_000_000 || page.Entries[0].ChargeType != contract.ChargeAgentFee {
					t.Errorf("entries %+v", page.Entries)
				}
			}
			s.done()
		})
	}
	if got := s.earned(); got != 250_000_000 {
		t.Errorf("the agent earned %s", got)
	}
}

// toolPricing: the owner pays for what runs in the owner's name, a token for what
// somebody brought one for, and a stranger without one gets no paid tool.
func TestToolPricing(t *testing.T) {
	s := openTill(t)
	before := s.balances().Owner
	r := s.invoke("mia", "quote", map[string]any{})
	if !r.OK || r.CostNanocents != "20000000" || s.newest("quote").CostNanocents != "20000000" {
		t.Errorf("%+v", r)
	}
	if b := s.balances(); before-b.Owner != 20_000_000 || s.earned() != 20_000_000 {
		t.Errorf("the owner paid %s and the agent earned %s", before-b.Owner, s.earned())
	}
	if resp, body := s.ask("GET", "/quote?fail=1"); resp.StatusCode != 500 || s.newest("quote").CostNanocents != "0" {
		t.Errorf("a failure: %d %s", resp.StatusCode, body)
	}
	// A manual invoke may be paid with a token, too, or is refused with how to pay.
	mine, mineID := s.mint("0.03")
	if r := s.invoke("mia", "quote", map[string]any{}, "X-PAYMENT", mine); r.CostNanocents != "20000000" || s.left(mineID) != "0.01" {
		t.Errorf("%+v, left %s", r, s.left(mineID))
	}
	if resp, body := s.send("POST", "/api/agents/mia/functions/quote/invoke", map[string]any{}, "X-PAYMENT", mine); resp.StatusCode != 402 || !strings.Contains(string(body), "INSUFFICIENT_TOKEN_BALANCE") || !strings.Contains(string(body), `"accepts":[`) {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	before = s.balances().Owner + 20_000_000 // what follows counts from here
	if resp, body := s.ask("GET", "/quote?fail=1"); resp.StatusCode != 500 {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	// Another agent's function brings a token for one call and none for the next.
	s.declare("leo", "buy", `{"runtime":"js-v1","permissions":{"portal":["callTool"]}}`, `export default async (ctx) => {
  await ctx.portal.callTool('mia', 'quote', {}, { paymentToken: ctx.toolCall.params.token });
  return ctx.portal.callTool('mia', 'quote', {});
}`)
	token, id := s.mint("0.5")
	if r := s.invoke("leo", "buy", map[string]any{"args": map[string]string{"token": token}}); !r.OK {
		t.Errorf("%s %s", r.ErrorCode, r.ErrorMessage)
	} else if whole, _ := json.Marshal(s.detail(r.InvocationID)); strings.Contains(string(whole), token) {
		t.Errorf("the token is in the record: %s", whole)
	}
	if b := s.balances(); s.left(id) != "0.48" || before-b.Owner != 540_000_000 || s.earned() != 80_000_000 {
		t.Errorf("the token has %s, the owner paid %s, the agent earned %s", s.left(id), before-b.Owner, s.earned())
	}
	// A stranger talks to the agent.
	chat := func(header ...string) string {
		_, body := s.send("POST", "/mia/v1/chat/completions", map[string]any{"model": "mia", "messages": []any{map[string]string{"role": "user", "content": "/tool quote {}"}}},
			append([]string{"Authorization", ""}, header...)...)
		return string(body)
	}
	runs := len(s.rows("mia", "quote"))
	if body := chat(); len(s.rows("mia", "quote")) != runs || !strings.Contains(body, string(contract.PaymentTokenRequired)) {
		t.Errorf("without a token: %s", body)
	}
	if body := chat("X-PAYMENT", token); len(s.rows("mia", "quote")) != runs+1 || s.left(id) != "0.46" {
		t.Errorf("with a token: %s; it has %s", body, s.left(id))
	}
	s.done()
}

// What is priced by what was measured is charged after the run: more is held of
// the token, as far as it goes.
func TestPricePerUnit(t *testing.T) {
	s := openTill(t)
	token, id := s.mint("1")
	if resp, body := s.ask("GET", "/meter?loop=1", "X-PAYMENT", token); resp.StatusCode != 200 {
		t.Fatalf("%d %s", resp.StatusCode, body)
	}
	row := s.newest("meter")
	cpu := int64(row.CPUMs)
	if float64(cpu) < row.CPUMs {
		cpu++
	}
	if cpu < 1 || row.CostNanocents != strconv.FormatInt(cpu*1_000_000, 10) || s.left(id) != (contract.Credit-contract.Amount(cpu*1_000_000)).String() {
		t.Errorf("%v ms of CPU cost %s, the token has %s", row.CPUMs, row.CostNanocents, s.left(id))
	}
	small, smallID := s.mint("0.000000002")
	if resp, body := s.ask("GET", "/meter?loop=1", "X-PAYMENT", small); resp.StatusCode != 200 {
		t.Fatalf("%d %s", resp.StatusCode, body)
	}
	row = s.newest("meter")
	if row.CostNanocents != "2" || s.left(smallID) != "0" || !s.logged(row.ID, "the rest is not charged") {
		t.Errorf("cost %s, left %s, logs %+v", row.CostNanocents, s.left(smallID), s.detail(row.ID).Logs)
	}
	// Another unit: a nanocent is ten times as much.
	s.must("PUT", "/api/local/settings", map[string]any{"nanocentsPerDollar": 100_000_000}, nil)
	if r := s.invoke("mia", "quote", map[string]any{}); r.CostNanocents != "20000000" || s.earned() < 200_000_000 {
		t.Errorf("%+v, earned %s", r, s.earned())
	}
	s.done()
}

func (s *till) logged(invocation, part string) bool {
	s.t.Helper()
	for _, l := range s.detail(invocation).Logs {
		if strings.Contains(l.Message, part) && l.Level == "warn" {
			return true
		}
	}
	return false
}

// A function locks, settles and releases money itself; what it leaves open is
// told in its log and its row.
func TestPaymentsFromFunctions(t *testing.T) {
	s := openTill(t)
	token, id := s.mint("1", "mia")
	s.declare("mia", "sell", `{"runtime":"js-v1","permissions":{"portal":["payment.lock","payment.settle","payment.release","verifyToken"]}}`, `export default async (ctx) => {
  const { token, how } = ctx.toolCall.params;
  const { payment, verifyToken } = ctx.portal;
  const known = await verifyToken(token, { expectBalance: 100n });
  const { lockId } = await payment.lock(token, 300000000n, 'a test');
  if (how === 'open') return lockId;
  if (how === 'release') { await payment.release(lockId); await payment.release(lockId); return payment.settle(lockId, 1) }
  const first = await payment.settle(lockId, how === 'more' ? 400000000 : 100000000n);
  return { known: [known.valid, known.balance, known.claims.payment.scheme], first, second: await payment.settle(lockId, 1n) };
}`)
	s.declare("leo", "sell", `{"runtime":"js-v1","permissions":{"portal":["payment.lock","payment.settle"]}}`, `export default async (ctx) => {
  const said = [];
  await ctx.portal.payment.lock(ctx.toolCall.params.token, 1).catch(e => said.push(e.code));
  said.push((await ctx.portal.payment.settle(ctx.toolCall.params.lock, 1)).code);
  await ctx.portal.payment.release(ctx.toolCall.params.lock).catch(e => said.push(e.code));
  return said;
}`)
	run := func(how string) contract.InvokeResult {
		r := s.invoke("mia", "sell", map[string]any{"args": map[string]string{"token": token, "how": how}})
		if !r.OK {
			t.Fatalf("%s: %s %s", how, r.ErrorCode, r.ErrorMessage)
		}
		return r
	}
	r := run("settle")
	if want := `{"known":[true,1000000000,"token"],"first":{"ok":true,"settled":100000000,"released":200000000},"second":{"ok":false,"reason":`; !strings.HasPrefix(string(r.Result), want) || s.left(id) != "0.9" {
		t.Errorf("%s, left %s", r.Result, s.left(id))
	}
	if r := run("more"); !strings.Contains(string(r.Result), `"first":{"ok":true,"settled":300000000,"released":0,"unbilled":100000000}`) || s.left(id) != "0.6" {
		t.Errorf("%s, left %s", r.Result, s.left(id))
	}
	if r := run("release"); !strings.Contains(string(r.Result), `"code":"PAYMENT_LOCK_CLOSED"`) || s.left(id) != "0.6" || s.newest("sell").OpenLocks != 0 {
		t.Errorf("%s, left %s", r.Result, s.left(id))
	}
	s.done()
	r = run("open")
	var lock string
	if err := json.Unmarshal(r.Result, &lock); err != nil || s.newest("sell").OpenLocks != 1 || !s.logged(r.InvocationID, "lock "+lock+" was left open with 0.3 dollars") || s.left(id) != "0.3" {
		t.Errorf("%s: row %+v, logs %+v", r.Result, s.newest("sell"), s.detail(r.InvocationID).Logs)
	}
	// Another agent has neither the token nor the lock.
	other := s.invoke("leo", "sell", map[string]any{"args": map[string]string{"token": token, "lock": lock}})
	if string(other.Result) != `["PAYMENT_TOKEN_INVALID","PAYMENT_LOCK_NOT_FOUND","PERMISSION_DENIED"]` {
		t.Errorf("%s %s %s", other.Result, other.ErrorCode, other.ErrorMessage)
	}
	if got := s.earned(); got != 400_000_000 {
		t.Errorf("the agent earned %s", got)
	}
}

// What goes wrong between a lock and its settle costs nothing and is not given
// away, and what was charged although its answer was lost is charged once.
func TestPaidEntryWhenPaymentsFail(t *testing.T) {
	s := openTill(t)
	for _, tt := range []struct {
		name   string
		faults contract.Simulator
		status int
		part   string
		left   string
		cost   string
	}{
		{"the balance is not enough", contract.Simulator{InsufficientBalance: true}, 402, "INSUFFICIENT_TOKEN_BALANCE", "1", ""},
		{"the token has expired", contract.Simulator{ExpiredToken: true}, 402, "PAYMENT_TOKEN_INVALID", "1", ""},
		{"the settle fails after the work", contract.Simulator{SettleFails: true}, 503, "carried out", "0.95", "0"},
		{"the lock ends before the work does", contract.Simulator{LockLifetimeMs: 1, SettleDelayMs: 20}, 402, "PAYMENT_LOCK_EXPIRED", "1", "0"},
		{"a part is settled", contract.Simulator{PartialSettlePercent: 40}, 200, `"did":"work"`, "0.98", "20000000"},
		{"the settle arrives twice", contract.Simulator{DuplicateSettle: true}, 200, `"did":"work"`, "0.95", "50000000"},
		{"the platform dies before the settle", contract.Simulator{Dies: contract.DieBeforeSettle}, 503, "carried out", "0.95", "0"},
		{"the platform dies after the settle", contract.Simulator{Dies: contract.DieAfterSettle}, 200, `"did":"work"`, "0.95", "50000000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.t = t
			token, id := s.mint("1")
			s.must("PUT", "/api/local/agents/mia/simulator", tt.faults, nil)
			was := len(s.rows("mia", "work"))
			resp, body := s.ask("POST", "/paid", "X-PAYMENT", token)
			s.must("PUT", "/api/local/agents/mia/simulator", contract.Simulator{}, nil)
			if resp.StatusCode != tt.status || !strings.Contains(body, tt.part) {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
			if got := s.left(id); got != tt.left {
				t.Errorf("the token has %s, want %s", got, tt.left)
			}
			rows := s.rows("mia", "work")
			if ran := len(rows) > was; ran != (tt.cost != "") || ran && rows[0].CostNanocents != tt.cost {
				t.Errorf("ran %v, cost %q", ran, fmt.Sprint(rows))
			}
		})
	}
}
