package payments

import (
	"context"
	"strings"
	"time"

	"benchtop/backend/contract"
)

// Accounts that are there once. Everything else is "<kind>:<id>".
const (
	Owner   = "owner"
	Fee     = "fee"
	Outside = "outside"

	kindAgent = "agent"
	kindToken = "token"
	kindLock  = "lock"
)

// AgentAccount, TokenAccount and LockAccount name the account of an agent, a
// token and a lock by its id.
func AgentAccount(id string) string { return kindAgent + ":" + id }
func TokenAccount(id string) string { return kindToken + ":" + id }
func LockAccount(id string) string  { return kindLock + ":" + id }

// KindOf gives the kind of an account: owner, fee, outside, agent, token, lock.
func KindOf(account string) string {
	kind, _, _ := strings.Cut(account, ":")
	return kind
}

// Token is a stored token. Payer is the account that a root token came out of
// and goes back to; DelegatedBy the id of the agent that made a child. Balances
// are not here: they are the ledger's.
type Token struct {
	Seq         int64
	ID          string
	ParentID    string
	Chain       []string // ancestors, the first one first
	Payer       string
	Subject     string
	Audience    []string
	DelegatedBy string
	Description string
	MaxDepth    int
	IssuedAt    time.Time
	ExpiresAt   time.Time
	RevokedAt   time.Time
	// Closed says that the token has ended and what it had went back.
	Closed bool

	Budget, Spent, Delegated, Returned Amount
	// Replayed says that this is the answer of an earlier call.
	Replayed bool `json:"-"`

	// Balance is what its account holds and InLocks what its locks hold. They are
	// read, never written, with a token; InLocks by lists only.
	Balance, InLocks Amount
}

// Lock is a stored lock. By says whose credential made it.
type Lock struct {
	Seq          int64
	ID           string
	TokenID      string
	AgentID      string
	InvocationID string
	By           string
	Reason       string
	Status       string
	CreatedAt    time.Time
	ExpiresAt    time.Time
	ClosedAt     time.Time

	Amount, Settled, Released Amount
	// Replayed says that this is the answer of an earlier call.
	Replayed bool `json:"-"`
}

// Remaining is what the lock holds.
func (l Lock) Remaining() Amount { return l.Amount - l.Settled - l.Released }

// Answer is what an idempotency key was answered with.
type Answer struct {
	By, Operation, Key string
	BodySHA256         string
	Body               []byte
	At                 time.Time
}

// Tx is one transaction. What it writes is stored all together or not at all.
type Tx interface {
	// Empty reports whether there has never been a movement.
	Empty() (bool, error)
	Balance(account string) (Amount, error)
	// Move stores a movement and gives it with its number and the balances after
	// it. The account may be new. Taking more than is there is an error.
	Move(contract.PaymentEntry) (contract.PaymentEntry, error)

	// Token and Lock give nil when there is none of that id.
	Token(id string) (*Token, error)
	PutToken(Token) error
	Children(tokenID string) ([]Token, error)
	Lock(id string) (*Lock, error)
	PutLock(Lock) error

	// DueLocks and DueTokens give open ones that ended at now or before, and Next
	// when the next open one ends; zero when none does.
	DueLocks(now time.Time, limit int) ([]Lock, error)
	DueTokens(now time.Time, limit int) ([]Token, error)
	Next() (time.Time, error)

	// Answer gives nil for a key that was not used since.
	Answer(by, operation, key string, since time.Time) (*Answer, error)
	PutAnswer(Answer) error
	DropAnswers(before time.Time, limit int) error
}

// TokenQuery asks for roots, the newest first, or for one tree. Before is the
// number that the page before ended with.
type TokenQuery struct {
	Limit  int
	Before int64
	// Root is the id of a token: it and its descendants, and nothing else.
	Root string
	// Audience keeps the tokens meant for one of these, of all levels.
	Audience []string
}

// LockQuery asks for locks, the newest first. State is open, closed or a status.
type LockQuery struct {
	Limit                               int
	Before                              int64
	State, Token, Agent, Invocation, ID string
}

// EntryQuery asks for movements, the newest first.
type EntryQuery struct {
	Limit                                         int
	Before                                        int64
	Account, Token, Lock, Invocation, Agent, Kind string
	Since, Until                                  time.Time
}

// Totals are the sums of the accounts that hold something, by kind, and what
// each agent has.
type Totals struct {
	ByKind map[string]Amount
	Agents map[string]Amount
}

// Store keeps the ledger. Writes are durable when they return.
type Store interface {
	// Pay runs fn in a transaction. fn may run more than once, each time on a
	// store that has nothing of the run before: it sets what it gives outwards
	// and never adds to it.
	Pay(ctx context.Context, fn func(Tx) error) error

	PaymentToken(ctx context.Context, id string) (*Token, error)
	PaymentTokens(ctx context.Context, q TokenQuery) ([]Token, error)
	// Descendants gives the descendants of all these roots, parents before
	// children.
	Descendants(ctx context.Context, roots []string) ([]Token, error)
	PaymentLock(ctx context.Context, id string) (*Lock, error)
	PaymentLocks(ctx context.Context, q LockQuery) ([]Lock, error)
	PaymentEntries(ctx context.Context, q EntryQuery) ([]contract.PaymentEntry, error)
	PaymentTotals(ctx context.Context) (Totals, error)
	// CheckPayments looks at every row and gives what does not agree.
	CheckPayments(ctx context.Context) (problems []string, accounts, entries int64, err error)
}
