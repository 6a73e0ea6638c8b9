package storetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// shared is what all clients see: the tokens and locks that are there.
type shared struct {
	w  *till
	mu sync.Mutex
	// Rings of the newest, so that clients get into each other's way.
	tokens, locks []string
	seen          map[string]int // times that a lock was closed

	done, refused, replayed atomic.Int64
}

const ringSize = 24

func (s *shared) add(ring *[]string, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if *ring = append(*ring, id); len(*ring) > ringSize {
		*ring = (*ring)[1:]
	}
}

func (s *shared) any(r *rand.Rand, ring *[]string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(*ring) == 0 {
		return "none"
	}
	return (*ring)[r.IntN(len(*ring))]
}

// PaymentClients lets clients do random operations on the same few tokens and
// locks at once, a third of them with a key and some of those twice at the same
// time, while time passes and ends things. It gives how many were done. Afterwards
// the ledger agrees with itself, each lock was closed once at most, and whoever
// asked twice under one key got one answer.
func PaymentClients(t testing.TB, store payments.Store, clients, operations int, seed uint64) (done, refused, replayed int64) {
	t.Helper()
	s := &shared{w: openTill(t, store, fmt.Sprintf("c%d-", seed)), seen: map[string]int{}}
	s.w.tell = func(name contract.EventName, e contract.PaymentEvent) {
		closed := e.LockID != "" && slices.Contains([]string{contract.LockSettled, contract.LockReleased, contract.LockExpired}, e.Status)
		if closed && (name == contract.EvPaymentSettled || name == contract.EvPaymentReleased || name == contract.EvPaymentExpired) {
			s.seen[e.LockID]++
			if s.seen[e.LockID] > 1 {
				t.Errorf("lock %s was closed %d times", e.LockID, s.seen[e.LockID])
			}
		}
	}
	left := atomic.Int64{}
	left.Store(int64(operations))
	var group sync.WaitGroup
	for i := range clients {
		group.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			for n := 0; left.Add(-1) >= 0; n++ {
				s.step(t, r, fmt.Sprintf("c%d-%d-%d", seed, i, n))
			}
		})
	}
	group.Wait()
	s.w.sound(t)
	must(t, s.endAll())
	s.w.sound(t)
	b, err := s.w.Balances(ctx)
	must(t, err)
	if b.Tokens != 0 || b.Escrow != 0 {
		t.Errorf("everything has ended, and tokens have %s and locks %s", b.Tokens, b.Escrow)
	}
	return s.done.Load(), s.refused.Load(), s.replayed.Load()
}

// endAll lets everything end.
func (s *shared) endAll() error {
	s.w.pass(2 * contract.MaxPaymentTokenLifetime)
	return second(s.w.Sweep(ctx))
}

// step is one operation of a client.
func (s *shared) step(t testing.TB, r *rand.Rand, key string) {
	if r.IntN(3) > 0 {
		key = ""
	}
	n := payments.Amount(1+r.Int64N(30)) * contract.Credit / 10
	var ask func() (any, error)
	switch p := r.IntN(100); {
	case p < 8:
		ask = s.mint(10*n, key)
	case p < 18:
		from := s.any(r, &s.tokens)
		to := []string{"mia", "leo", "ana"}[r.IntN(3)]
		ask = func() (any, error) {
			c, _, err := s.w.Delegate(ctx, payments.DelegateRequest{ParentID: from, To: to, Amount: &n, ExpiresIn: 30 * time.Minute, By: key, IdempotencyKey: key})
			if err == nil && !c.Replayed {
				s.add(&s.tokens, c.ID)
			}
			return c, err
		}
	case p < 45:
		from := s.any(r, &s.tokens)
		ask = func() (any, error) {
			l, err := s.w.Lock(ctx, payments.LockRequest{TokenID: from, Amount: &n, By: key, IdempotencyKey: key})
			if err == nil && !l.Replayed {
				s.add(&s.locks, l.ID)
			}
			return l, err
		}
	case p < 52:
		id := s.any(r, &s.locks)
		ask = func() (any, error) {
			return s.w.Extend(ctx, payments.ExtendRequest{LockID: id, Amount: &n, By: key, IdempotencyKey: key})
		}
	case p < 92:
		q := payments.SettleRequest{LockID: s.any(r, &s.locks), Amount: &n, By: key, IdempotencyKey: key}
		if r.IntN(2) == 0 {
			q.ChargeType = contract.ChargeAgentFee
		}
		if r.IntN(4) == 0 {
			yes := true
			q.Amount, q.Release = nil, &yes
		}
		ask = func() (any, error) { return s.w.Settle(ctx, q) }
	case p < 96:
		id := s.any(r, &s.tokens)
		ask = func() (any, error) {
			return s.w.TopUp(ctx, payments.TopUpRequest{TokenID: id, Amount: &n, By: key, IdempotencyKey: key})
		}
	case p < 98:
		id := s.any(r, &s.tokens)
		ask = func() (any, error) { return nil, second(two(s.w.Revoke(ctx, id))) }
	default:
		s.w.pass(time.Minute)
		ask = func() (any, error) { return nil, second(s.w.Sweep(ctx)) }
	}
	s.asked(t, ask, key != "" && r.IntN(3) == 0)
}

