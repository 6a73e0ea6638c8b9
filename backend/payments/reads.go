package payments

import (
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchtop/backend/contract"
)

// Balances sums up the accounts.
func (p *Payments) Balances(ctx context.Context) (contract.PaymentBalances, error) {
	t, err := p.cfg.Store.PaymentTotals(ctx)
	if err != nil {
		return contract.PaymentBalances{}, err
	}
	out := contract.PaymentBalances{
		Owner: t.ByKind[Owner], Fee: t.ByKind[Fee], Escrow: t.ByKind[kindLock], Tokens: t.ByKind[kindToken],
		Outside: t.ByKind[Outside], Agents: []contract.PaymentAgentBalance{},
	}
	for id, balance := range t.Agents {
		a, _ := p.cfg.Agent(id)
		out.Agents = append(out.Agents, contract.PaymentAgentBalance{AgentID: id, Username: a.Username, Balance: balance})
	}
	slices.SortFunc(out.Agents, func(x, y contract.PaymentAgentBalance) int {
		return strings.Compare(x.Username+" "+x.AgentID, y.Username+" "+y.AgentID)
	})
	return out, nil
}

// Page asks for a part of a list. Limit 0 is the usual.
type Page struct {
	Limit  int
	Cursor string
}

func (g Page) bounds() (limit int, before int64, err error) {
	limit = g.Limit
	if limit <= 0 {
		limit = contract.DefaultPage
	}
	limit = min(limit, contract.MaxPage)
	if g.Cursor == "" {
		return limit, 0, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(g.Cursor)
	if err == nil {
		if before, err = strconv.ParseInt(string(text), 10, 64); err == nil && before > 0 {
			return limit, before, nil
		}
	}
	return 0, 0, contract.Errorf(contract.InvalidRequest, "cursor is none that a page of this list gave")
}

func cursor(seq int64) *string {
	s := base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(seq, 10)))
	return &s
}

// TokenFilter narrows Tokens: Root is one tree by the id of any token in it, from
// that token on; Audience keeps the tokens meant for one of these.
type TokenFilter struct {
	Page
	Root     string
	Audience []string
}

// Tokens lists roots with their descendants, the newest root first.
func (p *Payments) Tokens(ctx context.Context, f TokenFilter) (contract.PaymentTokenList, error) {
	out := contract.PaymentTokenList{Tokens: []contract.PaymentToken{}}
	limit, before, err := f.bounds()
	if err != nil {
		return out, err
	}
	roots, err := p.cfg.Store.PaymentTokens(ctx, TokenQuery{Limit: limit + 1, Before: before, Root: f.Root, Audience: f.Audience})
	if err != nil {
		return out, err
	}
	if len(roots) > limit {
		roots = roots[:limit]
		out.NextCursor = cursor(roots[limit-1].Seq)
	}
	ids := make([]string, len(roots))
	for i, t := range roots {
		ids[i] = t.ID
	}
	below, err := p.cfg.Store.Descendants(ctx, ids)
	if err != nil {
		return out, err
	}
	children := map[string][]Token{}
	for _, t := range below {
		children[t.ParentID] = append(children[t.ParentID], t)
	}
	for _, t := range roots {
		out.Tokens = append(out.Tokens, p.tree(t, children))
	}
	return out, nil
}

func (p *Payments) tree(t Token, children map[string][]Token) contract.PaymentToken {
	out := p.Shown(t)
	for _, c := range children[t.ID] {
		out.Children = append(out.Children, p.tree(c, children))
	}
	return out
}

// Shown is a token as others see it, without its children.
func (p *Payments) Shown(t Token) contract.PaymentToken {
	out := contract.PaymentToken{
		ID: t.ID, ParentID: t.ParentID, Subject: t.Subject, Audience: t.Audience, Description: t.Description,
		BudgetCredits: t.Budget, SpentCredits: t.Spent, DelegatedCredits: t.Delegated, LockedCredits: t.InLocks,
		ReturnedCredits: t.Returned, RemainingCredits: t.Balance, Status: t.Status(p.now()), MaxDepth: t.MaxDepth,
		Chain: t.Chain, IssuedAt: t.IssuedAt, ExpiresAt: t.ExpiresAt, Children: []contract.PaymentToken{},
	}
	if out.Audience == nil {
		out.Audience = []string{}
	}
	if out.Chain == nil {
		out.Chain = []string{}
	}
	if !t.RevokedAt.IsZero() {
		out.RevokedAt = &t.RevokedAt
	}
	return out
}

// Token gives a token with its descendants.
func (p *Payments) Token(ctx context.Context, id string) (contract.PaymentToken, error) {
	l, err := p.Tokens(ctx, TokenFilter{Root: id})
	if err == nil && len(l.Tokens) == 0 {
		err = noToken(id)
	}
	if err != nil {
		return contract.PaymentToken{}, err
	}
	return l.Tokens[0], nil
}

