package payments

import (
	"time"

	"benchtop/backend/contract"
)

// What happens to tokens and locks.
const (
	eventExtend  = "extend"
	eventCharge  = "charge"  // settle, and the lock stays open
	eventSettle  = "settle"  // settle, and the lock closes
	eventRelease = "release" // the lock closes without a charge
	eventExpire  = "expire"

	eventSpend  = "spend"  // something is left
	eventEmpty  = "empty"  // nothing is left
	eventRefill = "refill" // a top-up, or what a lock or child gave back
	eventRevoke = "revoke"
)

// Transition is a row of a state machine.
type Transition struct{ From, Event, To string }

// LockStates is the state machine of locks, contract.md 5.6. What is not here is
// refused.
var LockStates = []Transition{
	{"", "lock", contract.LockLocked},
	{contract.LockLocked, eventExtend, contract.LockLocked},
	{contract.LockLocked, eventCharge, contract.LockPartly},
	{contract.LockLocked, eventSettle, contract.LockSettled},
	{contract.LockLocked, eventRelease, contract.LockReleased},
	{contract.LockLocked, eventExpire, contract.LockExpired},
	{contract.LockPartly, eventExtend, contract.LockPartly},
	{contract.LockPartly, eventCharge, contract.LockPartly},
	{contract.LockPartly, eventSettle, contract.LockSettled},
	{contract.LockPartly, eventRelease, contract.LockSettled},
	{contract.LockPartly, eventExpire, contract.LockExpired},
}

// TokenStates is the state machine of tokens. A token's state follows from what
// is stored (Token.Status), which a test holds to this table.
var TokenStates = []Transition{
	{"", "mint or delegate", contract.TokenActive},
	{contract.TokenActive, eventSpend, contract.TokenActive},
	{contract.TokenActive, eventEmpty, contract.TokenDepleted},
	{contract.TokenActive, eventRefill, contract.TokenActive},
	{contract.TokenActive, eventExpire, contract.TokenExpired},
	{contract.TokenActive, eventRevoke, contract.TokenRevoked},
	{contract.TokenDepleted, eventRefill, contract.TokenActive},
	{contract.TokenDepleted, eventExpire, contract.TokenExpired},
	{contract.TokenDepleted, eventRevoke, contract.TokenRevoked},
}

// next gives the state of a lock after an event, or why there is none.
func next(l *Lock, event string) (string, *contract.Error) {
	for _, t := range LockStates {
		if t.From == l.Status && t.Event == event {
			return t.To, nil
		}
	}
	if l.Status == contract.LockExpired {
		return "", contract.Errorf(contract.PaymentLockExpired,
			"lock %s expired at %s and what it held went back: lock again", l.ID, l.ExpiresAt.Format(time.RFC3339))
	}
	return "", contract.Errorf(contract.PaymentLockClosed, "lock %s is closed (%s): lock again", l.ID, l.Status)
}

// Status is the state of a token at a time.
func (t Token) Status(now time.Time) string {
	switch {
	case !t.RevokedAt.IsZero():
		return contract.TokenRevoked
	case !now.Before(t.ExpiresAt):
		return contract.TokenExpired
	case t.Balance == 0:
		return contract.TokenDepleted
	}
	return contract.TokenActive
}
