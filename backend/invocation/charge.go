package invocation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"sync"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// Payments is what the pipeline needs of the ledger.
type Payments interface {
	Gate(ctx context.Context, c payments.Charge, tokens []string) (*payments.Paid, *contract.Error)
	ChargeOwner(ctx context.Context, c payments.OwnerCharge) error
	OpenLocks(ctx context.Context, invocationID string) ([]contract.PaymentLock, error)
	Verify(ctx context.Context, r payments.VerifyRequest) payments.Verification
}

// Payment is what a request costs and is paid with. Price is that of the entry
// which it came through, 0 for none; then what the function itself costs is
// charged. Tokens are payment tokens in the order in which they are tried.
type Payment struct {
	Price       contract.Amount
	Tokens      []string
	Resource    string // the address that was asked for
	Description string
}

// bill is who pays for a run, and what. Nobody has one for what is free.
type bill struct {
	paid *payments.Paid // of a token; nil: the owner's account
	flat contract.Amount
	unit contract.UnitPrice
	now  *chargedNow // of an endpoint
}

// chargedNow is what was charged while a run went on: its answer may begin just as
// it ends.
type chargedNow struct {
	mu    sync.Mutex
	over  bool   // the run has ended
	taken *taken // nil: nothing yet
}

// taken is what a settle gave.
type taken struct {
	settled, unbilled contract.Amount
	failed            *contract.Error
}

// end closes a bill to charges while the run goes on and gives the one there was.
func (b *bill) end() *taken {
	if b.now == nil {
		return nil
	}
	b.now.mu.Lock()
	defer b.now.mu.Unlock()
	b.now.over = true
	return b.now.taken
}

// paymentMethod in permissions.portal lets a function lock money itself.
const paymentMethod = "payment.lock"

// hold sees to it that a run with a price is paid for: a token's money is held
// before anything runs. What nobody brought a token for is the owner's to pay,
// unless a stranger asks for a tool, which is refused with how to pay.
func (v *Invoker) hold(ctx context.Context, c *call) error {
	price := contract.Amount(0)
	var unit contract.UnitPrice
	switch {
	case c.req.Payment != nil && c.req.Payment.Price > 0:
		price = c.req.Payment.Price
	case len(c.agent.Settings.ToolPricing) > 0 && c.req.Endpoint == nil:
		p, ok := c.agent.Settings.ToolPricing["fn:"+c.fn.Name]
		if !ok || p == (contract.ToolPrice{}) {
			return nil
		}
		amount, err := contract.AmountOfNanocents(strconv.FormatInt(p.PerCall, 10), v.perDollar())
		if err != nil {
			return contract.Errorf(contract.InvalidAmount, "the price of %s: %s", c.fn.Name, err.Error())
		}
		price, unit = amount, p.PerUnit
		if len(c.payer.tokens) == 0 && c.payer.owner {
			c.bill = &bill{flat: price, unit: unit}
			return nil
		}
	default:
		return nil
	}
	if v.cfg.Payments == nil {
		return contract.Errorf(contract.PaymentUnavailable, "%s has a price, and there are no payments", c.fn.Name)
	}
	charge := payments.Charge{AgentID: c.agent.ID, Price: max(price, 1), Description: "fn:" + c.fn.Name, InvocationID: c.row.ID}
	if p := c.req.Payment; p != nil {
		charge.Resource = p.Resource
		if p.Description != "" {
			charge.Description = p.Description
		}
	}
	paid, refused := v.cfg.Payments.Gate(ctx, charge, c.payer.tokens)
	if refused != nil {
		return refused
	}
	c.bill = &bill{paid: paid, flat: price, unit: unit}
	if c.req.Endpoint != nil {
		c.bill.now = &chargedNow{}
		ctx := context.WithoutCancel(ctx)
		c.req.Endpoint.charge = func() (*Receipt, *contract.Error) { return v.chargeNow(ctx, c) }
	}
	return nil
}

// chargeNow takes the price of a run whose answer begins, once.
func (v *Invoker) chargeNow(ctx context.Context, c *call) (*Receipt, *contract.Error) {
	b, now := c.bill, c.bill.now
	now.mu.Lock()
	defer now.mu.Unlock()
	if now.over {
		return nil, contract.Errorf(contract.InvocationCancelled, "the run has ended")
	}
	if now.taken == nil {
		t := v.take(ctx, c, b.flat, b.flat)
		now.taken = &t
	}
	if now.taken.failed != nil {
		return nil, now.taken.failed
	}
	return &Receipt{LockID: b.paid.LockID, TokenID: b.paid.TokenID, Amount: now.taken.settled}, nil
}

