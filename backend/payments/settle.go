package payments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"benchtop/backend/contract"
)

// ErrDied is in the error of a settle at which the simulator let the platform
// die: whoever answers a client should cut the connection.
var ErrDied = errors.New("the platform died (simulated)")

// chargeTypes says who gets what is charged: the fee account or, for false, the
// recipient.
var chargeTypes = map[string]bool{
	"": false, contract.ChargeAgentFee: false, contract.ChargeByokLLM: false, contract.ChargeByokMCP: false,
	contract.ChargePlatformFee: true, contract.ChargePlatformLLM: true,
}

// SettleRequest asks to charge a lock or, without one, a token directly. Amount
// is what to charge, or Usage tells. Recipient is the id or username of an agent,
// or "owner"; the lock's agent when empty. The rules of Release are in
// contract.PaymentSettleRequest.
type SettleRequest struct {
	LockID         string
	Token          string
	TokenID        string
	Amount         *Amount
	Usage          []contract.PaymentUsage
	ChargeType     string
	Description    string
	Release        *bool
	Recipient      string
	AgentID        string // of a token that is charged directly
	InvocationID   string
	By             string
	IdempotencyKey string
}

// Settlement says what a settle did. Status is the lock's.
type Settlement struct {
	LockID, TokenID, AgentID, Status string
	Settled, Released, Remaining     Amount
	Requested, Unbilled              Amount
	Partial, ComputedFromUsage       bool
	Replayed                         bool `json:"-"`
}

// Settle charges. What a lock has too little of is charged as far as it goes and
// said to be partial; a token that is charged directly has enough or is refused.
func (p *Payments) Settle(ctx context.Context, r SettleRequest) (Settlement, error) {
	want, closes, err := charge(r)
	if err != nil {
		return Settlement{}, err
	}
	agentID, tokenID := r.AgentID, ""
	if r.LockID != "" {
		l, err := p.cfg.Store.PaymentLock(ctx, r.LockID)
		if err != nil {
			return Settlement{}, err
		}
		if l == nil {
			return Settlement{}, contract.Errorf(contract.PaymentLockNotFound, "no lock has the id %.64q", r.LockID)
		}
		agentID = l.AgentID
	} else if tokenID, err = p.named(r.Token, r.TokenID); err != nil {
		return Settlement{}, err
	}
	f := p.cfg.Faults(agentID)
	if err := p.pause(ctx, f.LatencyMs+f.SettleDelayMs); err != nil {
		return Settlement{}, err
	}
	if f.SettleFails {
		e := contract.Errorf(contract.PaymentUnavailable, "the settle failed and nothing was charged (simulated): try again")
		e.RetryAfterSec = 5
		return Settlement{}, e
	}
	if f.Dies == contract.DieBeforeSettle {
		return Settlement{}, p.die(ctx)
	}
	run := func() (Settlement, error) {
		s, replayed, err := once(ctx, p, "settle", r.By, r.IdempotencyKey, r, func(o *operation) (Settlement, error) {
			if r.LockID == "" {
				return o.settleToken(tokenID, agentID, want, r)
			}
			return o.settleLock(want, closes, f.PartialSettlePercent, r)
		})
		s.Replayed = replayed
		return s, err
	}
	s, err := run()
	if err == nil && f.DuplicateSettle {
		if _, again := run(); again != nil {
			p.cfg.Log.Info("the duplicate of a settle was refused (simulated)", "lock", r.LockID, "error", again)
		}
	}
	if err == nil && f.Dies == contract.DieAfterSettle {
		return Settlement{}, p.die(ctx)
	}
	return s, err
}

func (p *Payments) die(ctx context.Context) error {
	if err := p.cfg.Die(ctx); err != nil {
		return err
	}
	e := contract.Errorf(contract.PaymentUnavailable, "the platform died (simulated): ask again with the same idempotency key")
	e.RetryAfterSec = 5
	return fmt.Errorf("%w: %w", ErrDied, e)
}

// charge gives what a request wants and whether it closes its lock.
func charge(r SettleRequest) (want Amount, closes bool, err error) {
	if _, known := chargeTypes[r.ChargeType]; !known {
		return 0, false, contract.Errorf(contract.InvalidRequest, "chargeType %.40q is none of agent_fee, platform_fee, platform_llm, byok_llm, byok_mcp_sampling", r.ChargeType)
	}
	if err := goodTexts(nil, r.Description); err != nil {
		return 0, false, err
	}
	release := r.Release != nil && *r.Release
	switch {
	case r.Amount != nil && (*r.Amount < 0 || *r.Amount > contract.MaxAmount):
		return 0, false, contract.Errorf(contract.InvalidAmount, "amount must be from 0 to %s", contract.MaxAmount)
	case r.Amount != nil:
		want = *r.Amount
	case len(r.Usage) > 0:
		if want, err = PriceOf(r.Usage); err != nil {
			return 0, false, err
		}
	case !release:
		return 0, false, contract.Errorf(contract.InvalidRequest, "say what to settle: amount, usage, or release: true")
	}
	closes = r.ChargeType == "" && r.Usage == nil
	if r.Release != nil {
		closes = release
	}
	return want, closes, nil
}

