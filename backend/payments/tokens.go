package payments

import (
	"context"
	"slices"
	"time"
	"unicode"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
)

// Bounds of what a token may say.
const (
	maxAudience = 16
	maxText     = 256
)

// Scheme and Network name this kind of payment, contract.md 5.7.
const (
	Scheme  = "token"
	Network = "robutler"
	asset   = "robutler:credits"
)

// Claims are those of a payment token, contract.md 5.5. Balance is what it held
// when it was made, in dollars.
type Claims struct {
	jwt.RegisteredClaims
	Payment struct {
		Balance  Amount `json:"balance"`
		Scheme   string `json:"scheme"`
		MaxDepth int    `json:"max_depth"`
	} `json:"payment"`
}

// Validate is asked by the parser beside the times and the signature.
func (c *Claims) Validate() error {
	if c.ID == "" || c.Payment.Scheme != Scheme {
		return jwt.ErrTokenInvalidClaims
	}
	return nil
}

// MintRequest asks for a token out of an account. Payer is the owner's account
// when empty, Subject the owner; ExpiresIn 0 is a day, MaxDepth nil is 5.
type MintRequest struct {
	Payer          string
	Subject        string
	Audience       []string
	Amount         *Amount
	ExpiresIn      time.Duration
	MaxDepth       *int
	Description    string
	By             string
	IdempotencyKey string
}

// Mint makes a token and gives it with its text, which is not stored.
func (p *Payments) Mint(ctx context.Context, r MintRequest) (Token, string, error) {
	amount, err := positive("amount", r.Amount)
	if err != nil {
		return Token{}, "", err
	}
	life, err := lifetime(r.ExpiresIn, contract.DefaultPaymentTokenLifetime, contract.MaxPaymentTokenLifetime)
	if err != nil {
		return Token{}, "", err
	}
	depth := contract.DefaultDelegationDepth
	if r.MaxDepth != nil {
		depth = *r.MaxDepth
	}
	if depth < 0 || depth > contract.MaxDelegationDepth {
		return Token{}, "", contract.Errorf(contract.InvalidRequest, "maxDepth must be from 0 to %d", contract.MaxDelegationDepth)
	}
	if err := goodTexts(r.Audience, r.Description); err != nil {
		return Token{}, "", err
	}
	if r.Payer == "" {
		r.Payer = Owner
	}
	if r.Subject == "" {
		r.Subject = Owner
	}
	t, replayed, err := once(ctx, p, "mint", r.By, r.IdempotencyKey, r, func(o *operation) (Token, error) {
		has, err := o.tx.Balance(r.Payer)
		if err != nil {
			return Token{}, err
		}
		if has < amount {
			return Token{}, short(contract.InsufficientAccount, has, "the account %s has less than %s", r.Payer, amount)
		}
		t := Token{
			ID: p.cfg.NewID(), Payer: r.Payer, Subject: r.Subject, Audience: r.Audience, Description: r.Description,
			MaxDepth: depth, IssuedAt: o.now.Truncate(time.Second), ExpiresAt: wholeSecond(o.now.Add(life)), Budget: amount,
		}
		return t, o.fund(&t, r.Payer, contract.EntryMint, contract.EvPaymentMinted, amount)
	})
	t.Replayed = replayed
	return p.signed(t, err)
}

// fund stores a new token and moves what it holds into it.
func (o *operation) fund(t *Token, from, kind string, event contract.EventName, amount Amount) error {
	if err := o.putToken(*t); err != nil {
		return err
	}
	said := o.tell(event, contract.PaymentEvent{TokenID: t.ID, AgentID: o.p.agentOf(t.Audience), Amount: amount, Status: contract.TokenActive})
	err := o.move(said, kind, from, TokenAccount(t.ID), amount, contract.PaymentEntry{Description: t.Description})
	t.Balance = amount
	return err
}

// wholeSecond is the first whole second at t or after, as in a token.
func wholeSecond(t time.Time) time.Time {
	s := t.Truncate(time.Second)
	if s.Before(t) {
		s = s.Add(time.Second)
	}
	return s
}

