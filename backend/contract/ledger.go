package contract

import "time"

// PaymentBalances answers GET /api/local/payments/balances. Escrow is what all
// open locks hold, Tokens what all tokens have left, Outside what was ever put
// in, as a negative figure: everything together is 0.
type PaymentBalances struct {
	Owner   Amount                `json:"owner"`
	Fee     Amount                `json:"fee"`
	Escrow  Amount                `json:"escrow"`
	Tokens  Amount                `json:"tokens"`
	Outside Amount                `json:"outside"`
	Agents  []PaymentAgentBalance `json:"agents"`
}

// PaymentAgentBalance is what an agent earned and has left.
type PaymentAgentBalance struct {
	AgentID  string `json:"agentId"`
	Username string `json:"username,omitempty"` // empty for one that is gone
	Balance  Amount `json:"balance"`
}

// PaymentLock is a lock. Amount is all that was ever put into it; Remaining is
// what it holds.
type PaymentLock struct {
	ID           string     `json:"id"`
	TokenID      string     `json:"tokenId"`
	AgentID      string     `json:"agentId,omitempty"`
	InvocationID string     `json:"invocationId,omitempty"`
	Status       string     `json:"status"` // locked, partially_settled, settled, released, expired
	Amount       Amount     `json:"amount"`
	Settled      Amount     `json:"settled"`
	Released     Amount     `json:"released"`
	Remaining    Amount     `json:"remaining"`
	Reason       string     `json:"reason,omitempty"`
	CreatedAt    time.Time  `json:"createdAt"`
	ExpiresAt    time.Time  `json:"expiresAt"`
	ClosedAt     *time.Time `json:"closedAt,omitempty"`
}

// PaymentLockPage answers GET /api/local/payments/locks, the newest first.
// Filters: state (open, closed or a status), token, agent, invocation, lock.
type PaymentLockPage struct {
	Locks      []PaymentLock `json:"locks"`
	NextCursor *string       `json:"nextCursor"`
}

// PaymentEntry is one movement of the ledger: Amount left the account Debit and
// came to the account Credit. Accounts are owner, fee, outside, agent:<id>,
// token:<id> and lock:<id>. DebitBalance and CreditBalance are what the accounts
// held afterwards; Balance is that of the account that was asked for.
type PaymentEntry struct {
	Seq           int64     `json:"seq"`
	At            time.Time `json:"at"`
	Kind          string    `json:"kind"`
	Debit         string    `json:"debit"`
	Credit        string    `json:"credit"`
	Amount        Amount    `json:"amount"`
	DebitBalance  Amount    `json:"debitBalance"`
	CreditBalance Amount    `json:"creditBalance"`
	Balance       *Amount   `json:"balance,omitempty"`
	TokenID       string    `json:"tokenId,omitempty"`
	LockID        string    `json:"lockId,omitempty"`
	AgentID       string    `json:"agentId,omitempty"`
	InvocationID  string    `json:"invocationId,omitempty"`
	ChargeType    string    `json:"chargeType,omitempty"`
	Description   string    `json:"description,omitempty"`
}

// PaymentEntryPage answers GET /api/local/payments/entries, the newest first.
// Filters: account, token, lock, invocation, agent, kind, since, until (ISO
// times); limit and cursor.
type PaymentEntryPage struct {
	Entries    []PaymentEntry `json:"entries"`
	NextCursor *string        `json:"nextCursor"`
}

// PaymentCheck answers GET /api/local/payments/check: whether all sums agree.
type PaymentCheck struct {
	OK        bool      `json:"ok"`
	Problems  []string  `json:"problems"`
	Accounts  int64     `json:"accounts"`
	Entries   int64     `json:"entries"`
	CheckedAt time.Time `json:"checkedAt"`
}

// PaymentEvent is the payload of the payment.* events: one operation with the
// movements that it made.
type PaymentEvent struct {
	TokenID      string         `json:"tokenId,omitempty"`
	LockID       string         `json:"lockId,omitempty"`
	AgentID      string         `json:"agentId,omitempty"`
	InvocationID string         `json:"invocationId,omitempty"`
	Amount       Amount         `json:"amount"`
	Status       string         `json:"status,omitempty"` // of the lock, or of the token without one
	Entries      []PaymentEntry `json:"entries"`
}
