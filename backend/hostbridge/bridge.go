package hostbridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// Config of a Bridge. SecretPut is told of each secret that a function stored.
type Config struct {
	KV        KV
	Secrets   Secrets
	Content   Content
	Functions Siblings
	// Invoke runs a function of the same agent for a running one.
	Invoke    func(ctx context.Context, n Nested) (NestedResult, error)
	Tokens    Tokens
	Portal    Portal
	Payments  Payments
	SecretPut func(agentID, function, binding string)
	// Remote answers a host call of an invocation that this platform has given to
	// an executor on another machine, so that it goes through the pipeline like
	// one over a pipe; false when there is none of that id. It may be nil.
	Remote func(ctx context.Context, invocationID string, n int, method string, args json.RawMessage) (contract.HostReply, bool)
	Now    func() time.Time
	NewID  func() string
	Log    *slog.Logger
	// NanocentsPerDollar is the unit of a function's amounts; nil is the default.
	NanocentsPerDollar func() int64
}

// Bridge is the dispatcher behind both doors.
type Bridge struct {
	cfg      Config
	handlers map[string]handler

	mu       sync.Mutex
	sessions map[string]*Session // by invocation id
	swept    time.Time
}

// handler answers one host call whose grant and quota have been seen to. A nil
// result with a nil error is undefined.
type handler func(ctx context.Context, s *Session, a arguments) (json.RawMessage, error)

// New makes a Bridge.
func New(cfg Config) *Bridge {
	b := &Bridge{cfg: cfg, sessions: make(map[string]*Session)}
	b.handlers = map[string]handler{
		"kv.get":         b.kvGet,
		"kv.put":         b.kvPut,
		"kv.putIfAbsent": b.kvPutIfAbsent,
		"kv.delete":      b.kvDelete,
		"kv.list":        b.kvList,
		"secrets.get":    b.secretsGet,
		"secrets.put":    b.secretsPut,
		"secrets.list":   b.secretsList,
		"content.read":   b.contentRead,
		"content.write":  b.contentWrite,
		"folders.list":   b.foldersList,
		"folders.read":   b.foldersRead,
		"folders.write":  b.foldersWrite,
		"fn.invoke":      b.fnInvoke,
		"fn.list":        b.fnList,

		"portal.verifyToken":     b.portalVerifyToken,
		"portal.verifyHmac":      b.portalVerifyHmac,
		"portal.lookupAgent":     b.portalLookupAgent,
		"portal.callTool":        b.portalCallTool,
		"portal.getOwner":        b.portalGetOwner,
		"portal.notifyOwner":     b.portalNotifyOwner,
		"portal.signContentUrl":  b.portalSignContentURL,
		"portal.payment.lock":    b.portalPaymentLock,
		"portal.payment.settle":  b.portalPaymentSettle,
		"portal.payment.release": b.portalPaymentRelease,

		"portal.backgroundRun": b.portalBackgroundRun,
		"portal.signRequest":   b.portalSignRequest,
	}
	return b
}

// Open starts the near door's session of an invocation. Close it when the
// invocation has ended.
func (b *Bridge) Open(c Claims) *Session {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.newSession(c)
	b.sessions[c.InvocationID] = s
	return s
}

// Mint signs an invocation token for an executor on the other side of a
// network. It costs more than two whole hello invocations, so the embedded
// executor goes without.
func (b *Bridge) Mint(c Claims) (string, error) {
	now := b.cfg.Now()
	return b.cfg.Tokens.Sign(TokenType, &tokenClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Audience:  jwt.ClaimStrings{Audience},
			Subject:   c.AgentID,
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(contract.InvocationTokenLifetime)),
			ID:        b.cfg.NewID(),
		},
		Claims: c,
	})
}

// MintOpen signs an invocation token for an invocation whose session is open.
func (b *Bridge) MintOpen(invocationID string) (string, error) {
	b.mu.Lock()
	s := b.sessions[invocationID]
	b.mu.Unlock()
	if s == nil {
		return "", contract.Errorf(contract.InvocationNotFound, "no invocation %.64q is under way", invocationID)
	}
	return b.Mint(s.claims)
}

