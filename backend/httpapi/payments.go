package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// Payments is the ledger with its rules.
type Payments interface {
	Identify(token string) (string, *contract.Error)
	Verify(ctx context.Context, r payments.VerifyRequest) payments.Verification
	Mint(ctx context.Context, r payments.MintRequest) (payments.Token, string, error)
	Deposit(ctx context.Context, amount *payments.Amount, by, key string) (replayed bool, err error)
	Lock(ctx context.Context, r payments.LockRequest) (payments.Lock, error)
	Extend(ctx context.Context, r payments.ExtendRequest) (payments.Lock, error)
	Settle(ctx context.Context, r payments.SettleRequest) (payments.Settlement, error)
	Delegate(ctx context.Context, r payments.DelegateRequest) (payments.Token, string, error)
	TopUp(ctx context.Context, r payments.TopUpRequest) (payments.Token, error)
	Revoke(ctx context.Context, tokenID string) (returned payments.Amount, revoked bool, err error)
	Row(ctx context.Context, tokenID string) (*payments.Token, error)
	LockRow(ctx context.Context, id string) (*payments.Lock, error)
	Shown(t payments.Token) contract.PaymentToken
	Token(ctx context.Context, id string) (contract.PaymentToken, error)
	Tokens(ctx context.Context, f payments.TokenFilter) (contract.PaymentTokenList, error)
	Locks(ctx context.Context, f payments.LockFilter) (contract.PaymentLockPage, error)
	Entries(ctx context.Context, f payments.EntryFilter) (contract.PaymentEntryPage, error)
	Balances(ctx context.Context) (contract.PaymentBalances, error)
	Check(ctx context.Context) (contract.PaymentCheck, error)
}

// lifetimeOf is a lifetime of a body; what is no lifetime is refused by the noun.
func lifetimeOf(n int64) time.Duration {
	if n > int64(contract.MaxPaymentTokenLifetime/time.Second) || n < 0 {
		return -1
	}
	return time.Duration(n) * time.Second
}

// lockPayment answers the three forms of contract.md 5.2.
func (a *api) lockPayment(c *call) error {
	var req contract.PaymentLockRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	key, err := c.key(req.IdempotencyKey)
	if err != nil {
		return err
	}
	if req.Token == "" && req.TokenID == "" && c.caller.Kind != auth.KindPayment {
		return a.payerLock(c, req, key)
	}
	text, id, err := c.holds(req.Token, req.TokenID)
	if err != nil {
		return err
	}
	agentID, err := c.payerAgent(req.Agent)
	if err != nil {
		return err
	}
	l, err := a.deps.Payments.Lock(c.r.Context(), payments.LockRequest{
		Token: text, TokenID: id, Amount: req.Amount, Model: req.Model, AgentID: agentID,
		TTL: lifetimeOf(req.ExpiresIn), Reason: req.Reason, By: c.by(), IdempotencyKey: key,
	})
	if err != nil {
		return err
	}
	return c.ok(contract.PaymentLockResponse{
		LockID: l.ID, Locked: l.Amount, LockedAmount: l.Amount, LockedAmountDollars: l.Amount,
		ExpiresAt: l.ExpiresAt, TokenID: l.TokenID, Replayed: c.replay(l.Replayed),
	})
}

// payerLock makes a token out of the caller's own account.
func (a *api) payerLock(c *call, req contract.PaymentLockRequest, key string) error {
	if req.Amount == nil {
		return contract.Errorf(contract.InvalidRequest, "send a token to lock, or an amount to pay from your own account")
	}
	payer, subject := payments.Owner, auth.OwnerUserID
	if !c.isOwner() {
		payer, subject = payments.AgentAccount(c.caller.AgentID), c.caller.AgentID
	}
	t, text, err := a.deps.Payments.Mint(c.r.Context(), payments.MintRequest{
		Payer: payer, Subject: subject, Audience: req.Audience, Amount: req.Amount, ExpiresIn: lifetimeOf(req.ExpiresIn),
		Description: req.Reason, By: c.by(), IdempotencyKey: key,
	})
	if err != nil {
		return err
	}
	return c.ok(contract.PaymentLockResponse{
		Locked: t.Budget, LockedAmount: t.Budget, LockedAmountDollars: t.Budget,
		ExpiresAt: t.ExpiresAt, Token: text, TokenID: t.ID, Replayed: c.replay(t.Replayed),
	})
}

