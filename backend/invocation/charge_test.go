package invocation

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// Who pays: a token goes before everything, a chain has one payer, and nobody
// pays for the tool that a stranger calls.
func TestPayerOf(t *testing.T) {
	owner := auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}
	stranger := auth.Caller{Kind: auth.KindAnonymous}
	inChain := func(p payer) *nest { return &nest{parent: &lineage{payer: p}} }
	for _, tt := range []struct {
		name   string
		req    Request
		owner  bool
		tokens string
	}{
		{"the owner's own run", Request{Skill: contract.SkillManual, Caller: owner}, true, ""},
		{"a public endpoint", Request{Skill: contract.SkillHTTP, Caller: stranger}, true, ""},
		{"a schedule", Request{Skill: contract.SkillCron}, true, ""},
		{"the owner's tool", Request{Skill: contract.SkillTools, Caller: owner}, true, ""},
		{"a tool, by the owner's token", Request{Skill: contract.SkillTools, Caller: auth.Caller{Kind: auth.KindPortal, UserID: auth.OwnerUserID}}, true, ""},
		{"a tool, by an agent's token", Request{Skill: contract.SkillTools, Caller: auth.Caller{Kind: auth.KindPortal, AgentID: "a2"}}, false, ""},
		{"a tool, by an agent's key", Request{Skill: contract.SkillTools, Caller: auth.Caller{Kind: auth.KindAgent, AgentID: "a2"}}, false, ""},
		{"a visitor's tool", Request{Skill: contract.SkillTools, Caller: auth.Caller{Kind: auth.KindVisitor, UserID: "v"}}, false, ""},
		{"a stranger's tool", Request{Skill: contract.SkillTools, Caller: stranger}, false, ""},
		{"a stranger's tool, paid", Request{Skill: contract.SkillTools, Caller: stranger, Payment: &Payment{Tokens: []string{"a", "b"}}}, false, "a b"},
		{"nested under a stranger", Request{Skill: contract.SkillFunction, nest: inChain(payer{tokens: []string{"a"}})}, false, "a"},
		{"nested under the owner", Request{Skill: contract.SkillTools, Caller: auth.Caller{Kind: auth.KindAgent}, nest: inChain(payer{owner: true})}, true, ""},
		{"nested, with a token of its own", Request{Skill: contract.SkillTools, nest: inChain(payer{owner: true, tokens: []string{"a"}}), Payment: &Payment{Tokens: []string{"b"}}}, true, "b"},
	} {
		if p := payerOf(tt.req); p.owner != tt.owner || strings.Join(p.tokens, " ") != tt.tokens {
			t.Errorf("%s: %+v", tt.name, p)
		}
	}
}

func TestCostOf(t *testing.T) {
	w := newWorld(t)
	w.cfg.NanocentsPerDollar = func() int64 { return 100_000_000 } // a nanocent is ten nanocredits
	unit := contract.UnitPrice{CPUMs: 3, IngressBytes: 2, EgressBytes: 1}
	for _, tt := range []struct {
		name string
		bill bill
		kind string
		o    Outcome
		want contract.Amount
		cap  bool
	}{
		{"by call", bill{flat: 700}, kindTool, Outcome{CPUUs: 5000}, 700, false},
		{"by unit, begun milliseconds in full", bill{flat: 700, unit: unit}, kindTool, Outcome{CPUUs: 1001, IngressBytes: 10, EgressBytes: 4}, 700 + 10*(2*3+10*2+4), false},
		{"nothing measured", bill{unit: unit}, kindTool, Outcome{}, 0, false},
		{"an idle schedule", bill{flat: 700, unit: unit}, kindCron, Outcome{CPUUs: 1000, Value: json.RawMessage(`{"idle":true}`)}, 30, false},
		{"a busy schedule", bill{flat: 700}, kindCron, Outcome{Value: json.RawMessage(`{"idle":false}`)}, 700, false},
		{"an idle tool", bill{flat: 700}, kindTool, Outcome{Value: json.RawMessage(`{"idle":true}`)}, 700, false},
		{"more than there is", bill{unit: contract.UnitPrice{IngressBytes: 1_000_000_000_000}}, kindTool, Outcome{IngressBytes: 1 << 40}, contract.MaxAmount, true},
		{"just more", bill{flat: contract.MaxAmount, unit: unit}, kindTool, Outcome{EgressBytes: 1}, contract.MaxAmount, true},
	} {
		got, err := w.costOf(&tt.bill, &call{kind: tt.kind}, &tt.o)
		if got != tt.want || (err != nil) != tt.cap {
			t.Errorf("%s: %d, %v, want %d", tt.name, got, err, tt.want)
		}
	}
}

