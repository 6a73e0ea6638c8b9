package httpapi

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/eventstream"
	"benchtop/backend/invocation"
	"benchtop/backend/payments"
)

// maxIdempotencyKey is the length of an Idempotency-Key in characters.
const maxIdempotencyKey = 255

// invokeFunction is spec 4.1 row 5. The form of the body is the pipeline's to
// judge (decisions.md 11).
func (a *api) invokeFunction(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	key, err := idempotencyKey(c.r)
	if err != nil {
		return err
	}
	caller, err := callsAs(c)
	if err != nil {
		return err
	}
	clock, err := clockOf(c)
	if err != nil {
		return err
	}
	req := invocation.Request{
		AgentID: c.agent.ID, Function: c.name(), Skill: contract.SkillManual,
		Body: body, IdempotencyKey: key, Caller: caller, Clock: clock,
	}
	if tokens := payments.TokensOf(c.r.Header); len(tokens) > 0 {
		req.Payment = &invocation.Payment{Tokens: tokens} // else the owner pays what the function costs
	}
	if eventstream.Wanted(c.r) {
		return a.invokeStream(c, req)
	}
	ans, err := a.deps.Invoker.Invoke(c.r.Context(), req)
	if err != nil {
		c.ranNothing = true
		return err
	}
	return c.answer(ans)
}

// invokeFailure is the body of an invoke that ran nothing (contract.md 3.3: the
// same result object in every body).
func invokeFailure(e *contract.Error) contract.InvokeFailure {
	return contract.InvokeFailure{ErrorBody: errorBody(e), ErrorCode: e.Code, ErrorMessage: e.Message}
}

// answer sends what an invocation gave.
func (c *call) answer(ans invocation.Answer) error {
	if ans.Replayed {
		c.w.Header()["Idempotent-Replayed"] = yes
	}
	if ans.RetryAfterSec > 0 {
		c.w.Header()["Retry-After"] = []string{strconv.Itoa(ans.RetryAfterSec)}
	}
	return c.raw(ans.Status, ans.Body)
}

// idempotencyKey reads the header: 1 to 255 printable characters without
// spaces, once.
func idempotencyKey(r *http.Request) (string, error) {
	h := r.Header["Idempotency-Key"]
	if len(h) == 0 {
		return "", nil
	}
	key := h[0]
	if len(h) > 1 || key == "" || len(key) > maxIdempotencyKey || strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", contract.Errorf(contract.InvalidIdempotentKey, "send one Idempotency-Key of 1 to %d printable ASCII characters without spaces", maxIdempotencyKey)
	}
	return key, nil
}

// invokeStream answers with the run's own events as they happen and ends with
// "event: result". As long as nothing has been sent, a refusal is an ordinary
// answer with its own status.
func (a *api) invokeStream(c *call, req invocation.Request) error {
	out := &eventWriter{c: c}
	answer, err := invocation.Stream(c.r.Context(), a.deps.Invoker.Invoke, req, out)
	return out.finish(answer, err)
}

// eventWriter opens the stream with its first frame. A reader that is gone is
// not written to again; the run goes on without it.
type eventWriter struct {
	c    *call
	s    *stream
	gone bool
}

func (w *eventWriter) open() bool {
	if w.s == nil {
		w.s = w.c.startStream()
	}
	return !w.gone
}

// Events implements invocation.EventSink.
func (w *eventWriter) Events(evs []contract.EmittedEvent) {
	if len(evs) == 0 || !w.open() {
		return
	}
	for _, ev := range evs {
		w.s.frame(0, ev.Event, orNull(ev.Payload))
	}
	w.gone = w.s.flush() != nil
}

// KeepAlive implements invocation.EventSink.
func (w *eventWriter) KeepAlive() {
	if w.open() {
		w.s.comment("keep-alive")
		w.gone = w.s.flush() != nil
	}
}

func (w *eventWriter) finish(ans invocation.Answer, err error) error {
	if w.s == nil && (err != nil || ans.Status != http.StatusOK) {
		if err != nil {
			w.c.ranNothing = true
			return err
		}
		return w.c.answer(ans)
	}
	body := ans.Body
	if err != nil {
		e, _ := w.c.describe(err)
		if body, err = json.Marshal(invokeFailure(e)); err != nil {
			return err
		}
	}
	if w.s == nil && ans.Replayed {
		w.c.w.Header()["Idempotent-Replayed"] = yes
	}
	if w.open() {
		w.s.frame(0, "result", body)
		_ = w.s.flush() // the last frame: who is gone cannot be told
	}
	return nil
}

func orNull(raw contract.RawJSON) []byte {
	if len(raw) == 0 {
		return []byte("null")
	}
	return raw
}
