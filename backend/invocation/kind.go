package invocation

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// Kinds of what a function is called with.
const (
	kindTool = "tool"
	kindHTTP = "http"
	kindCron = "cron"
)

// manualBody is the body of a manual invoke, spec 4.2.
type manualBody struct {
	Args    json.RawMessage   `json:"args"`
	Method  *string           `json:"method"`
	Path    string            `json:"path"`
	Query   map[string]any    `json:"query"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

// kindOf judges a manual body by its form, decisions.md 11.
func kindOf(raw json.RawMessage, hasSchema bool) (string, manualBody, error) {
	var b manualBody
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 {
		trimmed = []byte("{}")
	}
	if trimmed[0] != '{' {
		return "", b, contract.Errorf(contract.InvalidRequest, "the body must be a JSON object: {\"args\": …}, {\"method\": …} or {}")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(trimmed, &members); err != nil {
		return "", b, contract.Errorf(contract.InvalidRequest, "the body is not JSON: %v", err)
	}
	_, hasArgs := members["args"]
	_, hasMethod := members["method"]
	switch {
	case hasArgs && hasMethod:
		return "", b, contract.Errorf(contract.InvalidRequest, "the body has both args (a tool call) and method (an HTTP call); send one of them")
	case hasArgs || hasMethod:
		if err := json.Unmarshal(trimmed, &b); err != nil {
			return "", b, contract.Errorf(contract.InvalidRequest, "the body has a member of a wrong type: %s", typeProblem(err))
		}
		if hasArgs {
			return kindTool, b, nil
		}
		if b.Method == nil || !token(*b.Method) {
			return "", b, contract.Errorf(contract.InvalidRequest, "method must be the name of an HTTP method, such as POST")
		}
		return kindHTTP, b, nil
	case len(members) == 0 && hasSchema:
		b.Args = json.RawMessage("{}")
		return kindTool, b, nil
	case len(members) == 0:
		return kindCron, b, nil
	}
	return "", b, contract.Errorf(contract.InvalidRequest, "the body is none of {\"args\": …} (tool), {\"method\": …} (HTTP) and {} (schedule)")
}

func typeProblem(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return e.Field + " must not be a " + e.Value
	}
	return err.Error()
}

// token reports whether s is an HTTP token (RFC 9110 5.6.2).
func token(s string) bool {
	if s == "" || len(s) > 32 {
		return false
	}
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"(),/:;<=>?@[\\]{}", c) >= 0 {
			return false
		}
	}
	return true
}

// The members of a function's ctx that differ from call to call, contract.md
// 2.9; the worker adds the rest.
type callContext struct {
	Source   sourceContext   `json:"source"`
	Request  *requestContext `json:"request,omitempty"`
	Schedule *schedContext   `json:"schedule,omitempty"`
	ToolCall *toolContext    `json:"toolCall,omitempty"`
	Auth     authContext     `json:"auth"`
	Limits   limitsContext   `json:"limits"`
	Metadata metadataContext `json:"metadata"`
	Args     json.RawMessage `json:"args,omitempty"` // of an endpoint
}

type sourceContext struct {
	Skill        string `json:"skill"`
	ConsumerID   string `json:"consumerId,omitempty"`
	InvocationID string `json:"invocationId"`
	BilledTo     string `json:"billedTo,omitempty"`
}

type schedContext struct {
	PlannedAt string `json:"plannedAt"`
	FiredAt   string `json:"firedAt"`
}

type toolContext struct {
	Name   string          `json:"name"`
	Params json.RawMessage `json:"params"`
	CallID string          `json:"callId"`
}

type authContext struct {
	UserID        *string  `json:"userId"`
	AgentID       string   `json:"agentId"`
	Scopes        []string `json:"scopes"`
	Authenticated bool     `json:"authenticated"`
	Profile       *Profile `json:"profile,omitempty"`
	Claims        any      `json:"claims,omitempty"`

	Payment *paymentContext `json:"payment,omitempty"`
}

// paymentContext is the payment token that came with a call. Balance is nanocents.
type paymentContext struct {
	TokenSub string      `json:"tokenSub"`
	Balance  json.Number `json:"balance"`
}

type limitsContext struct {
	WallMs       int   `json:"wallMs"`
	CPUMs        int   `json:"cpuMs"`
	MemoryMb     int   `json:"memoryMb"`
	IngressBytes int64 `json:"ingressBytes"`
	EgressBytes  int64 `json:"egressBytes"`
}

type metadataContext struct {
	AgentSlug string `json:"agentSlug"`
	AgentID   string `json:"agentId"`
}

func authOf(c auth.Caller, agentID string) authContext {
	a := authContext{AgentID: agentID, Scopes: c.Scopes, Authenticated: c.Kind != auth.KindAnonymous && c.Kind != ""}
	if a.Scopes == nil {
		a.Scopes = []string{}
	}
	if c.UserID != "" {
		a.UserID = &c.UserID
	}
	if c.AgentID != "" {
		a.AgentID = c.AgentID
	}
	return a
}

func limitsOf(l manifest.Limits) limitsContext {
	return limitsContext{l.WallMs, l.CPUMs, l.MemoryMb, l.IngressBytes, l.EgressBytes}
}

func queryValue(key string, v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case []any:
		if len(v) > 0 {
			return queryValue(key, v[len(v)-1])
		}
		return "", nil
	case map[string]any:
		return "", contract.Errorf(contract.InvalidRequest, "query.%.64s must be a text, a number or a boolean", key)
	}
	b, err := json.Marshal(v)
	return string(b), err
}
