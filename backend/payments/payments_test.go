package payments_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// TestCommissions splits a charge among those who handed the token on.
func TestCommissions(t *testing.T) {
	w := newWorld(t)
	w.agents["leo"] = payments.Agent{ID: "id-leo", Username: "leo", CommissionPercent: "10"}
	w.agents["ana"] = payments.Agent{ID: "id-ana", Username: "ana", CommissionPercent: "33.333333333"}
	_, root := w.mint("10", "leo")
	_, child, err := w.Delegate(t.Context(), payments.DelegateRequest{ParentToken: root, To: "ana", Amount: dollars("5")})
	w.must(err)
	_, grandchild, err := w.Delegate(t.Context(), payments.DelegateRequest{ParentToken: child, To: "mia", Amount: dollars("2")})
	w.must(err)
	settle := func(lock payments.Lock, chargeType string) {
		_, err := w.Settle(t.Context(), payments.SettleRequest{LockID: lock.ID, Amount: dollars("1"), ChargeType: chargeType})
		w.must(err)
	}
	settle(w.lock(grandchild, "1"), contract.ChargeAgentFee)
	has := func(name, want string) {
		t.Helper()
		b, err := w.Balances(t.Context())
		w.must(err)
		got := "nothing"
		for _, a := range b.Agents {
			if a.Username == name {
				got = a.Balance.String()
			}
		}
		if name == "fee" {
			got = b.Fee.String()
		}
		if got != want {
			t.Errorf("%s has %s, want %s", name, got, want)
		}
	}
	has("leo", "0.1")
	has("ana", "0.299999999") // a third of 0.9, rounded down
	has("mia", "0.600000001")
	settle(w.lock(grandchild, "1"), contract.ChargePlatformFee) // of which nobody keeps anything
	has("fee", "1")
	has("mia", "0.600000001")
	settle(w.lock(child, "1"), "") // ana gets it and pays herself nothing
	has("leo", "0.2")
	has("ana", "1.199999999")
	for _, nonsense := range []string{"much", "100.1"} {
		w.agents["leo"] = payments.Agent{ID: "id-leo", Username: "leo", CommissionPercent: nonsense}
		settle(w.lock(child, "1"), "")
		has("leo", "0.2")
	}
}

// TestAudience says under which names a token is for an agent.
func TestAudience(t *testing.T) {
	w := newWorld(t)
	for aud, ok := range map[string]bool{
		"mia": true, "id-mia": true, "@mia": true, "robutler-agent:id-mia": true, "webagents-agent:id-mia": true, "http://127.0.0.1:4780": true,
		"http://127.0.0.1:4780/agents/mia": true, "http://127.0.0.1:4780/mia": true, "http://127.0.0.1:4780/api/agents/id-mia": true,
		"leo": false, "http://127.0.0.1:4780/agents/leo": false, "http://elsewhere": false, "Mia": false,
	} {
		_, token := w.mint("1", aud)
		_, err := w.Lock(t.Context(), payments.LockRequest{Token: token, Amount: dollars("1"), AgentID: "id-mia"})
		if ok != (err == nil) {
			t.Errorf("%s: %v", aud, err)
		}
	}
}

// TestVerify never fails, whatever it gets.
func TestVerify(t *testing.T) {
	w := newWorld(t)
	row, token := w.mint("3", "mia")
	if v := w.Verify(t.Context(), payments.VerifyRequest{Token: token, Audience: []string{"id-mia"}}); !v.Valid || v.Balance != *dollars("3") || v.Token.ID != row.ID {
		t.Errorf("%+v", v)
	}
	other, err := pen{w.clock}.Sign("portal", &payments.Claims{})
	w.must(err)
	unknown := payments.Claims{}
	unknown.ID, unknown.Payment.Scheme = "made-up", payments.Scheme
	never, err := pen{w.clock}.Sign(contract.PaymentTokenType, &unknown)
	w.must(err)
	for name, c := range map[string]struct{ token, aud, subcode string }{
		"nothing":       {"", "", contract.SubTokenMalformed},
		"nonsense":      {"a.b.c", "", contract.SubTokenMalformed},
		"forged":        {token[:len(token)-2] + "xx", "", contract.SubTokenMalformed},
		"another type":  {other, "", contract.SubTokenMalformed},
		"never issued":  {never, "", contract.SubTokenNotFound},
		"somebody else": {token, "leo", contract.SubTokenAudience},
	} {
		r := payments.VerifyRequest{Token: c.token}
		if c.aud != "" {
			r.Audience = []string{c.aud}
		}
		if v := w.Verify(t.Context(), r); v.Valid || v.Subcode != c.subcode || v.Reason == "" || v.Balance != 0 {
			t.Errorf("%s: %+v", name, v)
		}
	}
	w.pass(contract.DefaultPaymentTokenLifetime + time.Second)
	if v := w.Verify(t.Context(), payments.VerifyRequest{Token: token}); v.Valid || v.Subcode != contract.SubTokenExpired {
		t.Errorf("expired: %+v", v)
	}
}