// Row gives what is stored about a token, nil for none of that id.
func (p *Payments) Row(ctx context.Context, id string) (*Token, error) {
	return p.cfg.Store.PaymentToken(ctx, id)
}

// LockRow gives what is stored about a lock.
func (p *Payments) LockRow(ctx context.Context, id string) (*Lock, error) {
	l, err := p.cfg.Store.PaymentLock(ctx, id)
	if err == nil && l == nil {
		err = contract.Errorf(contract.PaymentLockNotFound, "no lock has the id %.64q", id)
	}
	return l, err
}

// LockFilter narrows Locks. State is open, closed or a status; Agent an id or
// username.
type LockFilter struct {
	Page
	State, Token, Agent, Invocation, ID string
}

var lockStates = []string{"", "open", "closed", contract.LockLocked, contract.LockPartly, contract.LockSettled, contract.LockReleased, contract.LockExpired}

// Locks lists locks, the newest first.
func (p *Payments) Locks(ctx context.Context, f LockFilter) (contract.PaymentLockPage, error) {
	out := contract.PaymentLockPage{Locks: []contract.PaymentLock{}}
	limit, before, err := f.bounds()
	if err != nil {
		return out, err
	}
	if !slices.Contains(lockStates, f.State) {
		return out, contract.Errorf(contract.InvalidRequest, "state must be one of %s", strings.Join(lockStates[1:], ", "))
	}
	rows, err := p.cfg.Store.PaymentLocks(ctx, LockQuery{
		Limit: limit + 1, Before: before, State: f.State, Token: f.Token, Agent: p.agentID(f.Agent), Invocation: f.Invocation, ID: f.ID,
	})
	if err != nil {
		return out, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		out.NextCursor = cursor(rows[limit-1].Seq)
	}
	for _, l := range rows {
		out.Locks = append(out.Locks, ShownLock(l))
	}
	return out, nil
}

// agentID gives the id of an agent that a filter names in either way.
func (p *Payments) agentID(ref string) string {
	if a, ok := p.cfg.Agent(ref); ok && ref != "" {
		return a.ID
	}
	return ref
}

// ShownLock is a lock as others see it.
func ShownLock(l Lock) contract.PaymentLock {
	out := contract.PaymentLock{
		ID: l.ID, TokenID: l.TokenID, AgentID: l.AgentID, InvocationID: l.InvocationID, Status: l.Status,
		Amount: l.Amount, Settled: l.Settled, Released: l.Released, Remaining: l.Remaining(), Reason: l.Reason,
		CreatedAt: l.CreatedAt, ExpiresAt: l.ExpiresAt,
	}
	if !l.ClosedAt.IsZero() {
		out.ClosedAt = &l.ClosedAt
	}
	return out
}

// OpenLocks gives the locks that an invocation left open.
func (p *Payments) OpenLocks(ctx context.Context, invocationID string) ([]contract.PaymentLock, error) {
	page, err := p.Locks(ctx, LockFilter{Page: Page{Limit: contract.MaxPage}, State: "open", Invocation: invocationID})
	return page.Locks, err
}

// EntryFilter narrows Entries. Agent is an id or username.
type EntryFilter struct {
	Page
	Account, Token, Lock, Invocation, Agent, Kind string
	Since, Until                                  time.Time
}

// Entries lists movements, the newest first, with the balances after each.
func (p *Payments) Entries(ctx context.Context, f EntryFilter) (contract.PaymentEntryPage, error) {
	out := contract.PaymentEntryPage{Entries: []contract.PaymentEntry{}}
	limit, before, err := f.bounds()
	if err != nil {
		return out, err
	}
	account := f.Account
	if kind, ref, ok := strings.Cut(account, ":"); ok && kind == kindAgent {
		account = AgentAccount(p.agentID(ref))
	}
	rows, err := p.cfg.Store.PaymentEntries(ctx, EntryQuery{
		Limit: limit + 1, Before: before, Account: account, Token: f.Token, Lock: f.Lock, Invocation: f.Invocation,
		Agent: p.agentID(f.Agent), Kind: f.Kind, Since: f.Since, Until: f.Until,
	})
	if err != nil {
		return out, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		out.NextCursor = cursor(rows[limit-1].Seq)
	}
	for _, e := range rows {
		switch account {
		case "":
		case e.Debit:
			e.Balance = &e.DebitBalance
		case e.Credit:
			e.Balance = &e.CreditBalance
		}
		out.Entries = append(out.Entries, e)
	}
	return out, nil
}

// Check holds the whole ledger against itself: every balance to its movements,
// every token and lock to its account, and everything together to 0.
func (p *Payments) Check(ctx context.Context) (contract.PaymentCheck, error) {
	problems, accounts, entries, err := p.cfg.Store.CheckPayments(ctx)
	if problems == nil {
		problems = []string{}
	}
	return contract.PaymentCheck{OK: err == nil && len(problems) == 0, Problems: problems, Accounts: accounts, Entries: entries, CheckedAt: p.now()}, err
}