// Prices of what nobody priced, per token of a model.
const (
	promptPrice     Amount = 1_000 // a dollar for a million
	cachedPrice     Amount = 100
	completionPrice Amount = 4_000

	maxUsage       = 1000          // elements
	maxUsageTokens = 1_000_000_000 // of one kind in one element
)

// PriceOf sums up usage: by its own prices where it has some, else by flat ones
// per token. A tool without a price is free.
func PriceOf(usage []contract.PaymentUsage) (sum Amount, err error) {
	if len(usage) > maxUsage {
		return 0, contract.Errorf(contract.InvalidRequest, "usage has %d elements, %d are allowed", len(usage), maxUsage)
	}
	for i, u := range usage {
		price := Amount(0)
		switch prompt, cached, completion := max(u.PromptTokens, u.PromptTokensJS), max(u.CachedRead, u.CachedReadJS), max(u.Completion, u.CompletionJS); {
		case u.Type != "llm" && u.Type != "tool":
			return 0, contract.Errorf(contract.InvalidRequest, "usage[%d].type must be llm or tool", i)
		case u.Pricing != nil:
			price = u.Pricing.Credits
		case u.Type == "tool":
		case min(u.PromptTokens, u.PromptTokensJS, u.CachedRead, u.CachedReadJS, u.Completion, u.CompletionJS) < 0,
			max(prompt, cached, completion) > maxUsageTokens:
			return 0, contract.Errorf(contract.InvalidRequest, "usage[%d] has a count of tokens that cannot be", i)
		default:
			// What was read from a cache is part of the prompt.
			cached = min(cached, prompt)
			price = Amount(prompt-cached)*promptPrice + Amount(cached)*cachedPrice + Amount(completion)*completionPrice
		}
		if price < 0 || price > contract.MaxAmount || sum > math.MaxInt64-price {
			return 0, contract.Errorf(contract.InvalidAmount, "usage[%d] costs %s, which is not from 0 to %s", i, price, contract.MaxAmount)
		}
		if sum += price; sum > contract.MaxAmount {
			return 0, contract.Errorf(contract.InvalidAmount, "usage costs more than %s", contract.MaxAmount)
		}
	}
	return sum, nil
}

func (o *operation) settleLock(want Amount, closes bool, percent int, r SettleRequest) (Settlement, error) {
	l, err := o.lockDue(r.LockID)
	if err != nil {
		return Settlement{}, err
	}
	s := Settlement{
		LockID: l.ID, TokenID: l.TokenID, AgentID: l.AgentID, Status: l.Status, Requested: want,
		ComputedFromUsage: r.Amount == nil && len(r.Usage) > 0,
	}
	event := eventCharge
	switch {
	case want == 0 && closes && !l.ClosedAt.IsZero():
		return s, nil // giving back twice is giving back once
	case want == 0 && closes:
		event = eventRelease
	case closes:
		event = eventSettle
	}
	to, refused := next(l, event)
	if refused != nil {
		return Settlement{}, refused
	}
	due := want
	if percent > 0 {
		due = want.Part(Amount(percent), 100)
	}
	s.Settled = min(due, l.Remaining())
	s.Unbilled = want - s.Settled
	s.Partial = s.Unbilled > 0
	name := contract.EvPaymentSettled
	if event == eventRelease {
		name = contract.EvPaymentReleased
	}
	about := o.aboutLock(l, s.Settled)
	about.InvocationID = orElse(l.InvocationID, r.InvocationID)
	said := o.tell(name, about)
	if err := o.paid(said, LockAccount(l.ID), l.TokenID, s.Settled, l.AgentID, r); err != nil {
		return Settlement{}, err
	}
	l.Settled += s.Settled
	switch {
	case closes:
		s.Released = l.Remaining()
		if err := o.close(said, l, to, contract.EntryRelease); err != nil {
			return Settlement{}, err
		}
	case s.Settled > 0:
		l.Status = to
		if err := o.putLock(*l); err != nil {
			return Settlement{}, err
		}
	}
	s.Status, s.Remaining = l.Status, l.Remaining()
	said.Status = l.Status
	return s, nil
}

