package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// paperSigner signs nothing: what the tests of the ledger are about is not the
// signature, and a real one takes longer than the rest.
type paperSigner struct{}

func (paperSigner) Sign(_ string, claims jwt.Claims) (string, error) {
	c, ok := claims.(*payments.Claims)
	if !ok {
		return "", errors.New("no claims of a payment token")
	}
	return "paper." + c.ID, nil
}

func (paperSigner) Verify(_, token string, claims jwt.Claims) error {
	id, ok := strings.CutPrefix(token, "paper.")
	if !ok {
		return errors.New("not on paper")
	}
	claims.(*payments.Claims).ID = id
	return nil
}

// till is payments over a store with a clock that stands still until it is told.
type till struct {
	*payments.Payments
	mu     sync.Mutex
	now    time.Time
	ids    int
	faults contract.Simulator
	agents map[string]payments.Agent
	prefix string
	tell   func(contract.EventName, contract.PaymentEvent) // of each event, one at a time
}

func openTill(t failer, store payments.Store, prefix string) *till {
	t.Helper()
	w := &till{now: epoch, prefix: prefix, agents: map[string]payments.Agent{
		"mia": {ID: "mia", Username: "mia"}, "leo": {ID: "leo", Username: "leo", CommissionPercent: "10"}, "ana": {ID: "ana", Username: "ana", CommissionPercent: "33.3"},
	}}
	var err error
	w.Payments, err = payments.New(ctx, payments.Config{
		Store: store, Signer: paperSigner{}, BaseURL: func() string { return "http://127.0.0.1:1" },
		Agent:  func(ref string) (payments.Agent, bool) { a, ok := w.agents[ref]; return a, ok },
		Faults: func(string) contract.Simulator { w.mu.Lock(); defer w.mu.Unlock(); return w.faults },
		Now:    func() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.now },
		NewID: func() string {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.ids++
			return fmt.Sprintf("%s%06d", w.prefix, w.ids)
		},
		Publish: func(name contract.EventName, data any) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.tell != nil {
				w.tell(name, data.(contract.PaymentEvent))
			}
		},
		Wait: func(context.Context, time.Duration) error { return nil },
	})
	must(t, err)
	return w
}

func (w *till) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// sound holds the ledger against itself.
func (w *till) sound(t failer) {
	t.Helper()
	r, err := w.Check(ctx)
	must(t, err)
	if !r.OK {
		t.Fatalf("the ledger does not agree with itself: %s", strings.Join(r.Problems, "; "))
	}
}

func amount(text string) *payments.Amount {
	a, err := payments.ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return &a
}

// testPayments goes once through the life of money: minted, handed on, locked,
// charged, given back; and all of it is there after a restart.
func testPayments(t *testing.T, s Stores) {
	w := openTill(t, s.Payments, "t")
	root, text, err := w.Mint(ctx, payments.MintRequest{Amount: amount("10"), Audience: []string{"leo"}, Description: "a try", By: "owner"})
	must(t, err)
	child, childText, err := w.Delegate(ctx, payments.DelegateRequest{ParentToken: text, To: "mia", Amount: amount("4"), By: "owner"})
	must(t, err)
	if child.MaxDepth != root.MaxDepth-1 || child.DelegatedBy != "leo" || len(child.Chain) != 1 || child.Chain[0] != root.ID || !child.ExpiresAt.Equal(root.ExpiresAt) {
		t.Errorf("child %+v of %+v", child, root)
	}
	l, err := w.Lock(ctx, payments.LockRequest{Token: childText, Amount: amount("3"), InvocationID: "run", Reason: "work", By: "owner"})
	must(t, err)
	s2, err := w.Settle(ctx, payments.SettleRequest{LockID: l.ID, Amount: amount("1"), ChargeType: contract.ChargeAgentFee, By: "owner"})
	must(t, err)
	if s2.Settled != contract.Credit || s2.Remaining != 2*contract.Credit || s2.Released != 0 || s2.Status != contract.LockPartly {
		t.Errorf("a charge: %+v", s2)
	}
	w.sound(t)
	s = s.Reopen(t)
	w = openTill(t, s.Payments, "u")
	open, err := w.OpenLocks(ctx, "run")
	must(t, err)
	if len(open) != 1 || open[0].ID != l.ID || open[0].Settled != contract.Credit || open[0].Reason != "work" {
		t.Errorf("open locks %+v", open)
	}
	s2, err = w.Settle(ctx, payments.SettleRequest{LockID: l.ID, Amount: amount("5")})
	must(t, err)
	if s2.Settled != 2*contract.Credit || s2.Unbilled != 3*contract.Credit || !s2.Partial || s2.Status != contract.LockSettled {
		t.Errorf("more than there is: %+v", s2)
	}
	tree, err := w.Token(ctx, root.ID)
	must(t, err)
	if len(tree.Children) != 1 || tree.RemainingCredits != 6*contract.Credit || tree.DelegatedCredits != 4*contract.Credit ||
		tree.Children[0].SpentCredits != 3*contract.Credit || tree.Children[0].RemainingCredits != contract.Credit {
		t.Errorf("tree %+v", tree)
	}
	balances, err := w.Balances(ctx)
	must(t, err)
	// leo handed the token on and keeps a tenth of 3.
	want := map[string]string{"leo": "0.3", "mia": "2.7"}
	for _, a := range balances.Agents {
		if a.Balance != *amount(want[a.AgentID]) {
			t.Errorf("%s has %s, want %s", a.AgentID, a.Balance, want[a.AgentID])
		}
	}
	if sum := balances.Owner + balances.Tokens + balances.Fee + balances.Escrow + balances.Outside + 3*contract.Credit; sum != 0 || balances.Owner != 990*contract.Credit {
		t.Errorf("balances %+v make %s", balances, sum)
	}
	returned, revoked, err := w.Revoke(ctx, root.ID)
	if !revoked || returned != 7*contract.Credit || err != nil {
		t.Errorf("revoked %v, returned %s, %v", revoked, returned, err)
	}
	if _, revoked, err = w.Revoke(ctx, root.ID); revoked || err != nil {
		t.Errorf("revoked twice: %v %v", revoked, err)
	}
	wantCode(t, second(w.Lock(ctx, payments.LockRequest{Token: childText})), contract.PaymentTokenInvalid)
	testEntries(t, w, root.ID, child.ID, l.ID)
	w.sound(t)
}