// strict is a ledger that lets nobody through and has no money.
type strict struct{ charges []payments.OwnerCharge }

func (s *strict) Gate(_ context.Context, c payments.Charge, tokens []string) (*payments.Paid, *contract.Error) {
	return nil, contract.Errorf(contract.PaymentTokenRequired, "this costs %s, and %d tokens do not pay it", c.Price, len(tokens))
}

func (s *strict) ChargeOwner(_ context.Context, c payments.OwnerCharge) error {
	s.charges = append(s.charges, c)
	if len(s.charges) > 1 {
		return errors.New("disk full at /secret/path")
	}
	return contract.Errorf(contract.InsufficientAccount, "the owner's account has less than %s", c.Amount)
}

func (s *strict) OpenLocks(context.Context, string) ([]contract.PaymentLock, error) {
	return nil, errors.New("disk full")
}

func (s *strict) Verify(context.Context, payments.VerifyRequest) payments.Verification {
	return payments.Verification{Reason: "it does not count"}
}

// What is not paid does not run and frees its idempotency key; what the owner
// cannot pay runs all the same, and its log says so without the platform's own
// secrets.
func TestUnpaid(t *testing.T) {
	w := newWorld(t)
	ledger := &strict{}
	w.cfg.Payments = ledger
	w.settings.ToolPricing = map[string]agents.ToolPrice{"fn:greet": {PerCall: 5}}
	w.fn.Manifest.Permissions.Portal = []string{paymentMethod}
	req := request(`{"args":{}}`, "key")
	req.Payment = &Payment{Price: 7, Tokens: []string{"a.b.c"}}
	for range 2 {
		_, err := w.Invoke(t.Context(), req)
		if e := contract.AsError(err); e == nil || e.Code != contract.PaymentTokenRequired || w.runs.Load() != 0 || len(w.rows) != 0 || len(w.claims) != 0 {
			t.Fatalf("%v, ran %d times", err, w.runs.Load())
		}
	}
	for n, says := range []string{"nobody paid: the owner's account has less", "nobody paid: payments cannot be reached"} {
		a, err := w.Invoke(t.Context(), request(`{"args":{}}`, ""))
		if err != nil || !a.Result.OK || a.Result.CostNanocents != "0" || w.rows[n].CostNanocents != "0" {
			t.Fatalf("%+v, %v", a.Result, err)
		}
		if l := a.Result.Logs; len(l) != 1 || l[0].Level != "warn" || !strings.Contains(l[0].Message, says) || strings.Contains(l[0].Message, "/secret") {
			t.Errorf("logs %+v", l)
		}
	}
	if c := ledger.charges[0]; c.AgentID != "a1" || c.Amount != 5 || c.Description != "fn:greet" || c.IdempotencyKey != "run:"+c.InvocationID {
		t.Errorf("%+v", c)
	}
	// What comes with a call that does run is hidden, wherever it comes from.
	w.settings.ToolPricing = nil
	free := request(`{"method":"GET","path":"/","headers":{"x-payment":"d.e.f","X-Other":"g.h.i"}}`, "")
	free.Payment = &Payment{Tokens: []string{"a.b.c"}}
	if a, err := w.Invoke(t.Context(), free); err != nil || !a.Result.OK || strings.Join(w.hidden, " ") != "a.b.c d.e.f" {
		t.Errorf("%+v, %v, hidden %v", a.Result, err, w.hidden)
	}
	// Without a ledger, what has a price is closed to those who would pay.
	w.cfg.Payments = nil
	if _, err := w.Invoke(t.Context(), req); contract.AsError(err) == nil || contract.AsError(err).Code != contract.PaymentUnavailable {
		t.Errorf("%v", err)
	}
}