// TestSimulator provokes every failure; whatever happens, no credit is lost
// (newWorld checks the ledger at the end).
func TestSimulator(t *testing.T) {
	w := newWorld(t)
	row, token := w.mint("10", "mia")
	simulate := func(s contract.Simulator) { w.faults["id-mia"] = s }
	lock := func() error {
		_, err := w.Lock(t.Context(), payments.LockRequest{Token: token, Amount: dollars("1")})
		return err
	}
	settle := func(id, key string) (payments.Settlement, error) {
		return w.Settle(t.Context(), payments.SettleRequest{LockID: id, Amount: dollars("0.5"), ChargeType: contract.ChargeAgentFee, By: "owner", IdempotencyKey: key})
	}
	simulate(contract.Simulator{InsufficientBalance: true})
	wantCode(t, "insufficient", lock(), contract.InsufficientToken)
	if v := w.Verify(t.Context(), payments.VerifyRequest{Token: token}); !v.Valid || v.Balance != 0 {
		t.Errorf("insufficient: %+v", v)
	}
	simulate(contract.Simulator{ExpiredToken: true})
	wantCode(t, "expired", lock(), contract.PaymentTokenInvalid)
	if v := w.Verify(t.Context(), payments.VerifyRequest{Token: token}); v.Valid || v.Subcode != contract.SubTokenExpired {
		t.Errorf("expired: %+v", v)
	}
	_, err := w.Settle(t.Context(), payments.SettleRequest{Token: token, Amount: dollars("1")})
	wantCode(t, "expired, charged directly", err, contract.PaymentTokenInvalid)

	simulate(contract.Simulator{LockLifetimeMs: 50})
	l := w.lock(token, "1")
	if got := l.ExpiresAt.Sub(l.CreatedAt); got != 50*time.Millisecond {
		t.Errorf("the lock lives %v", got)
	}
	w.pass(51 * time.Millisecond)
	_, err = settle(l.ID, "")
	wantCode(t, "the lock ended early", err, contract.PaymentLockExpired)

	simulate(contract.Simulator{PartialSettlePercent: 40})
	l = w.lock(token, "1")
	s, err := settle(l.ID, "")
	if err != nil || s.Settled != *dollars("0.2") || s.Unbilled != *dollars("0.3") || !s.Partial {
		t.Errorf("partial: %+v, %v", s, err)
	}
	simulate(contract.Simulator{SettleFails: true})
	_, err = settle(l.ID, "later")
	wantCode(t, "the settle fails", err, contract.PaymentUnavailable)
	simulate(contract.Simulator{Dies: contract.DieBeforeSettle})
	if _, err = settle(l.ID, "later"); !errors.Is(err, payments.ErrDied) || w.died != 1 {
		t.Errorf("before: %v", err)
	}
	simulate(contract.Simulator{Dies: contract.DieAfterSettle})
	if _, err = settle(l.ID, "later"); !errors.Is(err, payments.ErrDied) || w.died != 2 {
		t.Errorf("after: %v", err)
	}
	simulate(contract.Simulator{})
	if s, err = settle(l.ID, "later"); err != nil || !s.Replayed || s.Settled != *dollars("0.5") {
		t.Errorf("what was done before it died is replayed: %+v, %v", s, err)
	}
	wantCode(t, "direct, too", func() error { _, err := w.Release(t.Context(), "none"); return err }(), contract.PaymentLockNotFound)

	simulate(contract.Simulator{DuplicateSettle: true})
	two := w.lock(token, "2")
	if _, err = settle(two.ID, "with-a-key"); err != nil {
		t.Error(err)
	}
	if row, err := w.LockRow(t.Context(), two.ID); err != nil || row.Settled != *dollars("0.5") {
		t.Errorf("twice under one key: %+v, %v", row, err)
	}
	if _, err = settle(two.ID, ""); err != nil {
		t.Error(err)
	}
	if row, err := w.LockRow(t.Context(), two.ID); err != nil || row.Settled != *dollars("1.5") {
		t.Errorf("twice without a key: %+v, %v", row, err)
	}
	simulate(contract.Simulator{SettleDelayMs: 700, LatencyMs: 40})
	w.waited = nil
	l = w.lock(token, "0.5")
	_, err = settle(l.ID, "")
	w.must(err)
	if fmt.Sprint(w.waited) != "[40ms 740ms]" {
		t.Errorf("waited %v", w.waited)
	}
	simulate(contract.Simulator{})
	_, _, err = w.Revoke(t.Context(), row.ID)
	w.must(err)
}

