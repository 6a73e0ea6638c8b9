package agenthttp

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/invocation"
)

// Patience says how long the server waits for peers. Zero values are defaults.
type Patience struct {
	Stall time.Duration // for a reader that takes nothing: 60 s
	Gone  time.Duration // for a handler to end by itself once its peer has left: 1 s
	Ping  time.Duration // between two pings of a WebSocket: 30 s
	Pong  time.Duration // for anything from its client: 75 s
	Quiet time.Duration // between two comments of a silent event stream: 15 s
}

func (p *Patience) defaults() {
	for _, d := range []struct {
		at  *time.Duration
		def time.Duration
	}{{&p.Stall, time.Minute}, {&p.Gone, time.Second}, {&p.Ping, 30 * time.Second}, {&p.Pong, 75 * time.Second}, {&p.Quiet, 15 * time.Second}} {
		if *d.at <= 0 {
			*d.at = d.def
		}
	}
}

// endpoint serves a custom endpoint, spec 4.5.
func (x *exchange) endpoint() error {
	if x.own.Socket {
		return x.serveSocket()
	}
	caller, err := x.admit()
	if err != nil {
		return err
	}
	if err := x.mediaType(); err != nil {
		return err
	}
	body, err := x.body()
	if err != nil {
		return err
	}
	req, err := x.endpointRequest(caller, body)
	if err != nil {
		return err
	}
	return x.answerEndpoint(req)
}

// admit holds the caller to the endpoint's scopes: 403 outside of them, and 401
// only for a credential that does not hold (contract.md 6.3).
func (x *exchange) admit() (auth.Caller, error) {
	c := x.knownCaller()
	if slices.ContainsFunc(x.own.Scopes, func(scope string) bool { return within(c, scope) }) {
		return c, nil
	}
	if x.refused = c.Refused; x.refused {
		return c, contract.Errorf(contract.Unauthorized, "the credential is not valid here")
	}
	scopes := strings.Join(x.own.Scopes, " or ")
	if scopes == "" {
		scopes = "nobody"
	}
	return c, contract.Errorf(contract.Forbidden, "%s of agent %s is for %s only", x.own.ID, x.agent.Username, scopes)
}

// knownCaller is who calls. A page of another origin can open a WebSocket with a
// visitor's cookie, which it could not send with fetch: that one is nobody.
func (x *exchange) knownCaller() auth.Caller {
	c := auth.CallerOf(x.r.Context())
	origin := x.r.Header.Get("Origin")
	if origin == "" || c.Kind != auth.KindVisitor || x.r.Header.Get("Authorization") != "" || x.r.Header.Get("X-Api-Key") != "" {
		return c
	}
	if u, err := url.Parse(origin); err != nil || u.Host != x.r.Host {
		return auth.Caller{Kind: auth.KindAnonymous}
	}
	return c
}

// within says who belongs to a scope: an admin counts as the owner, and so does
// the owner's own portal token; an agent's does not.
func within(c auth.Caller, scope string) bool {
	switch scope {
	case "all":
		return true
	case "owner":
		return c.Kind == auth.KindOwner || c.Kind == auth.KindAdmin ||
			c.Kind == auth.KindPortal && c.UserID == auth.OwnerUserID && c.AgentID == ""
	case "admin":
		return c.Kind == auth.KindAdmin
	}
	return false
}

// mediaType refuses a body that is not JSON, spec 4.5.4 and 7.2: also when it is
// empty, because the spec asks for the header and not for the body.
func (x *exchange) mediaType() error {
	switch x.r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
	default:
		return nil
	}
	given := x.r.Header.Get("Content-Type")
	if t, _, err := mime.ParseMediaType(given); x.own.AnyBody || err == nil && t == "application/json" {
		return nil
	}
	x.w.Header().Set("Accept-Post", "application/json")
	return contract.Errorf(contract.UnsupportedMedia, "send Content-Type: application/json, not %.80q", given)
}

// endpointRequest asks for the run of the handler.
func (x *exchange) endpointRequest(caller auth.Caller, body []byte) (invocation.Request, error) {
	e := x.own
	call := x.call(body)
	args, err := x.bind(call, body)
	if err != nil {
		return invocation.Request{}, err
	}
	req := invocation.Request{
		AgentID: x.agent.ID, Function: e.Handler(), Skill: contract.SkillEndpoint, ConsumerID: e.ID, Caller: caller, HTTP: call,
		Endpoint: &invocation.Endpoint{
			Handler: &functions.Function{AgentID: x.agent.ID, Name: e.Module, Manifest: e.Manifest, Source: e.Source, SourceSHA256: e.SHA256, File: e.Module},
			Args:    args, Socket: e.Socket, Lasting: e.Socket || e.Streams(),
		},
	}
	x.bill = req.Endpoint
	if req.Payment, err = x.ownPayment(); err != nil {
		return invocation.Request{}, err
	}
	switch caller.Kind {
	case auth.KindOwner:
		req.Profile = &invocation.Profile{DisplayName: "Owner"}
	case auth.KindVisitor:
		req.Profile = x.profile(caller.UserID)
	}
	if caller.TokenID != "" {
		req.Claims = claimsOf(caller)
	}
	return req, nil
}