func goodTexts(audience []string, text string) error {
	if len(audience) > maxAudience || slices.ContainsFunc(audience, func(s string) bool { return s == "" || badText(s) }) {
		return contract.Errorf(contract.InvalidRequest, "an audience is one printable text or up to %d of them, of %d characters at most", maxAudience, maxText)
	}
	if badText(text) {
		return contract.Errorf(contract.InvalidRequest, "a description is %d printable characters at most", maxText)
	}
	return nil
}

func badText(s string) bool {
	return len(s) > maxText || slices.ContainsFunc([]rune(s), func(r rune) bool { return !unicode.IsPrint(r) })
}

// signed gives a token with its text. The same row gives the same text, so that
// a replayed answer has it again and it need not be kept.
func (p *Payments) signed(t Token, err error) (Token, string, error) {
	if err != nil {
		return Token{}, "", err
	}
	p.cfg.Ends(t.ExpiresAt)
	var c Claims
	c.RegisteredClaims = jwt.RegisteredClaims{
		Issuer: p.cfg.BaseURL(), Subject: t.Subject, Audience: t.Audience, ID: t.ID,
		IssuedAt: jwt.NewNumericDate(t.IssuedAt), ExpiresAt: jwt.NewNumericDate(t.ExpiresAt),
	}
	c.Payment.Balance, c.Payment.Scheme, c.Payment.MaxDepth = t.Budget, Scheme, t.MaxDepth
	text, err := p.cfg.Signer.Sign(contract.PaymentTokenType, &c)
	return t, text, err
}

// DelegateRequest asks for a child of a token, which is named by its text or, by
// the owner, by its id. DelegatedBy is the agent that hands it on; it is the one
// that the parent is meant for when empty.
type DelegateRequest struct {
	ParentToken    string
	ParentID       string
	To             string
	Amount         *Amount
	ExpiresIn      time.Duration
	DelegatedBy    string
	By             string
	IdempotencyKey string
}

