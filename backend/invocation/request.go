package invocation

import (
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// Request asks for one invocation.
type Request struct {
	AgentID        string
	Function       string
	Skill          string // one of contract's skills
	ConsumerID     string
	Body           contract.RawJSON // of a manual invoke, spec 4.2: its form decides what ctx gets
	IdempotencyKey string           // empty: none
	Caller         auth.Caller
	// OnEmit gets the run's own events as they happen; it may be nil. It is
	// never called after Invoke has returned.
	OnEmit func(contract.EmittedEvent)

	// HTTP is the request of a custom HTTP endpoint, and Schedule the moment of a
	// schedule; with either, Body is not looked at.
	HTTP     *HTTPCall
	Schedule *ScheduledRun
	// Profile and Claims are what ctx.auth says of the caller beside its ids; the
	// function sees of the profile what its manifest asks for. They may be nil.
	Profile *Profile
	Claims  any
	// WallMs is the consumer's own limit in milliseconds, below the manifest's; 0
	// is none.
	WallMs int
	// Shape looks at a result before the invocation is recorded: warnings go to
	// its log, and what its consumer cannot answer with fails it. It may be nil.
	Shape func(result contract.RawJSON) (warnings []string, failed *contract.Error)
	// Clock is where the function's clock begins, for it and for what it calls; nil
	// is the real time.
	Clock *contract.Clock

	// Payment is what the request costs and is paid with; nil is nothing.
	Payment *Payment

	// Endpoint makes the run that of a custom endpoint's handler, which is no
	// declared function. It may be nil.
	Endpoint *Endpoint

	nest *nest     // of a nested call
	tool *toolCall // of CallTool
}

// ScheduledRun is ctx.schedule.
type ScheduledRun struct {
	PlannedAt time.Time
	FiredAt   time.Time
}

// Profile is ctx.auth.profile, of a visitor who is signed in.
type Profile struct {
	DisplayName string `json:"displayName,omitempty"`
	AvatarURL   string `json:"avatarUrl,omitempty"`
	Email       string `json:"email,omitempty"`
}

// Answer is what the caller gets: Body is the JSON of an InvokeResult, the
// stored one when Replayed.
type Answer struct {
	Status   int
	Body     []byte
	Replayed bool
	// Result is the same in full, nil when Replayed.
	Result *contract.InvokeResult
	// Unpaid says that the function did its work and could not be charged for it,
	// so that its result is not given. It may say how to pay (payments.Status).
	Unpaid *contract.Error
	// Receipt is what a token paid for the run; nil when none did.
	Receipt *Receipt
	// RetryAfterSec belongs into Retry-After when it is above 0.
	RetryAfterSec int
}

// Receipt says what was charged, and to which lock of which token.
type Receipt struct {
	LockID  string
	TokenID string
	Amount  contract.Amount
}