func second[T any](_ T, err error) error { return err }

// testEntries reads the ledger in pages and by filters.
func testEntries(t *testing.T, w *till, root, child, lock string) {
	t.Helper()
	for _, c := range []struct {
		filter payments.EntryFilter
		want   string
	}{
		{payments.EntryFilter{Account: payments.Owner}, "return:997 mint:990 deposit:1000"},
		{payments.EntryFilter{Account: payments.AgentAccount("leo")}, "commission:0.3 commission:0.1"},
		{payments.EntryFilter{Account: payments.TokenAccount(child)}, "return:0 lock:1 delegate:4"},
		{payments.EntryFilter{Lock: lock}, "settle: commission: settle: commission: lock:"},
		{payments.EntryFilter{Lock: lock, Account: payments.AgentAccount("mia")}, "settle:2.7 settle:0.9"},
		{payments.EntryFilter{Token: root}, "return: mint:"},
		{payments.EntryFilter{Invocation: "run", Kind: contract.EntryCommission}, "commission: commission:"},
		{payments.EntryFilter{Agent: "mia", Kind: contract.EntryLock}, "lock:"},
		{payments.EntryFilter{Since: epoch.Add(time.Second)}, ""},
		{payments.EntryFilter{Until: epoch}, ""},
		{payments.EntryFilter{Account: "agent:nobody"}, ""},
	} {
		for _, limit := range []int{1, 2, 50} {
			var got []string
			for f := c.filter; ; {
				f.Limit = limit
				page, err := w.Entries(ctx, f)
				must(t, err)
				for _, e := range page.Entries {
					text := e.Kind + ":"
					if e.Balance != nil {
						text += e.Balance.String()
					}
					got = append(got, text)
				}
				if page.NextCursor == nil {
					break
				}
				f.Cursor = *page.NextCursor
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%+v in pages of %d: %q, want %q", c.filter, limit, got, c.want)
			}
		}
	}
	if _, err := w.Entries(ctx, payments.EntryFilter{Page: payments.Page{Cursor: "!"}}); contract.AsError(err) == nil {
		t.Errorf("a cursor that is none: %v", err)
	}
}

