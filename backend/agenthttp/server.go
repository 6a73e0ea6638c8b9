// Package agenthttp serves what an agent answers over HTTP: the entries of
// custom_http, its custom endpoints and the transports, below every address that the agent has
// (contract.md 0.3, 2.6, 2.8, 3.3). Whoever mounts it has found the agent, taken the prefix
// off the path, identified the caller, and holds pages to decisions.md 4.
package agenthttp

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gorilla/websocket"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
	"benchtop/backend/eventstream"
	"benchtop/backend/functions"
	"benchtop/backend/invocation"
	"benchtop/backend/payments"
)

// Consumers are the entries of the agents.
type Consumers interface {
	Of(agentID string) *consumers.Set
}

// Functions are what the entries use.
type Functions interface {
	Get(agentID, name string) (*functions.Function, bool)
}

// Invoker runs them.
type Invoker interface {
	Invoke(ctx context.Context, req invocation.Request) (invocation.Answer, error)
}

// Config of a Server. Visitor gives the profile of a visitor who is signed in.
// Transports are the protocols that agents may speak, and Listed says whether an
// agent's AGENT.md names one of them.
type Config struct {
	Consumers  Consumers
	Functions  Functions
	Invoker    Invoker
	Visitor    func(id string) (contract.Visitor, bool)
	Transports []Transport
	Endpoints  *endpoints.Endpoints // of custom endpoints; nil: there are none
	// Complete gives the chunks of an agent's own model, for ctx.agent.complete.
	Complete func(ctx context.Context, a agents.Agent, messages contract.RawJSON) iter.Seq2[contract.RawJSON, error]
	Patience Patience
	Listed   func(a agents.Agent, transport string) bool
	Log      *slog.Logger
}

// Server answers for every agent.
type Server struct {
	cfg     Config
	mounted []mounted
	buffers sync.Pool // of WebSockets
}

// New makes a Server.
func New(cfg Config) *Server {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	cfg.Patience.defaults()
	return &Server{cfg: cfg, mounted: mount(cfg.Transports)}
}

// Handler answers for one agent. The path of a request is what follows the
// agent's prefix; its context has the caller (auth.WithCaller).
func (s *Server) Handler(a agents.Agent) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{s: s, agent: a, w: w, r: r}
		if err := x.serve(); err != nil && !errors.As(err, &told{}) {
			x.fail(err)
		}
	})
}

// exchange is one request and its answer.
type exchange struct {
	s       *Server
	agent   agents.Agent
	w       http.ResponseWriter
	r       *http.Request
	match   consumers.Match
	own     *endpoints.Entry // instead of match: a custom endpoint
	params  map[string]string
	bill    *invocation.Endpoint // of own: whom the price is charged by
	refused bool                 // a credential was presented that is not valid
}

func (x *exchange) serve() error {
	path := x.r.URL.EscapedPath()
	serve, allowed, upgrade := x.find(path)
	if upgrade && x.r.Method != http.MethodGet {
		allowed, upgrade = []string{http.MethodGet}, false
	}
	switch {
	case serve != nil:
		return serve()
	case upgrade:
		x.w.Header().Set("Upgrade", "websocket")
		return contract.Errorf(contract.UpgradeRequired, "%.256s is a WebSocket: connect to it with ws://", path)
	case len(allowed) == 0 && websocket.IsWebSocketUpgrade(x.r):
		return x.refuseSocket(contract.Errorf(contract.NotFound, "agent %s serves nothing at %.256s", x.agent.Username, path), closeUnknown)
	case len(allowed) == 0:
		return contract.Errorf(contract.NotFound, "agent %s serves nothing at %.256s", x.agent.Username, path)
	}
	methods := allow(allowed)
	x.w.Header().Set("Allow", methods)
	if x.r.Method == http.MethodOptions {
		x.preflight(methods)
		return nil
	}
	return contract.Errorf(contract.MethodNotAllowed, "%.32s is not possible here, only %s", x.r.Method, methods)
}

