// Package answer writes the answers that the transports over HTTP have in common:
// JSON, and errors in the form that clients of the OpenAI protocol read
// (contract.md 6.6), with what to pay where something has a price (5.7).
package answer

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

const jsonType = "application/json; charset=utf-8"

// JSON answers with a value.
func JSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil { // a mistake of ours: all that is answered is made to be JSON
		status, b = http.StatusInternalServerError, []byte(`{"error":{"message":"the answer cannot be written","type":"server_error","param":null,"code":"INTERNAL_ERROR"}}`)
	}
	h := w.Header()
	h.Set("Content-Type", jsonType)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b) // who has hung up cannot be told
}

// Error is the JSON of a failure.
type Error struct {
	Message string        `json:"message"`
	Type    string        `json:"type"`
	Param   *string       `json:"param"` // always null
	Code    contract.Code `json:"code"`
}

// Failure is the body around it.
type Failure struct {
	Error Error `json:"error"`
}

// FailureOf gives the body of an error; what is no *contract.Error is a fault of
// ours, and its text is nobody's business.
func FailureOf(err error) Failure {
	e := contract.AsError(err)
	if e == nil {
		e = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
	}
	return Failure{Error{Message: e.Message, Type: typeOf(e.Code.Status()), Code: e.Code}}
}

// Fail answers with an error.
func Fail(w http.ResponseWriter, err error) {
	e := contract.AsError(err)
	if e == nil {
		JSON(w, http.StatusInternalServerError, FailureOf(err))
		return
	}
	if _, ok := e.Details.(contract.PaymentFailure); ok {
		payments.WriteRequired(w, e)
		return
	}
	status := e.Code.Status()
	if status < http.StatusBadRequest { // the code of something that is no error elsewhere
		status = http.StatusInternalServerError
	}
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="webagents", error="invalid_token"`)
	}
	if e.RetryAfterSec > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.RetryAfterSec))
	}
	JSON(w, status, FailureOf(e))
}

// Unfit says where JSON has another form than it should, in the words of JSON.
func Unfit(err error) string {
	var wrong *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrong):
		return "it cannot be read"
	case wrong.Field == "":
		return "it cannot be of the type " + wrong.Value
	}
	return wrong.Field + " cannot be of the type " + wrong.Value
}

// typeOf is the kind of an error as the OpenAI protocol names it; those of who
// calls are the hosted platform's.
func typeOf(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusPaymentRequired:
		return "payment_required"
	case http.StatusForbidden:
		return "forbidden"
	case http.StatusNotFound:
		return "not_found_error"
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "upstream_error"
	}
	if status >= http.StatusInternalServerError {
		return "server_error"
	}
	return "invalid_request_error"
}