// testPaymentsEnd lets time pass: locks and tokens end at their times, and what
// they hold goes to the nearest ancestor that counts.
func testPaymentsEnd(t *testing.T, s Stores) {
	w := openTill(t, s.Payments, "e")
	_, text, err := w.Mint(ctx, payments.MintRequest{Amount: amount("10"), ExpiresIn: 3 * time.Hour})
	must(t, err)
	child, childText, err := w.Delegate(ctx, payments.DelegateRequest{ParentToken: text, To: "mia", Amount: amount("4"), ExpiresIn: 2 * time.Hour})
	must(t, err)
	grandchild, grandText, err := w.Delegate(ctx, payments.DelegateRequest{ParentToken: childText, To: "leo", Amount: amount("3"), ExpiresIn: time.Hour})
	must(t, err)
	l, err := w.Lock(ctx, payments.LockRequest{Token: grandText, Amount: amount("2"), TTL: 150 * time.Minute})
	must(t, err)
	brief, err := w.Lock(ctx, payments.LockRequest{Token: text, Amount: amount("1")})
	must(t, err)
	next, err := w.Sweep(ctx)
	must(t, err)
	if want := brief.ExpiresAt; !next.Equal(want) {
		t.Errorf("the next end is at %s, want %s", next, want)
	}
	w.pass(10 * time.Minute) // to the microsecond
	// Whoever is late finds it expired, swept or not.
	wantCode(t, second(w.Settle(ctx, payments.SettleRequest{LockID: brief.ID, Amount: amount("1")})), contract.PaymentLockExpired)
	wantCode(t, second(w.Extend(ctx, payments.ExtendRequest{LockID: brief.ID, Amount: amount("1")})), contract.PaymentLockExpired)
	if n, err := w.Release(ctx, brief.ID); n != 0 || err != nil {
		t.Errorf("giving back what has expired: %s, %v", n, err)
	}
	w.pass(125 * time.Minute) // grandchild and child have ended, the root has not
	_, err = w.Sweep(ctx)
	must(t, err)
	w.sound(t)
	has := func(id, want string) {
		t.Helper()
		tok, err := w.Row(ctx, id)
		must(t, err)
		if tok.Balance != *amount(want) {
			t.Errorf("token %s has %s, want %s", id, tok.Balance, want)
		}
	}
	rootID := child.ParentID
	has(grandchild.ID, "0")
	has(child.ID, "0")
	has(rootID, "8") // 10 less 2 in the lock
	// The lock of a token that has ended still counts, and its rest finds home.
	done, err := w.Settle(ctx, payments.SettleRequest{LockID: l.ID, Amount: amount("0.5")})
	must(t, err)
	if done.Released != *amount("1.5") {
		t.Errorf("settled %+v", done)
	}
	has(rootID, "9.5")
	w.pass(time.Hour)
	next, err = w.Sweep(ctx)
	must(t, err)
	has(rootID, "0")
	if !next.IsZero() {
		t.Errorf("something ends at %s, and all has ended", next)
	}
	b, err := w.Balances(ctx)
	must(t, err)
	if b.Owner != *amount("999.5") || b.Tokens != 0 || b.Escrow != 0 {
		t.Errorf("balances %+v", b)
	}
	w.sound(t)
}

// testPaymentsKeys asks twice under one key: one of them happens.
func testPaymentsKeys(t *testing.T, s Stores) {
	w := openTill(t, s.Payments, "k")
	mint := payments.MintRequest{Amount: amount("1"), By: "owner", IdempotencyKey: "once"}
	a, text, err := w.Mint(ctx, mint)
	must(t, err)
	s = s.Reopen(t)
	w2 := openTill(t, s.Payments, "m")
	b, again, err := w2.Mint(ctx, mint)
	must(t, err)
	if a.Replayed || !b.Replayed || a.ID != b.ID || text != again {
		t.Errorf("%+v and %+v", a, b)
	}
	mint.By = "agent:mia"
	if c, _, err := w2.Mint(ctx, mint); err != nil || c.Replayed {
		t.Errorf("another's key: %+v, %v", c, err)
	}
	mint.By, mint.Amount = "owner", amount("2")
	_, _, err = w2.Mint(ctx, mint)
	wantCode(t, err, contract.IdempotencyMismatch)
	mint.IdempotencyKey = "two words"
	_, _, err = w2.Mint(ctx, mint)
	wantCode(t, err, contract.InvalidIdempotentKey)
	// What was refused is no answer: the same key may succeed later.
	dear := payments.LockRequest{Token: text, Amount: amount("1.5"), By: "owner", IdempotencyKey: "dear"}
	wantCode(t, second(w2.Lock(ctx, dear)), contract.InsufficientToken)
	must(t, second(w2.TopUp(ctx, payments.TopUpRequest{TokenID: a.ID, Amount: amount("0.5")})))
	if l, err := w2.Lock(ctx, dear); err != nil || l.Replayed {
		t.Errorf("after the top-up: %+v, %v", l, err)
	}
	w2.pass(contract.IdempotencyWindow)
	must(t, second(w2.Sweep(ctx)))
	mint.IdempotencyKey, mint.Amount = "once", amount("3")
	if c, _, err := w2.Mint(ctx, mint); err != nil || c.Replayed {
		t.Errorf("a day later: %+v, %v", c, err)
	}
	w2.sound(t)
}