// bind makes the handler's arguments, contract.md 6.1: of the path, then of the
// query, then the keys of a JSON body, later ones instead of earlier ones; never
// token. A parameter with a declared type is read as one: a boolean is true when
// its text is "true". Without one, "true" and "false" in the query are booleans,
// and everything else stays a text. When exactly one declared parameter that is no scalar has
// no value, it is the whole body.
func (x *exchange) bind(call *invocation.HTTPCall, body []byte) (contract.RawJSON, error) {
	kinds := map[string]string{}
	for _, p := range x.own.Parameters {
		kinds[p.Name] = p.Type
	}
	args := map[string]json.RawMessage{}
	for i, from := range []map[string]string{call.Params, call.Query} {
		for name, text := range from {
			kind := kinds[name]
			if kind == "" && i == 1 && (text == "true" || text == "false") {
				kind = "boolean"
			}
			v, err := read(name, text, kind)
			if err != nil {
				return nil, err
			}
			args[name] = v
		}
	}
	var object map[string]json.RawMessage
	isJSON := len(body) > 0 && utf8.Valid(body) && json.Valid(body)
	if x.takesBody() && isJSON && json.Unmarshal(body, &object) == nil {
		for name, v := range object {
			args[name] = v
		}
	}
	if x.takesBody() && len(body) > 0 && !isJSON && !x.own.AnyBody {
		return nil, contract.Errorf(contract.InvalidRequest, "the body is not JSON")
	}
	delete(args, "token")
	var whole []string
	for _, p := range x.own.Parameters {
		if _, bound := args[p.Name]; !bound && (p.Type == "object" || p.Type == "array") {
			whole = append(whole, p.Name)
		}
	}
	if len(whole) == 1 && isJSON && x.takesBody() {
		args[whole[0]] = body
	}
	out, err := json.Marshal(args)
	if err != nil {
		return nil, contract.Errorf(contract.InvalidRequest, "the body is not JSON")
	}
	if problems := x.own.Check(out); len(problems) > 0 {
		e := contract.Errorf(contract.ParametersInvalid, "the arguments do not fit %s: %s", x.own.ID, problems[0].Message)
		e.Problems = problems
		return nil, e
	}
	return out, nil
}

func (x *exchange) takesBody() bool {
	switch x.r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	return false
}

// read reads a text as a value of a type.
func read(name, text, kind string) (json.RawMessage, error) {
	switch kind {
	case "boolean":
		return json.RawMessage(strconv.FormatBool(text == "true")), nil
	case "integer", "number":
		v := json.RawMessage(strings.TrimSpace(text))
		var n json.Number
		if json.Unmarshal(v, &n) != nil || len(v) == 0 || v[0] == '"' || string(v) == "null" {
			return nil, contract.Errorf(contract.ParametersInvalid, "%.64s is a number, not %.80q", name, text)
		}
		return v, nil
	case "object", "array":
		if v := json.RawMessage(text); json.Valid(v) {
			return v, nil
		}
	}
	return json.Marshal(text)
}

// begins charges the price, if there is one: the answer is about to leave. It does
// not when that fails.
func (x *exchange) begins(to http.Header) *contract.Error {
	paid, err := x.bill.Charge()
	if err == nil {
		receipt(to, paid)
	}
	return err
}

// answerEndpoint runs the handler and sends what it returns, at once or chunk by
// chunk.
func (x *exchange) answerEndpoint(req invocation.Request) error {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(x.r.Context()))
	defer cancel(nil)
	p := &httpPeer{x: x, out: http.NewResponseController(x.w), model: newModelCalls(ctx, x), stop: func() { cancel(invocation.ErrHungUp) }}
	defer p.model.end()
	stop := context.AfterFunc(x.r.Context(), p.leave)
	defer stop()
	req.Endpoint.Peer = p
	var shaped response
	req.Shape = func(result contract.RawJSON) (warnings []string, failed *contract.Error) {
		if p.opened() {
			if p.left() {
				return nil, contract.Errorf(contract.InvocationCancelled, "%s", invocation.ErrHungUp)
			}
			return nil, nil
		}
		shaped, warnings, failed = x.shape(result)
		x.typed(&shaped)
		req.Endpoint.Spared = shaped.status >= http.StatusBadRequest
		return warnings, failed
	}
	answer, err := x.s.cfg.Invoker.Invoke(ctx, req)
	if err == nil {
		err = outcomeOf(answer)
	}
	if p.end(err) {
		return settledBy(err, p.left())
	}
	if err != nil {
		return err
	}
	receipt(shaped.header, answer.Receipt)
	shaped.send(x.w)
	return nil
}

// told is an error whose answer is on its way already.
type told struct{ error }

func (t told) Unwrap() error { return t.error }

// settledBy is how a stream counts that has begun: what failed in it was told in
// its last frame, and a reader that left has got what it paid for.
func settledBy(err error, left bool) error {
	if err == nil || left {
		return nil
	}
	return told{err}
}

// typed gives an answer without a type of its own the endpoint's.
func (x *exchange) typed(r *response) {
	switch {
	case len(r.body) == 0 || r.status >= 400:
	case x.own.ContentType != "" && slices.Contains([]string{"", jsonType, textType}, r.header.Get("Content-Type")):
		r.header.Set("Content-Type", x.own.ContentType)
	case r.header.Get("Content-Type") == "":
		r.header.Set("Content-Type", "application/octet-stream")
	}
}
