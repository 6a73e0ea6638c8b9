package httpapi

import (
	"encoding/json"
	"net/http"
	"strconv"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

var (
	jsonType = []string{"application/json; charset=utf-8"}
	textType = []string{"text/plain; charset=utf-8"}
	noStore  = []string{"no-store"}
)

// ok answers 200 with v as JSON.
func (c *call) ok(v any) error { return c.json(http.StatusOK, v) }

// json answers with v.
func (c *call) json(status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.raw(status, b)
}

// raw answers with JSON that is one already.
func (c *call) raw(status int, body []byte) error {
	h := c.w.Header()
	h["Content-Type"] = jsonType
	h["Cache-Control"] = noStore
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	c.wrote = true
	c.w.WriteHeader(status)
	_, _ = c.w.Write(body) // who has hung up cannot be told
	return nil
}

// fail answers with an error. What is no *contract.Error is a fault of the
// platform: its text goes to the log only.
func (c *call) fail(err error) {
	if c.wrote {
		c.api.deps.Log.Error("a request failed after its answer had begun", "request", requestID(c.w), "route", c.r.Pattern, "error", err)
		return
	}
	e, status := c.describe(err)
	h := c.w.Header()
	if status == http.StatusUnauthorized {
		challenge := `Bearer realm="webagents"`
		if c.badCredential {
			challenge += `, error="invalid_token"`
		}
		h["Www-Authenticate"] = []string{challenge}
	}
	if e.RetryAfterSec > 0 {
		h["Retry-After"] = []string{strconv.Itoa(e.RetryAfterSec)}
	}
	var shown any = errorBody(e)
	switch {
	case c.ranNothing:
		shown = invokeFailure(e)
	case c.ofPayments:
		shown = contract.PaymentErrorBody{Error: e.Message, Code: e.Code, Message: e.Message, Details: e.Details}
	}
	body, merr := json.Marshal(shown)
	if merr != nil {
		body, _ = json.Marshal(errorBody(&contract.Error{Code: e.Code, Message: e.Message}))
	}
	_ = c.raw(status, body)
}

// describe gives the error to show and its status. A code that the table
// answers with 200 describes a run; as the end of a management call it is a
// client's mistake.
func (c *call) describe(err error) (*contract.Error, int) {
	e := contract.AsError(err)
	switch {
	case e != nil:
	case c.r.Context().Err() != nil:
		// Who asked has left, or the server stops; nobody reads this.
		e = contract.Errorf(contract.ShuttingDown, "the request ended before its answer")
	default:
		c.api.deps.Log.Error("a request failed", "request", requestID(c.w), "method", c.r.Method, "route", c.r.Pattern, "error", err)
		e = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details under request %s", requestID(c.w))
	}
	status := payments.Status(e) // 402 for what says how to pay
	if status < http.StatusBadRequest {
		status = http.StatusBadRequest
	}
	return e, status
}

func errorBody(e *contract.Error) contract.ErrorBody {
	details := e.Details
	if details == nil && len(e.Problems) > 0 {
		details = e.Problems
	}
	return contract.ErrorBody{
		Error: contract.ErrorDetail{Code: e.Code, Message: e.Message, Details: details},
		Code:  e.Code, Message: e.Message, Errors: e.Problems,
	}
}