func (o *operation) settleToken(id, agentID string, want Amount, r SettleRequest) (Settlement, error) {
	t, err := o.liveToken(id)
	if err != nil {
		return Settlement{}, err
	}
	if agentID == "" {
		agentID = o.p.agentOf(t.Audience)
	}
	if !o.p.meantFor(t.Audience, agentID) {
		return Settlement{}, invalid(contract.SubTokenAudience, "payment token %s is meant for somebody else", id)
	}
	if err := o.p.refusedBy(agentID); err != nil {
		return Settlement{}, err
	}
	if t.Balance < want {
		return Settlement{}, short(contract.InsufficientToken, t.Balance, "payment token %s has less than %s", id, want)
	}
	said := o.tell(contract.EvPaymentSettled, contract.PaymentEvent{TokenID: id, AgentID: agentID, InvocationID: r.InvocationID, Amount: want})
	if err := o.paid(said, TokenAccount(id), id, want, agentID, r); err != nil {
		return Settlement{}, err
	}
	return Settlement{
		TokenID: id, AgentID: agentID, Settled: want, Requested: want, Remaining: t.Balance - want,
		ComputedFromUsage: r.Amount == nil && len(r.Usage) > 0,
	}, nil
}

// refusedBy is what the simulator says of a token that is charged directly; the
// waiting is done.
func (p *Payments) refusedBy(agentID string) error {
	f := p.cfg.Faults(agentID)
	f.LatencyMs = 0
	switch {
	case f.ExpiredToken:
		return invalid(contract.SubTokenExpired, "the payment token has expired (simulated)")
	case f.InsufficientBalance:
		return short(contract.InsufficientToken, 0, "the payment token has not enough (simulated)")
	}
	return nil
}

// paid moves what is charged to whom it goes: the platform, or the recipient
// less what the agents that delegated the token keep of it.
func (o *operation) paid(said *contract.PaymentEvent, from, tokenID string, amount Amount, agentID string, r SettleRequest) error {
	to := Fee
	if !chargeTypes[r.ChargeType] {
		var err error
		if to, err = o.p.recipient(r.Recipient, agentID); err != nil {
			return err
		}
	}
	if amount == 0 {
		return nil
	}
	t, err := o.tx.Token(tokenID)
	if err != nil {
		return err
	}
	t.Spent += amount
	if err := o.putToken(*t); err != nil {
		return err
	}
	entry := contract.PaymentEntry{ChargeType: r.ChargeType, Description: r.Description}
	rest := amount
	if to != Fee && (r.ChargeType == "" || r.ChargeType == contract.ChargeAgentFee) {
		if rest, err = o.commissions(said, from, to, t, amount, entry); err != nil {
			return err
		}
	}
	return o.move(said, contract.EntrySettle, from, to, rest, entry)
}

func (p *Payments) recipient(named, agentID string) (string, error) {
	if named == Owner {
		return Owner, nil
	}
	ref := orElse(named, agentID)
	if ref == "" {
		return Owner, nil
	}
	if a, ok := p.cfg.Agent(ref); ok {
		return AgentAccount(a.ID), nil
	}
	if named != "" {
		return "", contract.Errorf(contract.InvalidRequest, "recipientId %.64q is no agent's id or username, and not owner", named)
	}
	return AgentAccount(agentID), nil // it was removed meanwhile, and has earned this
}

// commissions pays each agent that handed the token on its part of what is left
// then, the first one first, rounded down, and gives the rest.
func (o *operation) commissions(said *contract.PaymentEvent, from, to string, t *Token, rest Amount, entry contract.PaymentEntry) (Amount, error) {
	for _, id := range append(slices.Clone(t.Chain), t.ID) {
		link := t
		if id != t.ID {
			var err error
			if link, err = o.tx.Token(id); err != nil {
				return 0, err
			}
		}
		a, ok := o.p.cfg.Agent(link.DelegatedBy)
		if link.DelegatedBy == "" || !ok || AgentAccount(a.ID) == to || a.CommissionPercent == "" {
			continue
		}
		percent, err := ParseAmount(a.CommissionPercent)
		if err != nil || percent < 0 || percent > 100*contract.Credit {
			o.p.cfg.Log.Warn("an agent's commission is no percentage from 0 to 100; it gets none", "agent", a.ID)
			continue
		}
		part := rest.Part(percent, 100*contract.Credit)
		rest -= part
		if err := o.move(said, contract.EntryCommission, from, AgentAccount(a.ID), part, entry); err != nil {
			return 0, err
		}
	}
	return rest, nil
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