func (a *api) extendLock(c *call) error {
	var req contract.PaymentExtendRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	key, err := c.key(req.IdempotencyKey)
	if err != nil {
		return err
	}
	amount := req.AdditionalAmount
	if amount == nil {
		amount = req.Amount
	}
	id := c.r.PathValue("id")
	if err := c.usesLock(id); err != nil {
		return err
	}
	l, err := a.deps.Payments.Extend(c.r.Context(), payments.ExtendRequest{
		LockID: id, Amount: amount, TTL: lifetimeOf(req.ExpiresIn), By: c.by(), IdempotencyKey: key,
	})
	if err != nil {
		return err
	}
	return c.ok(contract.PaymentExtendResponse{
		Success: true, LockID: l.ID, NewAmount: l.Remaining(), NewAmountDollars: l.Remaining(), ExpiresAt: l.ExpiresAt,
		Replayed: c.replay(l.Replayed),
	})
}

func (a *api) settlePayment(c *call) error {
	var req contract.PaymentSettleRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	key, err := c.key(req.IdempotencyKey)
	if err != nil {
		return err
	}
	r := payments.SettleRequest{
		LockID: req.LockID, Amount: req.Amount, Usage: req.Usage, ChargeType: req.ChargeType,
		Description: firstOf(req.Description, req.Resource), Release: req.Release, Recipient: req.RecipientID,
		AgentID: c.caller.AgentID, By: c.by(), IdempotencyKey: key,
	}
	if req.LockID != "" {
		err = c.usesLock(req.LockID)
	} else {
		r.Token, r.TokenID, err = c.holds(req.Token, req.TokenID)
	}
	if err != nil {
		return err
	}
	s, err := a.deps.Payments.Settle(c.r.Context(), r)
	if err != nil {
		return c.orDie(err)
	}
	return c.ok(settled(s, c.replay(s.Replayed)))
}

