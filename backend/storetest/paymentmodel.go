package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// purse and hold are what a token and a lock should have.
type purse struct {
	has     payments.Amount
	parent  string
	expires time.Time
	ended   bool // and was told so by a sweep or a revocation
	depth   int
}

type hold struct {
	token   string
	has     payments.Amount
	closed  bool
	expires time.Time
}

// book reckons by hand what the ledger should say.
type book struct {
	w       *till
	owner   payments.Amount // since the run began
	earned  payments.Amount // by everybody
	purses  map[string]*purse
	holds   map[string]*hold
	tokens  []string // in the order they were made
	locks   []string
	lastKey int
	taken   int
}

func (b *book) live(id string) bool {
	p := b.purses[id]
	return p != nil && !p.ended && b.w.now.Before(p.expires)
}

// back gives an amount to a token, or on from there with what the token had.
// Nothing is no amount to carry on: an ancestor whose time is up keeps its own
// until it is swept.
func (b *book) back(id string, n payments.Amount) {
	if id == "" {
		b.owner += n
		return
	}
	p := b.purses[id]
	if p.has += n; b.live(id) || p.has == 0 {
		return
	}
	n, p.has = p.has, 0
	b.back(p.parent, n)
}

func (b *book) end(id string) {
	p := b.purses[id]
	if p.ended {
		return
	}
	n := p.has
	p.has, p.ended = 0, true
	if n != 0 {
		b.back(p.parent, n)
	}
}

// testPaymentsModel holds random lives of money to the book, step by step: what
// is refused, what is left, and in the end where everything is.
func testPaymentsModel(t *testing.T, s Stores) {
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		w := openTill(t, s.Payments, fmt.Sprintf("r%d-", run))
		w.pass(time.Duration(run) * 10 * contract.MaxPaymentTokenLifetime) // the runs before have ended
		must(t, second(w.Sweep(ctx)))
		start, err := w.Balances(ctx)
		must(t, err)
		b := &book{w: w, purses: map[string]*purse{}, holds: map[string]*hold{}}
		t.Repeat(b.steps(start))
		if run%20 == 0 { // it reads everything that there ever was
			w.sound(t)
		}
	})
	openTill(t, s.Payments, "end").sound(t)
}

func (b *book) token(t *rapid.T) string {
	if len(b.tokens) == 0 {
		t.Skip("no token")
	}
	return rapid.SampledFrom(b.tokens).Draw(t, "token")
}

func (b *book) lock(t *rapid.T) string {
	if len(b.locks) == 0 {
		t.Skip("no lock")
	}
	return rapid.SampledFrom(b.locks).Draw(t, "lock")
}

func price(t *rapid.T) *payments.Amount {
	a := payments.Amount(rapid.Int64Range(1, 40).Draw(t, "tenths")) * contract.Credit / 10
	return &a
}

// refused checks that an operation was refused exactly when it should have been.
func refused(t *rapid.T, err error, why bool) bool {
	t.Helper()
	if (contract.AsError(err) != nil) != why || err != nil && contract.AsError(err) == nil {
		t.Fatalf("refused: %v; want %v", err, why)
	}
	return why
}

func (b *book) steps(start contract.PaymentBalances) map[string]func(*rapid.T) {
	lifetimes := rapid.SampledFrom([]time.Duration{time.Minute, 20 * time.Minute, time.Hour})
	return map[string]func(*rapid.T){
		"mint": func(t *rapid.T) {
			a, life := price(t), lifetimes.Draw(t, "life")
			tok, _, err := b.w.Mint(ctx, payments.MintRequest{Amount: a, ExpiresIn: life, Audience: []string{rapid.SampledFrom([]string{"leo", "ana"}).Draw(t, "for")}})
			must(t, err)
			b.owner -= *a
			b.purses[tok.ID] = &purse{has: *a, expires: tok.ExpiresAt, depth: tok.MaxDepth}
			b.tokens = append(b.tokens, tok.ID)
		},
		"delegate": func(t *rapid.T) {
			from, a := b.token(t), price(t)
			p := b.purses[from]
			to := rapid.SampledFrom([]string{"mia", "leo", "ana"}).Draw(t, "to")
			tok, _, err := b.w.Delegate(ctx, payments.DelegateRequest{ParentID: from, To: to, Amount: a, ExpiresIn: lifetimes.Draw(t, "life")})
			if refused(t, err, !b.live(from) || p.has < *a || p.depth == 0) {
				return
			}
			p.has -= *a
			b.purses[tok.ID] = &purse{has: *a, parent: from, expires: tok.ExpiresAt, depth: p.depth - 1}
			b.tokens = append(b.tokens, tok.ID)
			if tok.ExpiresAt.After(p.expires) {
				t.Fatalf("child %s outlives its parent", tok.ID)
			}
		},
		"top up": func(t *rapid.T) {
			id, a := b.token(t), price(t)
			p := b.purses[id]
			_, err := b.w.TopUp(ctx, payments.TopUpRequest{TokenID: id, Amount: a})
			if refused(t, err, !b.live(id) || p.parent != "" && (!b.live(p.parent) || b.purses[p.parent].has < *a)) {
				return
			}
			if p.has += *a; p.parent == "" {
				b.owner -= *a
			} else {
				b.purses[p.parent].has -= *a
			}
		},
		"lock": func(t *rapid.T) {
			id, a, ttl := b.token(t), price(t), lifetimes.Draw(t, "ttl")
			p := b.purses[id]
			l, err := b.w.Lock(ctx, payments.LockRequest{TokenID: id, Amount: a, TTL: ttl})
			if refused(t, err, !b.live(id) || p.has < *a) {
				return
			}
			p.has -= *a
			b.holds[l.ID] = &hold{token: id, has: *a, expires: b.w.now.Add(ttl)}
			b.locks = append(b.locks, l.ID)
		},
		"extend": func(t *rapid.T) {
			id, a := b.lock(t), price(t)
			h := b.holds[id]
			_, err := b.w.Extend(ctx, payments.ExtendRequest{LockID: id, Amount: a})
			b.touch(h)
			if refused(t, err, h.closed || !b.live(h.token) || b.purses[h.token].has < *a) {
				return
			}
			b.purses[h.token].has -= *a
			h.has += *a
		},
		"settle": b.settle,
		"revoke": func(t *rapid.T) {
			id := b.token(t)
			live := b.live(id)
			if _, revoked, err := b.w.Revoke(ctx, id); revoked != live || err != nil {
				t.Fatalf("revoked %v, want %v; %v", revoked, live, err)
			}
			if live {
				b.endAll(id)
			}
		},
		"time": func(t *rapid.T) {
			b.w.pass(rapid.SampledFrom([]time.Duration{time.Second, 5 * time.Minute, 30 * time.Minute}).Draw(t, "passes"))
		},
		"sweep": func(t *rapid.T) {
			must(t, second(b.w.Sweep(ctx)))
			b.swept()
		},
		"": func(t *rapid.T) {
			if b.taken++; b.taken%3 == 0 { // what is wrong stays wrong
				b.compare(t, start)
			}
		},
	}
}