// TestStatesAreTheTable walks tokens through their states and holds what is seen
// to the table.
func TestStatesAreTheTable(t *testing.T) {
	w := newWorld(t)
	allowed := map[payments.Transition]bool{}
	for _, s := range append(payments.TokenStates, payments.LockStates...) {
		allowed[s] = true
	}
	status := func(id string) string {
		row, err := w.Row(t.Context(), id)
		w.must(err)
		return row.Status(w.clock())
	}
	row, token := w.mint("2")
	before := status(row.ID)
	step := func(event, want string, do func() error) {
		t.Helper()
		w.must(do())
		now := status(row.ID)
		if now != want || !allowed[payments.Transition{From: before, Event: event, To: now}] {
			t.Errorf("%s --%s--> %s, want %s and a row of the table", before, event, now, want)
		}
		before = now
	}
	lock := func(text string) func() error {
		return func() error {
			_, err := w.Lock(t.Context(), payments.LockRequest{Token: token, Amount: dollars(text)})
			return err
		}
	}
	refill := func() error {
		_, err := w.TopUp(t.Context(), payments.TopUpRequest{TokenID: row.ID, Amount: dollars("1")})
		return err
	}
	step("spend", contract.TokenActive, lock("1"))
	step("empty", contract.TokenDepleted, lock("1"))
	step("refill", contract.TokenActive, refill)
	step("refill", contract.TokenActive, refill)
	step("revoke", contract.TokenRevoked, func() error { _, _, err := w.Revoke(t.Context(), row.ID); return err })
	wantCode(t, "a token that has ended", refill(), contract.PaymentTokenInvalid)
	row, token = w.mint("1")
	before = status(row.ID)
	step("empty", contract.TokenDepleted, lock("1"))
	step("expire", contract.TokenExpired, func() error { w.pass(25 * time.Hour); _, err := w.Sweep(t.Context()); return err })
}

// drawing gives both state machines as text, as the documentation has them.
func drawing() string {
	var b strings.Builder
	for _, machine := range []struct {
		title string
		rows  []payments.Transition
	}{{"Token", payments.TokenStates}, {"Lock", payments.LockStates}} {
		fmt.Fprintf(&b, "%s\n", machine.title)
		for i, t := range machine.rows {
			from := t.From
			if from == "" {
				from = "(new)"
			}
			if i > 0 && machine.rows[i-1].From == t.From {
				from = ""
			}
			fmt.Fprintf(&b, "  %-17s --%s--> %s\n", from, t.Event+strings.Repeat("-", 16-len(t.Event)), t.To)
		}
	}
	return b.String()
}

// TestDrawing holds the page of the documentation to the tables.
func TestDrawing(t *testing.T) {
	text, err := os.ReadFile("../docs/payments.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "```text\n" + drawing() + "```\n"; !strings.Contains(string(text), want) {
		t.Errorf("backend/docs/payments.md does not show the states as they are; it should have\n%s", want)
	}
}

func TestBounds(t *testing.T) {
	w := newWorld(t)
	row, token := w.mint("1")
	l := w.lock(token, "0.5")
	long := strings.Repeat("x", 300)
	ctx := t.Context()
	deep := 50
	for name, err := range map[string]error{
		"a deposit that is too large": func() error { _, err := w.Deposit(ctx, dollars("1000001"), "", ""); return err }(),
		"no deposit":                  func() error { _, err := w.Deposit(ctx, nil, "", ""); return err }(),
		"extending by nothing":        func() error { _, err := w.Extend(ctx, payments.ExtendRequest{LockID: l.ID}); return err }(),
		"a charge that is too large": func() error {
			_, err := w.Settle(ctx, payments.SettleRequest{LockID: l.ID, Amount: dollars("1000001")})
			return err
		}(),
	} {
		wantCode(t, name, err, contract.InvalidAmount)
	}
	for name, err := range map[string]error{
		"too deep": func() error {
			_, _, err := w.Mint(ctx, payments.MintRequest{Amount: dollars("1"), MaxDepth: &deep})
			return err
		}(),
		"too long": func() error {
			_, _, err := w.Mint(ctx, payments.MintRequest{Amount: dollars("1"), ExpiresIn: 366 * 24 * time.Hour})
			return err
		}(),
		"a long description": func() error {
			_, _, err := w.Mint(ctx, payments.MintRequest{Amount: dollars("1"), Description: long})
			return err
		}(),
		"a line in a reason": func() error { _, err := w.Lock(ctx, payments.LockRequest{TokenID: row.ID, Reason: "a\nb"}); return err }(),
		"a day and more in a lock": func() error {
			_, err := w.Lock(ctx, payments.LockRequest{TokenID: row.ID, TTL: 25 * time.Hour})
			return err
		}(),
		"a lock in the past": func() error { _, err := w.Lock(ctx, payments.LockRequest{TokenID: row.ID, TTL: -1}); return err }(),
		"no token":           func() error { _, err := w.Lock(ctx, payments.LockRequest{}); return err }(),
		"much usage": func() error {
			_, err := payments.PriceOf(make([]contract.PaymentUsage, 1001))
			return err
		}(),
	} {
		wantCode(t, name, err, contract.InvalidRequest)
	}
	if _, err := payments.PriceOf([]contract.PaymentUsage{{Type: "tool", Pricing: &contract.PaymentPricing{Credits: -1}}}); contract.AsError(err) == nil {
		t.Errorf("a negative price: %v", err)
	}
}