// ServeToken is the network door: POST /api/internal/fn-host. The status is
// for people; a client reads the reply. 401 for a token that does not hold,
// 409 for a quota, 403 for a missing permission.
func (b *Bridge) ServeToken(ctx context.Context, bearer, idempotencyKey string, req contract.HostRequest) (int, contract.HostReply) {
	var c tokenClaims
	if err := b.cfg.Tokens.Verify(TokenType, bearer, &c); err != nil {
		return refuse(contract.InvalidInvocation, "the invocation token does not hold: it is missing, forged, expired or of another type")
	}
	if len(c.Audience) != 1 || c.Audience[0] != Audience || c.AgentID == "" || c.Function == "" || c.InvocationID == "" || c.Subject != c.AgentID {
		return refuse(contract.InvalidInvocation, "the token's claims do not pin an invocation")
	}
	n, ok := callNumber(idempotencyKey, c.InvocationID)
	if !ok {
		return refuse(contract.InvalidIdempotentKey, "Idempotency-Key must be <invocation id>:<n> with n from 1")
	}
	if b.cfg.Remote != nil {
		if reply, ours := b.cfg.Remote(ctx, c.InvocationID, n, req.Method, req.Args); ours {
			return replyStatus(reply), reply
		}
	}
	reply := b.remoteSession(c).Call(ctx, n, req.Method, req.Args)
	return replyStatus(reply), reply
}

func refuse(code contract.Code, message string) (int, contract.HostReply) {
	return code.Status(), failed(contract.Errorf(code, "%s", message))
}

func replyStatus(r contract.HostReply) int {
	if r.OK {
		return 200
	}
	if s := r.Error.Code.Status(); s >= 400 {
		return s
	}
	return 500
}

// remoteSession finds or makes the session of a token, so that quotas and
// idempotency span the calls of one invocation. The claims of the first token
// stay: a second one for the same invocation cannot widen them.
func (b *Bridge) remoteSession(c tokenClaims) *Session {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.cfg.Now()
	if now.Sub(b.swept) > contract.InvocationTokenLifetime {
		b.swept = now
		for id, s := range b.sessions {
			if !s.expires.IsZero() && now.After(s.expires) {
				delete(b.sessions, id)
			}
		}
	}
	s := b.sessions[c.InvocationID]
	if s == nil || s.claims.AgentID != c.AgentID || s.claims.Function != c.Function {
		s = b.newSession(c.Claims)
		s.expires = c.ExpiresAt.Add(contract.ClockSkew)
		b.sessions[c.InvocationID] = s
	}
	return s
}

func (b *Bridge) close(s *Session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sessions[s.claims.InvocationID] == s {
		delete(b.sessions, s.claims.InvocationID)
	}
}

// dispatch is the one way a host call goes: row, quota, grant, charge, noun.
func (b *Bridge) dispatch(ctx context.Context, s *Session, method string, args json.RawMessage) (json.RawMessage, error) {
	if err := s.chargeCall(); err != nil {
		return nil, err
	}
	if strings.HasPrefix(method, contract.PortalSpace) && method != contract.PortalDispatch {
		return nil, contract.Errorf(contract.UnknownHostCall, "the host bridge takes %.64q as %s", method, contract.PortalDispatch)
	}
	method, args, err := unwrap(method, args)
	if err != nil {
		return nil, err
	}
	row, handle := contract.HostCallNamed(method), b.handlers[method]
	if row == nil || handle == nil {
		return nil, contract.Errorf(contract.UnknownHostCall, "the host bridge has no method %.64q", method)
	}
	a, err := parseArgs(method, args)
	if err != nil {
		return nil, err
	}
	s.rememberTokens(method, a)
	if err := manifest.Granted(s.claims.Permissions, row, args); err != nil {
		if method == "secrets.put" {
			s.rememberRefused(a)
		}
		return nil, err
	}
	if err := s.charge(row, a); err != nil {
		return nil, err
	}
	result, err := handle(ctx, s, a)
	if err != nil && contract.AsError(err) == nil {
		b.cfg.Log.Error("host call failed", "method", method, "agent", s.claims.AgentID, "function", s.claims.Function,
			"invocation", s.claims.InvocationID, "error", s.Redact(err.Error()))
	}
	return result, err
}