// find chooses among everything that the agent answers: the template that is
// literal earliest counts. Of those that are alike, which are refused when they
// are saved, a transport comes before an endpoint before custom_http; a transport
// that every agent has comes last. Without an answer, allowed are the methods that
// the path has; upgrade says that it has a WebSocket and nothing else.
func (x *exchange) find(path string) (serve func() error, allowed []string, upgrade bool) {
	var match consumers.Match
	match, allowed = x.s.cfg.Consumers.Of(x.agent.ID).Route(x.r.Method, path)
	x.match, x.params = match, match.Params
	segments, ok := endpoints.Segments(path)
	if !ok {
		return nil, nil, false
	}
	var best endpoints.Template
	m, more := x.s.transport(x.agent, x.r.Method, segments)
	allowed = append(allowed, more...)
	byTransport := func() error {
		m.run(x.w, x.r, x.agent, segments)
		return nil
	}
	if m != nil && !m.transport.Always {
		best, serve = m.template, byTransport
	}
	if x.s.cfg.Endpoints != nil {
		e, more, only := x.s.cfg.Endpoints.Of(x.agent.ID).Match(x.r.Method, segments, websocket.IsWebSocketUpgrade(x.r))
		allowed = append(allowed, more...)
		upgrade = only && len(allowed) == 0
		if e != nil && (serve == nil || e.Template.Before(best)) {
			best, serve = e.Template, func() error {
				x.match, x.own, x.params = consumers.Match{}, e, e.Template.Values(segments)
				return x.endpoint()
			}
		}
	}
	if match.Entry != nil {
		if t, err := endpoints.ParseTemplate(match.Endpoint.Path); serve == nil || err == nil && t.Before(best) {
			best, serve = t, x.run
		}
	}
	if m != nil && m.transport.Always && (serve == nil || m.template.Before(best)) {
		serve = byTransport
	}
	return serve, allowed, upgrade
}

// allow lists the methods of a path: what is declared and what follows from it.
func allow(declared []string) string {
	methods := []string{}
	add := func(m string) {
		for _, have := range methods {
			if have == m {
				return
			}
		}
		methods = append(methods, m)
	}
	for _, m := range declared {
		add(m)
		if m == http.MethodGet {
			add(http.MethodHead)
		}
	}
	add(http.MethodOptions)
	return strings.Join(methods, ", ")
}

// preflight tells a page of any origin what it may send; credentials of a
// browser are never among it (decisions.md 3).
func (x *exchange) preflight(methods string) {
	h := x.w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Max-Age", "600")
	h.Set("Access-Control-Allow-Headers", "*, Authorization")
	if asked := x.r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
		h.Add("Vary", "Access-Control-Request-Headers")
	}
	x.w.WriteHeader(http.StatusNoContent)
}

// run calls the function and sends what it answers.
func (x *exchange) run() error {
	caller, profile, claims, err := x.caller()
	if err != nil {
		return err
	}
	body, err := x.body()
	if err != nil {
		return err
	}
	var shaped response
	req := invocation.Request{
		AgentID: x.agent.ID, Function: x.match.Use, Skill: contract.SkillHTTP, ConsumerID: x.match.ID,
		Caller: caller, Profile: profile, Claims: claims, WallMs: x.match.Endpoint.TimeoutMs,
		HTTP: x.call(body), Payment: x.payment(),
		Shape: func(result contract.RawJSON) (warnings []string, failed *contract.Error) {
			shaped, warnings, failed = x.shape(result)
			return warnings, failed
		},
	}
	if eventstream.Wanted(x.r) {
		return x.stream(req, &shaped)
	}
	answer, err := x.s.cfg.Invoker.Invoke(x.r.Context(), req)
	if err != nil {
		return err
	}
	return x.answer(answer, shaped)
}

// answer sends an invocation's end.
func (x *exchange) answer(a invocation.Answer, shaped response) error {
	if err := outcomeOf(a); err != nil {
		return err
	}
	receipt(shaped.header, a.Receipt)
	shaped.send(x.w)
	return nil
}

// outcome is the error that a function ended with, which has another status than
// the same one as a refusal of ours.
type outcome struct{ of *contract.Error }

func (o outcome) Error() string { return o.of.Error() }
func (o outcome) Unwrap() error { return o.of }