func two[A, B any](a A, _ B, err error) (A, error) { return a, err }

func (s *shared) mint(n payments.Amount, key string) func() (any, error) {
	return func() (any, error) {
		if err := second(s.w.Deposit(ctx, &n, "", "")); err != nil {
			return nil, err
		}
		c, _, err := s.w.Mint(ctx, payments.MintRequest{Amount: &n, ExpiresIn: time.Hour, Audience: []string{"leo"}, By: key, IdempotencyKey: key})
		if err == nil && !c.Replayed {
			s.add(&s.tokens, c.ID)
		}
		return c, err
	}
}

// asked does an operation, or the same one twice at once.
func (s *shared) asked(t testing.TB, ask func() (any, error), twice bool) {
	count := func(err error) {
		if err != nil && contract.AsError(err) == nil {
			t.Errorf("a fault: %v", err)
		}
		if err != nil {
			s.refused.Add(1)
		} else {
			s.done.Add(1)
		}
	}
	if !twice {
		count(second(ask()))
		return
	}
	var other any
	var otherErr error
	var group sync.WaitGroup
	group.Go(func() { other, otherErr = ask() })
	one, err := ask()
	group.Wait()
	count(err)
	if err != nil || otherErr != nil || one == nil {
		return // refused for one of them, by what happened in between; or no answer at all
	}
	if a, b := plainAnswer(one), plainAnswer(other); !reflect.DeepEqual(a, b) {
		t.Errorf("one key, two answers: %+v and %+v", a, b)
	}
	if replays(one)+replays(other) != 1 {
		t.Errorf("one key, and it happened %d times: %+v and %+v", 2-replays(one)-replays(other), one, other)
	}
	s.replayed.Add(1)
}

// plainAnswer is an answer without what tells a replay apart.
func plainAnswer(a any) any {
	switch x := a.(type) {
	case payments.Token:
		x.Replayed = false
		return x
	case payments.Lock:
		x.Replayed = false
		return x
	case payments.Settlement:
		x.Replayed = false
		return x
	}
	return a
}

func replays(a any) int {
	switch x := a.(type) {
	case payments.Token:
		return count(x.Replayed)
	case payments.Lock:
		return count(x.Replayed)
	case payments.Settlement:
		return count(x.Replayed)
	}
	return 1
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// testPaymentsClients is a short run of 16 clients.
func testPaymentsClients(t *testing.T, s Stores) {
	done, refused, replayed := PaymentClients(t, s.Payments, 16, 1000, 1)
	t.Logf("%d done, %d refused, %d asked twice at once", done, refused, replayed)
	if done < 300 || replayed < 10 {
		t.Errorf("%d done, %d refused, %d asked twice: these clients do not meet", done, refused, replayed)
	}
}