// orDie cuts the connection of a client whose settle met a simulated death: that
// is all that one sees of a platform that is gone.
func (c *call) orDie(err error) error {
	if errors.Is(err, payments.ErrDied) {
		panic(http.ErrAbortHandler)
	}
	return err
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func settled(s payments.Settlement, replayed bool) contract.PaymentSettleResponse {
	return contract.PaymentSettleResponse{
		Settled: s.Settled, Released: s.Released, Remaining: s.Remaining, Success: true,
		Charged: s.Settled.Raw(), ChargedDollars: s.Settled, RemainingDollars: s.Remaining,
		Requested: s.Requested.Raw(), RequestedDollars: s.Requested, Unbilled: s.Unbilled.Raw(), UnbilledDollars: s.Unbilled,
		Partial: s.Partial, ComputedFromUsage: s.ComputedFromUsage, LockID: s.LockID, TokenID: s.TokenID, Status: s.Status,
		Replayed: replayed,
	}
}

func (a *api) delegatePayment(c *call) error {
	var req contract.PaymentDelegateRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	key, err := c.key(req.IdempotencyKey)
	if err != nil {
		return err
	}
	text, id, err := c.holds(req.ParentToken, req.ParentTokenID)
	if err != nil {
		return err
	}
	t, child, err := a.deps.Payments.Delegate(c.r.Context(), payments.DelegateRequest{
		ParentToken: text, ParentID: id, To: req.DelegateTo, Amount: req.Amount, ExpiresIn: lifetimeOf(req.ExpiresIn),
		DelegatedBy: c.caller.AgentID, By: c.by(), IdempotencyKey: key,
	})
	if err != nil {
		return err
	}
	return c.ok(contract.PaymentDelegateResponse{
		Token: child, TokenID: t.ID, AmountCredits: t.Budget, AmountDollars: t.Budget, ExpiresAt: t.ExpiresAt, Replayed: c.replay(t.Replayed),
	})
}

// verifyPayment answers 200 whatever the token is.
func (a *api) verifyPayment(c *call) error {
	var req contract.PaymentVerifyRequest
	body, err := c.body()
	if err == nil && len(body) > 0 {
		err = unmarshal(body, &req)
	}
	if err != nil {
		return err
	}
	if tokens := payments.TokensOf(c.r.Header); req.Token == "" && len(tokens) > 0 {
		req.Token = tokens[0]
	}
	if bearer, _ := bearerOf(c.r); req.Token == "" && c.caller.Kind == auth.KindPayment {
		req.Token = bearer
	}
	v := a.deps.Payments.Verify(c.r.Context(), payments.VerifyRequest{Token: req.Token, Audience: req.ExpectedAudience, AgentID: c.caller.AgentID})
	return c.ok(verified(v, a.deps.URL()))
}

func verified(v payments.Verification, issuer string) contract.PaymentVerifyResponse {
	out := contract.PaymentVerifyResponse{Valid: v.Valid, InvalidReason: v.Reason}
	if t := v.Token; t != nil {
		out.ExpiresAt, out.TokenID, out.Issuer, out.Subject = &t.ExpiresAt, t.ID, issuer, t.Subject
		out.Audience, out.MaxDepth = t.Audience, t.MaxDepth
	}
	if v.Valid {
		out.Balance, out.BalanceDollars = v.Balance, v.Balance
	}
	return out
}

func (a *api) listPaymentTokens(c *call) error {
	page, err := pageOf(c.r.URL.Query())
	if err != nil {
		return err
	}
	f := payments.TokenFilter{Page: page}
	switch {
	case c.isOwner():
	case c.caller.Kind == auth.KindPayment:
		f.Root = c.caller.TokenID
	default:
		f.Audience = c.names()
	}
	list, err := a.deps.Payments.Tokens(c.r.Context(), f)
	if err != nil {
		return err
	}
	return c.ok(list)
}

func (a *api) getPaymentToken(c *call) error {
	t, err := c.tokenFor(c.r.PathValue("id"), false)
	if err != nil {
		return err
	}
	out, err := a.deps.Payments.Token(c.r.Context(), t.ID)
	if err != nil {
		return err
	}
	return c.ok(out)
}

func (a *api) revokePaymentToken(c *call) error {
	t, err := c.tokenFor(c.r.PathValue("id"), true)
	if err != nil {
		return err
	}
	returned, revoked, err := a.deps.Payments.Revoke(c.r.Context(), t.ID)
	if err != nil {
		return err
	}
	return c.ok(contract.PaymentRevokeResponse{OK: true, Revoked: revoked, Returned: returned})
}

func (a *api) topUpPaymentToken(c *call) error {
	var req contract.PaymentTopUpRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	key, err := c.key(req.IdempotencyKey)
	if err != nil {
		return err
	}
	t, err := c.tokenFor(c.r.PathValue("id"), true)
	if err != nil {
		return err
	}
	if t.ID == c.caller.TokenID {
		return contract.Errorf(contract.Forbidden, "a payment token cannot fill itself: use the credential of who made it")
	}
	now, err := a.deps.Payments.TopUp(c.r.Context(), payments.TopUpRequest{TokenID: t.ID, Amount: req.Amount, By: c.by(), IdempotencyKey: key})
	if err != nil {
		return err
	}
	return c.ok(contract.PaymentTopUpResponse{
		Success: true, NewBalance: now.Balance, BalanceDollars: now.Balance, Token: a.deps.Payments.Shown(now), Replayed: c.replay(now.Replayed),
	})
}