func outcomeOf(a invocation.Answer) error {
	if a.Unpaid != nil {
		return a.Unpaid
	}
	if r := a.Result; !r.OK {
		return outcome{&contract.Error{Code: r.ErrorCode, Message: r.ErrorMessage, RetryAfterSec: r.RetryAfterSec}}
	}
	return nil
}

// statusOfError is the status of a refusal, or of what a function ended with.
func statusOfError(err error, code contract.Code) int {
	if errors.As(err, &outcome{}) {
		return code.OutcomeStatus()
	}
	if s := code.Status(); s >= 400 {
		return s
	}
	return http.StatusInternalServerError
}

// fail answers with an error, contract.md 3.3.
func (x *exchange) fail(err error) {
	e := contract.AsError(err)
	if e == nil {
		x.s.cfg.Log.Error("a request to an agent failed", "agent", x.agent.Username, "method", x.r.Method, "error", err)
		e = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
	}
	if !errors.As(err, &outcome{}) && payments.Status(e) == http.StatusPaymentRequired {
		payments.WriteRequired(x.w, e)
		return
	}
	h := x.w.Header()
	status := statusOfError(err, e.Code)
	if status == http.StatusUnauthorized {
		challenge := `Bearer realm="webagents"`
		if x.refused {
			challenge += `, error="invalid_token"`
		}
		h.Set("WWW-Authenticate", challenge)
	}
	if e.RetryAfterSec > 0 {
		h.Set("Retry-After", strconv.Itoa(e.RetryAfterSec))
	}
	b := errorJSON(e)
	h.Set("Content-Type", jsonType)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(b)))
	x.w.WriteHeader(status)
	_, _ = x.w.Write(b) // who has hung up cannot be told
}

func errorJSON(e *contract.Error) []byte {
	b, err := json.Marshal(struct {
		Error contract.ToolError `json:"error"`
	}{contract.ToolError{Code: e.Code, Message: e.Message}})
	if err != nil {
		return []byte("{}")
	}
	return b
}

// caller holds who calls to the endpoint's auth mode and gives what the function
// learns of them, contract.md 2.6.
func (x *exchange) caller() (auth.Caller, *invocation.Profile, any, error) {
	c := auth.CallerOf(x.r.Context())
	x.refused = c.Refused
	nobody := auth.Caller{Kind: auth.KindAnonymous}
	switch x.match.Endpoint.Auth {
	case consumers.AuthSession:
		if c.Kind != auth.KindOwner {
			return nobody, nil, nil, contract.Errorf(contract.Unauthorized, "this is for the signed-in owner of the agent only")
		}
		return c, nil, nil, nil
	case consumers.AuthVisitor:
		if c.Refused {
			return nobody, nil, nil, contract.Errorf(contract.Unauthorized, "the credential is not valid here; without one this answers, too")
		}
		switch c.Kind {
		case auth.KindOwner:
			return c, &invocation.Profile{DisplayName: "Owner"}, nil, nil
		case auth.KindVisitor:
			return c, x.profile(c.UserID), nil, nil
		}
		return nobody, nil, nil, nil
	case consumers.AuthPortal:
		if c.TokenID == "" {
			return nobody, nil, nil, contract.Errorf(contract.Unauthorized, "send a portal token: Authorization: Bearer <token>")
		}
		return c, nil, claimsOf(c), nil
	}
	return nobody, nil, nil, nil // public, and signature, which the function checks
}

func (x *exchange) profile(id string) *invocation.Profile {
	if x.s.cfg.Visitor == nil {
		return nil
	}
	v, ok := x.s.cfg.Visitor(id)
	if !ok {
		return nil
	}
	return &invocation.Profile{DisplayName: v.Name, AvatarURL: v.AvatarURL, Email: v.Email}
}

func claimsOf(c auth.Caller) any {
	sub := c.UserID
	if sub == "" {
		sub = c.AgentID
	}
	return struct {
		Subject string   `json:"sub"`
		AgentID string   `json:"agent_id,omitempty"`
		Scopes  []string `json:"scopes"`
		ID      string   `json:"jti"`
	}{sub, c.AgentID, append([]string{}, c.Scopes...), c.TokenID}
}
