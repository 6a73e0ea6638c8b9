package invocation

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"benchtop/backend/contract"
)

type flightKey struct{ agentID, function, key string }

// flight is a keyed invocation under way in this process.
type flight struct {
	bodySHA string
	done    chan struct{}
	answer  Answer
	err     error
}

// replay runs next at most once per idempotency key (spec 4.1 row 5). The key
// is claimed on the disk before the function runs: storing it afterwards would
// let a retry run twice when the platform dies in between. A key whose run was
// interrupted stays used for good; the caller takes a new one.
func (v *Invoker) replay(ctx context.Context, c *call, next func() (Answer, error)) (Answer, error) {
	if c.req.IdempotencyKey == "" {
		return next()
	}
	key := flightKey{c.agent.ID, c.fn.Name, c.req.IdempotencyKey}
	sha := c.requestSHA()
	v.mu.Lock()
	if f := v.flights[key]; f != nil {
		v.mu.Unlock()
		return v.join(ctx, f, sha)
	}
	f := &flight{bodySHA: sha, done: make(chan struct{})}
	v.flights[key] = f
	v.mu.Unlock()

	f.err = errPanicked // what those who wait get when the next line does not return
	defer func() {
		v.mu.Lock()
		delete(v.flights, key)
		v.idle.Broadcast()
		v.mu.Unlock()
		close(f.done)
	}()
	f.answer, f.err = v.claim(ctx, c, sha, next)
	return f.answer, f.err
}

var errPanicked = errors.New("the first invocation with this key ended in a fault of the platform")

// join waits for the first of two invocations with one key.
func (v *Invoker) join(ctx context.Context, f *flight, sha string) (Answer, error) {
	if f.bodySHA != sha {
		return Answer{}, errMismatch()
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		return Answer{}, context.Cause(ctx)
	}
	a := f.answer
	a.Replayed = f.err == nil
	return a, f.err
}

func (v *Invoker) claim(ctx context.Context, c *call, sha string, next func() (Answer, error)) (Answer, error) {
	ctx = context.WithoutCancel(ctx)
	now := v.cfg.Now()
	mine := Claim{
		AgentID: c.agent.ID, Function: c.fn.Name, Key: c.req.IdempotencyKey,
		BodySHA256: sha, InvocationID: c.row.ID, ClaimedAt: now,
	}
	old, err := v.cfg.Claims.ClaimKey(ctx, mine, now.Add(-contract.IdempotencyWindow))
	switch {
	case err != nil:
		return Answer{}, err
	case old == nil:
	case old.BodySHA256 != sha:
		return Answer{}, errMismatch()
	case !old.Done:
		return Answer{}, contract.Errorf(contract.InvocationInterrupted,
			"invocation %s had this idempotency key and was interrupted; it will not run again: look at what it did, then use a new key", old.InvocationID)
	default:
		return Answer{Status: old.Status, Body: old.Answer, Replayed: true}, nil
	}
	a, err := next()
	if err != nil && c.ran {
		return a, err // its record was lost and not what it did: the key stays used, as after a crash
	}
	if err != nil || a.Status != 200 {
		// Nothing ran: the caller may try again with the same key.
		if rerr := v.cfg.Claims.ReleaseKey(ctx, mine); rerr != nil {
			v.cfg.Log.Error("releasing an idempotency key", "function", c.fn.Name, "error", rerr)
		}
		return a, err
	}
	mine.Done, mine.Status, mine.Answer = true, a.Status, a.Body
	if err := v.cfg.Claims.CompleteKey(ctx, mine); err != nil {
		return Answer{}, err
	}
	return a, nil
}

func errMismatch() error {
	return contract.Errorf(contract.IdempotencyMismatch, "this idempotency key was used with another body or clock in the last 24 hours; use a new key for a new request")
}

// requestSHA tells requests of one key apart. What a run answers at another time
// is no answer to the same request.
func (c *call) requestSHA() string {
	if c.req.Clock == nil {
		return bodySHA(c.req.Body)
	}
	sum := sha256.Sum256([]byte(bodySHA(c.req.Body) + c.req.Clock.String()))
	return hex.EncodeToString(sum[:])
}

// bodySHA is the same for bodies that differ in white space only.
func bodySHA(body json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, body) != nil {
		b.Reset()
		b.Write(body)
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}
