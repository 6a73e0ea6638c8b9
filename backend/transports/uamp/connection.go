package uamp

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/model"
)

// connection is a client and its sessions. Its events are handled one after the
// other; the turns that they start go on beside them, unless it is alone, as a
// request over HTTP is: then each turn is waited for, because nothing can come
// meanwhile.
type connection struct {
	t      *Transport
	ctx    context.Context
	agent  agents.Agent
	caller auth.Caller
	tokens []string // payment tokens of its headers
	alone  bool
	send   func(event) error // an error says that the client has gone
	turns  sync.WaitGroup

	greeted bool        // a session was created
	late    atomic.Bool // none was in time

	mu       sync.Mutex
	sessions map[string]*session
	first    *session // whose events need no session_id
	many     bool     // several sessions were made: all events say which
}

// handler answers one type of events. An error is answered with response.error.
type handler func(s *session, in incoming) *failure

// handlers is the table of the client's events, but those that make sessions.
// What a session collects and never answers at once has no reply.
var handlers = map[string]handler{
	"session.update":             (*session).update,
	"session.end":                (*session).end,
	"capabilities.query":         (*session).tellCapabilities,
	"client.capabilities":        accept,
	"input.text":                 (*session).inputText,
	"input.audio":                (*session).inputAudio,
	"input.audio_committed":      (*session).commitAudio,
	"input.image":                (*session).inputImage,
	"input.video":                (*session).inputVideo,
	"input.file":                 (*session).inputFile,
	"input.typing":               accept,
	"response.create":            (*session).create,
	"response.cancel":            (*session).cancel,
	"tool.result":                (*session).toolResult,
	"payment.submit":             (*session).submit,
	"conversation.item.create":   (*session).createItem,
	"conversation.item.delete":   (*session).deleteItem,
	"conversation.item.truncate": (*session).truncateItem,
	"voice.invite":               (*session).declineVoice,
	"voice.accept":               accept,
	"voice.decline":              accept,
	"voice.end":                  accept,
	"extension.message":          (*session).extension,
	"ping":                       func(s *session, _ incoming) *failure { s.say(event{"type": "pong"}); return nil },
}

// accept takes what nothing follows from.
func accept(*session, incoming) *failure { return nil }

// handle answers one event. over says that the client has ended its last session.
func (c *connection) handle(raw json.RawMessage) (over bool) {
	in, f := parse(raw)
	if f != nil {
		c.fail("", f)
		return false
	}
	if strings.HasPrefix(in.Type, "x-") {
		return false
	}
	if in.Type == "session.create" {
		c.create(in)
		return false
	}
	s, f := c.find(in.SessionID)
	if f != nil && in.Type == "ping" && in.SessionID == "" && c.isMany() {
		c.emit(event{"type": "pong"}) // it asks for the connection, and there is one
		return false
	}
	if f == nil {
		h, known := handlers[in.Type]
		if !known {
			f = &failure{Code: codeUnknownEvent, Message: "there is no event " + clip(in.Type) + " of clients"}
		} else {
			if in.PaymentToken != "" && in.Type != "session.update" {
				s.keepToken(in.PaymentToken)
			}
			f = h(s, in)
		}
	}
	if f != nil {
		id := in.SessionID
		if s != nil {
			id = s.id
		}
		c.fail(id, f)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return in.Type == "session.end" && f == nil && len(c.sessions) == 0
}

func (c *connection) fail(sessionID string, f *failure) {
	e := event{"type": "response.error", "error": f}
	if sessionID != "" && c.isMany() {
		e["session_id"] = sessionID
	}
	c.emit(e)
}

func (c *connection) isMany() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.many
}

// emit sends an event. That the client has gone shows elsewhere.
func (c *connection) emit(e event) {
	e["event_id"] = c.t.id("evt")
	e["timestamp"] = c.t.cfg.Now().UnixMilli()
	_ = c.send(e)
}

// find gives the session that an event is for.
func (c *connection) find(id string) (*session, *failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case id != "":
		if s := c.sessions[id]; s != nil {
			return s, nil
		}
		if len(c.sessions) > 0 || c.first != nil {
			return nil, &failure{Code: codeSessionNotFound, Message: "this connection has no session " + clip(id)}
		}
	case c.many:
		return nil, &failure{Code: codeSessionRequired, Message: "this connection had several sessions: say which one by session_id"}
	case c.first != nil:
		return c.first, nil
	}
	return nil, &failure{Code: codeSessionRequired, Message: "create a session first: session.create"}
}