// Delegate makes a token for somebody else out of one that is there, whose
// balance goes down at once.
func (p *Payments) Delegate(ctx context.Context, r DelegateRequest) (Token, string, error) {
	amount, err := positive("amount", r.Amount)
	if err != nil {
		return Token{}, "", err
	}
	if r.To == "" {
		return Token{}, "", contract.Errorf(contract.InvalidRequest, "delegateTo is missing: the id or username of an agent")
	}
	if err := goodTexts([]string{r.To}, ""); err != nil {
		return Token{}, "", err
	}
	life, err := lifetime(r.ExpiresIn, contract.MaxPaymentTokenLifetime, contract.MaxPaymentTokenLifetime)
	if err != nil {
		return Token{}, "", err
	}
	parentID, err := p.named(r.ParentToken, r.ParentID)
	if err != nil {
		return Token{}, "", err
	}
	if parent, err := p.cfg.Store.PaymentToken(ctx, parentID); err != nil {
		return Token{}, "", err
	} else if parent != nil {
		if r.DelegatedBy != "" && !p.meantFor(parent.Audience, r.DelegatedBy) {
			return Token{}, "", invalid(contract.SubTokenAudience, "payment token %s is meant for somebody else", parentID)
		}
		if err := p.simulated(ctx, p.agentOf(parent.Audience), true); err != nil {
			return Token{}, "", err
		}
	}
	t, replayed, err := once(ctx, p, "delegate", r.By, r.IdempotencyKey, r, func(o *operation) (Token, error) {
		parent, err := o.liveToken(parentID)
		if err != nil {
			return Token{}, err
		}
		if parent.MaxDepth <= 0 {
			return Token{}, contract.Errorf(contract.DelegationTooDeep, "payment token %s may not be handed on any further", parent.ID)
		}
		if parent.Balance < amount {
			return Token{}, short(contract.InsufficientToken, parent.Balance, "payment token %s has less than %s", parent.ID, amount)
		}
		t := Token{
			ID: p.cfg.NewID(), ParentID: parent.ID, Chain: append(slices.Clone(parent.Chain), parent.ID),
			Payer: parent.Payer, Subject: parent.Subject, Audience: []string{r.To}, DelegatedBy: r.DelegatedBy,
			MaxDepth: parent.MaxDepth - 1, IssuedAt: o.now.Truncate(time.Second), Budget: amount,
			ExpiresAt: earlier(parent.ExpiresAt, wholeSecond(o.now.Add(life))),
		}
		if t.DelegatedBy == "" {
			t.DelegatedBy = p.agentOf(parent.Audience)
		}
		parent.Delegated += amount
		if err := o.putToken(*parent); err != nil {
			return Token{}, err
		}
		return t, o.fund(&t, TokenAccount(parent.ID), contract.EntryDelegate, contract.EvPaymentDelegated, amount)
	})
	t.Replayed = replayed
	return p.signed(t, err)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// TopUpRequest asks for more in a token. A root takes it from the account that
// it came out of, a child from its parent.
type TopUpRequest struct {
	TokenID        string
	Amount         *Amount
	By             string
	IdempotencyKey string
}

// TopUp puts more into a token that has not ended.
func (p *Payments) TopUp(ctx context.Context, r TopUpRequest) (Token, error) {
	amount, err := positive("amount", r.Amount)
	if err != nil {
		return Token{}, err
	}
	t, replayed, err := once(ctx, p, "topup", r.By, r.IdempotencyKey, r, func(o *operation) (Token, error) {
		t, err := o.liveToken(r.TokenID)
		if err != nil {
			return Token{}, err
		}
		from, kind := t.Payer, contract.EntryTopUp
		var parent *Token
		if t.ParentID != "" {
			from, kind = TokenAccount(t.ParentID), contract.EntryDelegate
			if parent, err = o.liveToken(t.ParentID); err != nil {
				return Token{}, err
			}
		}
		has, err := o.tx.Balance(from)
		switch {
		case err != nil:
			return Token{}, err
		case has < amount && parent != nil:
			return Token{}, short(contract.InsufficientToken, has, "the parent %s has less than %s", parent.ID, amount)
		case has < amount:
			return Token{}, short(contract.InsufficientAccount, has, "the account %s has less than %s", from, amount)
		}
		if parent != nil {
			parent.Delegated += amount
			if err := o.putToken(*parent); err != nil {
				return Token{}, err
			}
		}
		t.Budget += amount
		if err := o.putToken(*t); err != nil {
			return Token{}, err
		}
		said := o.tell(contract.EvPaymentToppedUp, contract.PaymentEvent{TokenID: t.ID, AgentID: p.agentOf(t.Audience), Amount: amount, Status: contract.TokenActive})
		t.Balance += amount
		return *t, o.move(said, kind, from, TokenAccount(t.ID), amount, contract.PaymentEntry{})
	})
	t.Replayed = replayed
	return t, err
}

// Deposit puts play money into the owner's account.
func (p *Payments) Deposit(ctx context.Context, asked *Amount, by, key string) (replayed bool, err error) {
	amount, err := positive("amount", asked)
	if err != nil {
		return false, err
	}
	_, replayed, err = once(ctx, p, "deposit", by, key, amount, func(o *operation) (Amount, error) {
		outside, err := o.tx.Balance(Outside)
		if err != nil {
			return 0, err
		}
		if -outside+amount > maxLedger {
			return 0, contract.Errorf(contract.InvalidAmount, "the ledger holds %s at most", maxLedger)
		}
		said := o.tell(contract.EvPaymentDeposited, contract.PaymentEvent{Amount: amount})
		return amount, o.move(said, contract.EntryDeposit, Outside, Owner, amount, contract.PaymentEntry{})
	})
	return replayed, err
}

// maxLedger keeps every sum of balances within 63 bits.
const maxLedger = 4_000_000_000 * contract.Credit