// touch is what reaching for a lock whose time is up does to it.
func (b *book) touch(h *hold) {
	if !h.closed && !b.w.now.Before(h.expires) {
		n := h.has
		h.has, h.closed = 0, true
		b.back(h.token, n)
	}
}

func (b *book) endAll(id string) {
	for _, child := range b.tokens {
		if b.purses[child].parent == id {
			b.endAll(child)
		}
	}
	b.end(id)
}

func (b *book) swept() {
	for _, id := range b.locks {
		b.touch(b.holds[id])
	}
	for i := len(b.tokens) - 1; i >= 0; i-- { // children first
		if id := b.tokens[i]; !b.live(id) {
			b.end(id)
		}
	}
}

func (b *book) settle(t *rapid.T) {
	id := b.lock(t)
	h := b.holds[id]
	r := payments.SettleRequest{LockID: id, Amount: price(t)}
	kind := rapid.SampledFrom([]string{"close", "charge", "keep", "release", "usage"}).Draw(t, "kind")
	closes := false
	switch yes, no := true, false; kind {
	case "close":
		closes = true
	case "charge":
		r.ChargeType = rapid.SampledFrom([]string{contract.ChargeAgentFee, contract.ChargePlatformFee}).Draw(t, "charge")
	case "keep":
		r.Release = &no
	case "release":
		r.Amount, r.Release, closes = nil, &yes, true
	case "usage":
		r.Usage = []contract.PaymentUsage{{Type: "tool", Pricing: &contract.PaymentPricing{Credits: *r.Amount}}}
		r.Amount = nil
	}
	if rapid.Bool().Draw(t, "with a key") {
		b.lastKey++
		r.By, r.IdempotencyKey = "owner", fmt.Sprintf("%s%d", b.w.prefix, b.lastKey)
	}
	s, err := b.w.Settle(ctx, r)
	b.touch(h)
	if kind == "release" && h.closed && err == nil {
		if s.Released != 0 || s.Settled != 0 {
			t.Fatalf("a closed lock gave %+v", s)
		}
		return
	}
	if refused(t, err, h.closed) {
		return
	}
	want := payments.Amount(0)
	if kind != "release" {
		want = s.Requested
	}
	paid := min(want, h.has)
	rest := h.has - paid
	if s.Settled != paid || s.Unbilled != want-paid || closes != (s.Released == rest && s.Remaining == 0 && s.Status != contract.LockPartly) {
		t.Fatalf("%s gave %+v; the lock had %s", kind, s, h.has)
	}
	h.has = rest
	b.earned += paid
	if closes {
		h.has, h.closed = 0, true
		b.back(h.token, rest)
	}
	if r.IdempotencyKey != "" { // once more, and nothing happens
		again, err := b.w.Settle(ctx, r)
		must(t, err)
		if again.Replayed = false; again != s {
			t.Fatalf("again %+v, want %+v", again, s)
		}
	}
}

// compare holds every balance to the book.
func (b *book) compare(t *rapid.T, start contract.PaymentBalances) {
	for _, id := range slices.Sorted(maps.Keys(b.purses)) {
		row, err := b.w.Row(ctx, id)
		must(t, err)
		if row.Balance != b.purses[id].has {
			t.Fatalf("token %s has %s, want %s", id, row.Balance, b.purses[id].has)
		}
	}
	for _, id := range b.locks {
		l, err := b.w.LockRow(ctx, id)
		must(t, err)
		if h := b.holds[id]; l.Remaining() != h.has || l.ClosedAt.IsZero() == h.closed {
			t.Fatalf("lock %+v, want %+v", l, h)
		}
	}
	now, err := b.w.Balances(ctx)
	must(t, err)
	earned := now.Fee - start.Fee
	for _, a := range now.Agents {
		earned += a.Balance
	}
	for _, a := range start.Agents {
		earned -= a.Balance
	}
	if now.Owner-start.Owner != b.owner || earned != b.earned {
		t.Fatalf("the owner changed by %s, want %s; everybody earned %s, want %s", now.Owner-start.Owner, b.owner, earned, b.earned)
	}
}