// create makes a session, or goes on with one whose connection ended.
func (c *connection) create(in incoming) {
	var e sessionEvent
	if f := in.into(&e); f != nil {
		c.fail("", f)
		return
	}
	if e.Version != "" && e.Version != "1" && !strings.HasPrefix(e.Version, "1.") {
		c.fail("", &failure{Code: codeVersion, Message: "version " + clip(e.Version) + " is not spoken here; " + Version + " is", Details: map[string][]string{"supported": {Version}}})
		return
	}
	s, f := c.open(in, e)
	if f != nil {
		refused := event{"type": "session.error", "error": f}
		if in.SessionID != "" {
			refused["session_id"] = in.SessionID
		}
		c.emit(refused)
		return
	}
	s.greet()
}

func (c *connection) open(in incoming, e sessionEvent) (*session, *failure) {
	config, given, f := e.read()
	if f != nil {
		return nil, f
	}
	caller, f := c.admit(given.Token)
	if f != nil {
		return nil, f
	}
	s := &session{c: c, id: in.SessionID, own: true, caller: caller, started: c.t.cfg.Now().UnixMilli()}
	switch {
	case s.id == "":
		s.id, s.own = c.t.id("sess"), false
	case len(s.id) > maxID || strings.ContainsFunc(s.id, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return nil, invalid("session_id has at most %d characters and no spaces", maxID)
	case strings.HasPrefix(s.id, "sess_"): // one of ours: to go on with
		was := c.t.parked.take(parkKey{c.agent.ID, ownerOf(caller), s.id})
		if was == nil {
			return nil, &failure{Code: codeSessionNotFound, Message: "session " + clip(s.id) + " has ended; create one without session_id"}
		}
		s.resume(was)
	}
	s.config = s.config.with(config)
	if given.PaymentToken != "" {
		s.token = given.PaymentToken
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.sessions[s.id] != nil:
		return nil, invalid("session %s is there already", clip(s.id))
	case len(c.sessions) >= maxSessions:
		return nil, &failure{Code: codeRateLimited, Message: "a connection has at most 16 sessions"}
	}
	c.many = c.many || c.first != nil
	if c.first == nil {
		c.first = s
	}
	c.sessions[s.id] = s
	return s, nil
}

// maxID bounds the ids that clients make.
const maxID = 128

// admit says who a session is for: whom its token names, else who opened the
// connection.
func (c *connection) admit(token string) (auth.Caller, *failure) {
	caller := c.caller
	if token != "" && c.t.cfg.Identify != nil {
		who, err := c.t.cfg.Identify(c.ctx, token)
		if err != nil {
			if e := contract.AsError(err); e == nil || e.Code != contract.Unauthorized {
				c.t.cfg.Log.Error("a token could not be checked", "agent", c.agent.Username, "error", err)
			}
			who = auth.Caller{Kind: auth.KindAnonymous, Refused: true}
		}
		caller = who
	}
	if err := model.Admit(c.agent, caller); err != nil {
		return caller, &failure{Code: codeUnauthorized, Message: contract.AsError(err).Message}
	}
	return caller, nil
}

// ownerOf is the name by which a caller finds their sessions again.
func ownerOf(c auth.Caller) string {
	switch {
	case c.AgentID != "":
		return "agent:" + c.AgentID
	case c.UserID != "":
		return "user:" + c.UserID
	case c.Kind == auth.KindAnonymous:
		return ""
	}
	return c.Kind
}

// close ends the connection's turns and keeps its sessions for those who come
// back. Only sessions that have a name of ours are kept: others can guess what a
// client made up.
func (c *connection) close() {
	c.mu.Lock()
	all := c.sessions
	c.sessions = map[string]*session{}
	c.mu.Unlock()
	for _, s := range all {
		s.stop()
	}
	c.turns.Wait()
	for _, s := range all {
		if !s.own {
			c.t.parked.put(parkKey{c.agent.ID, ownerOf(s.caller), s.id}, s.state())
		}
	}
}