// payer is who pays for an invocation and what is nested in it.
type payer struct {
	tokens []string
	owner  bool // without a token, the owner does
}

// payerOf says who pays. A chain has one payer, unless a call in it brings a token
// of its own. Without any, the owner pays for what runs in the owner's name or in
// nobody's; for a tool that somebody else calls, nobody does.
func payerOf(req Request) payer {
	p := payer{owner: true}
	if req.Payment != nil {
		p.tokens = req.Payment.Tokens
	}
	switch {
	case req.nest != nil:
		p.owner = req.nest.parent.payer.owner
		if len(p.tokens) == 0 {
			p.tokens = req.nest.parent.payer.tokens
		}
	case req.Skill == contract.SkillTools:
		k := req.Caller.Kind
		p.owner = k == auth.KindOwner || k == auth.KindPortal && req.Caller.AgentID == "" && req.Caller.UserID == auth.OwnerUserID
	}
	return p
}

// charge settles the bill of a run that went well and gives everything back after
// one that did not; the row has what was paid. What could not be charged in the
// end fails the run, because the money for it is not there.
func (v *Invoker) charge(ctx context.Context, c *call, o *Outcome) {
	b := c.bill
	if b == nil {
		return
	}
	if t := b.end(); t != nil {
		v.taken(c, o, *t)
		return
	}
	if o.Code != "" || c.req.Endpoint != nil && c.req.Endpoint.Spared {
		if err := v.giveBack(ctx, c); err != nil {
			c.warn(o, "what was held for this run could not be given back at once; it goes back when lock "+b.paid.LockID+" expires")
		}
		return
	}
	cost, err := v.costOf(b, c, o)
	if err != nil {
		c.warn(o, "this run is charged "+cost.String()+" dollars: "+err.Error())
	}
	if b.paid == nil {
		v.chargeOwner(ctx, c, o, cost)
		return
	}
	held, err := b.paid.More(ctx, cost)
	if err == nil && held < cost {
		c.warn(o, fmt.Sprintf("this run cost %s dollars and its payment token had %s; the rest is not charged", cost, held))
	}
	v.taken(c, o, v.take(ctx, c, cost, held))
}

// take settles what a run costs out of what is held for it.
func (v *Invoker) take(ctx context.Context, c *call, cost, held contract.Amount) taken {
	paid := c.bill.paid
	settled, err := paid.Settle(ctx, min(cost, held))
	if err == nil {
		return taken{settled: settled.Settled, unbilled: settled.Unbilled}
	}
	// The answer may have been lost and not the settle.
	if was, closed, again := paid.Charged(ctx); again == nil && closed && (was > 0 || cost == 0) {
		return taken{settled: was, unbilled: cost - was}
	}
	e := contract.AsError(err)
	if e == nil {
		v.cfg.Log.Error("a run could not be charged", "invocation", c.row.ID, "lock", paid.LockID, "error", err)
		e = contract.Errorf(contract.PaymentUnavailable, "payments cannot be reached")
	}
	return taken{failed: paid.Unpaid(e)}
}

// taken writes down what was charged; what could not be charged is withheld.
func (v *Invoker) taken(c *call, o *Outcome, t taken) {
	if t.failed == nil {
		v.paidFor(c, o, t.settled, t.unbilled)
		return
	}
	c.unpaid = t.failed
	o.Value, o.Code, o.Message, o.RetryAfterSec = nil, c.unpaid.Code, c.unpaid.Message, c.unpaid.RetryAfterSec
}

// giveBack ends a bill without a charge.
func (v *Invoker) giveBack(ctx context.Context, c *call) error {
	if c.bill == nil || c.bill.paid == nil {
		return nil
	}
	return c.bill.paid.Release(ctx)
}

// presented is what a function learns of the first token that counts here; what
// is held of it for this run is no longer in its balance.
func (v *Invoker) presented(ctx context.Context, c *call) *paymentContext {
	if v.cfg.Payments == nil || c.req.Payment == nil {
		return nil
	}
	for _, token := range c.req.Payment.Tokens {
		known := v.cfg.Payments.Verify(ctx, payments.VerifyRequest{Token: token, Audience: []string{c.agent.ID}, AgentID: c.agent.ID})
		if known.Valid && known.Token != nil {
			return &paymentContext{TokenSub: known.Token.Subject, Balance: json.Number(known.Balance.Nanocents(v.perDollar()))}
		}
	}
	return nil
}

func (v *Invoker) paidFor(c *call, o *Outcome, settled, unbilled contract.Amount) {
	c.row.CostNanocents = settled.Nanocents(v.perDollar())
	c.receipt = &Receipt{LockID: c.bill.paid.LockID, TokenID: c.bill.paid.TokenID, Amount: settled}
	if unbilled > 0 {
		c.warn(o, fmt.Sprintf("%s dollars of this run were not charged", unbilled))
	}
}

func (v *Invoker) chargeOwner(ctx context.Context, c *call, o *Outcome, cost contract.Amount) {
	if cost == 0 || v.cfg.Payments == nil {
		return
	}
	err := v.cfg.Payments.ChargeOwner(ctx, payments.OwnerCharge{
		AgentID: c.agent.ID, Amount: cost, Description: "fn:" + c.fn.Name, InvocationID: c.row.ID, IdempotencyKey: "run:" + c.row.ID,
	})
	e := contract.AsError(err)
	switch {
	case err == nil:
		c.row.CostNanocents = cost.Nanocents(v.perDollar())
	case e != nil:
		c.warn(o, "this run cost "+cost.String()+" dollars, which nobody paid: "+e.Message)
	default:
		v.cfg.Log.Error("a run could not be charged", "invocation", c.row.ID, "error", err)
		c.warn(o, "this run cost "+cost.String()+" dollars, which nobody paid: payments cannot be reached")
	}
}

// costOf is what a run costs in the end: what the entry costs, or the price of a
// call and of what was measured. A schedule's run that found nothing to do
// ({idle: true}) costs what was measured. An error says that it is capped.
func (v *Invoker) costOf(b *bill, c *call, o *Outcome) (contract.Amount, error) {
	flat := b.flat
	if c.kind == kindCron && idle(o.Value) {
		flat = 0
	}
	if b.unit == (contract.UnitPrice{}) {
		return flat, nil
	}
	sum := new(big.Int)
	for _, m := range [][2]int64{
		{b.unit.CPUMs, (o.CPUUs + 999) / 1000}, {b.unit.IngressBytes, o.IngressBytes}, {b.unit.EgressBytes, o.EgressBytes},
	} {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(m[0]), big.NewInt(max(m[1], 0))))
	}
	units, err := contract.AmountOfNanocents(sum.String(), v.perDollar())
	if err != nil || units+flat > contract.MaxAmount {
		return contract.MaxAmount, errors.New("more cannot be charged at once")
	}
	return flat + units, nil
}

func idle(result contract.RawJSON) bool {
	var r struct {
		Idle bool `json:"idle"`
	}
	return len(result) > 0 && result[0] == '{' && json.Unmarshal(result, &r) == nil && r.Idle
}

// openLocks tells of money that a function held and neither settled nor released.
func (v *Invoker) openLocks(ctx context.Context, c *call, o *Outcome) {
	if v.cfg.Payments == nil || !slices.Contains(c.fn.Manifest.Permissions.Portal, paymentMethod) {
		return
	}
	open, err := v.cfg.Payments.OpenLocks(ctx, c.row.ID)
	if err != nil {
		v.cfg.Log.Error("the locks that a run left open could not be found", "invocation", c.row.ID, "error", err)
		return
	}
	for _, l := range open {
		if c.bill != nil && c.bill.paid != nil && l.ID == c.bill.paid.LockID {
			continue
		}
		c.row.OpenLocks++
		c.warn(o, fmt.Sprintf("lock %s was left open with %s dollars in it; settle or release it before the function ends, or it holds them until %s",
			l.ID, l.Remaining, l.ExpiresAt.Format("15:04:05 MST")))
	}
}

// warn leaves a line in the run's log.
func (c *call) warn(o *Outcome, text string) {
	c.rec.Log(o.DurationUs, contract.LogLine{Level: "warn", Message: text, TS: c.job.ClockStartMs + o.DurationUs/1000})
}

// credentials are the texts of a call that must not be recorded: its payment
// tokens and the headers they came in.
func (c *call) credentials() (found []string) {
	found = append(found, c.payer.tokens...)
	if c.http == nil {
		return found
	}
	for name, values := range c.http.Header {
		if payments.CarriesToken(name) {
			found = append(found, values...)
		}
	}
	return found
}

func (v *Invoker) perDollar() int64 {
	if v.cfg.NanocentsPerDollar == nil {
		return contract.DefaultNanocentsPerDollar
	}
	return v.cfg.NanocentsPerDollar()
}
