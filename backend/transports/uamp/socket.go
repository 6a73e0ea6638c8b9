package uamp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/websocket"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/payments"
	"benchtop/backend/transports/answer"
)

const (
	writeWithin  = 10 * time.Second // for a client to take an event
	closeWithin  = 2 * time.Second  // for a client to take the last frame
	answerWithin = 50 * time.Second // for a client to answer a ping
	queued       = 32               // events that wait for the client; then the agent does
)

// socket serves GET /uamp.
func (t *Transport) socket(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	if !websocket.IsWebSocketUpgrade(r) {
		w.Header().Set("Upgrade", "websocket")
		w.Header().Set("Connection", "Upgrade")
		answer.JSON(w, http.StatusUpgradeRequired, answer.FailureOf(contract.Errorf(contract.InvalidRequest, "this is a WebSocket; POST takes a list of events")))
		return
	}
	leave, err := t.enter(a)
	if err != nil {
		answer.Fail(w, err)
		return
	}
	defer leave()
	up := websocket.Upgrader{ReadBufferSize: 1 << 10, WriteBufferSize: 4 << 10, WriteBufferPool: &t.buffers, Subprotocols: []string{"uamp"},
		CheckOrigin: func(*http.Request) bool { return true }} // callerOf has looked at it
	ws, err := up.Upgrade(hijacker{w}, r, nil)
	if err != nil {
		return // it has answered
	}
	defer func() { _ = ws.Close() }()
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	defer context.AfterFunc(t.ctx, cancel)()
	out := &outbox{ctx: ctx, ws: ws, events: make(chan []byte, queued), ping: t.cfg.PingEvery}
	c := &connection{
		t: t, ctx: ctx, agent: a, caller: callerOf(r), tokens: payments.TokensOf(r.Header), sessions: map[string]*session{}, send: out.send,
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		out.write()
		cancel() // a client that takes nothing has gone
	}()
	closed, silent := make(chan struct{}), make(chan struct{})
	context.AfterFunc(ctx, func() { // ends the reading, too
		defer close(closed)
		<-written
		code, why := websocket.CloseNormalClosure, ""
		if t.ctx.Err() != nil {
			code, why = websocket.CloseGoingAway, "the platform is shutting down"
		}
		if c.late.Load() {
			code, why = websocket.ClosePolicyViolation, "no session was created in time"
		}
		_ = ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, why), time.Now().Add(closeWithin))
		select {
		case <-silent: // nothing more is read
			agenthttp.Linger(ws.NetConn())
		default:
		}
		_ = ws.Close()
	})
	c.read(ws)
	close(silent)
	cancel()
	c.close()
	<-closed
}

// read handles events until the client has gone, or has ended its last session.
func (c *connection) read(ws *websocket.Conn) {
	patience := c.t.cfg.PingEvery + answerWithin
	alive := func() {
		if c.greeted {
			_ = ws.SetReadDeadline(time.Now().Add(patience))
		}
	}
	_ = ws.SetReadDeadline(time.Now().Add(c.t.cfg.Greet))
	ws.SetReadLimit(maxEvent)
	ws.SetPongHandler(func(string) error { alive(); return nil })
	for {
		kind, raw, err := ws.ReadMessage()
		if err != nil {
			var late net.Error
			c.late.Store(!c.greeted && errors.As(err, &late) && late.Timeout())
			return
		}
		if kind != websocket.TextMessage || !json.Valid(raw) {
			c.fail("", &failure{Code: codeInternal, Message: "an event is JSON, in a text frame"})
			continue
		}
		over := c.handle(raw)
		c.greeted = c.greeted || c.hasSession()
		alive()
		if over {
			return
		}
	}
}

func (c *connection) hasSession() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.sessions) > 0
}

// outbox writes events one after the other. Who sends one waits when the client is
// slow, and so does the agent.
type outbox struct {
	ctx    context.Context
	ws     *websocket.Conn
	events chan []byte
	ping   time.Duration
}

var errGone = errors.New("the client has gone")

func (o *outbox) send(e event) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	select {
	case o.events <- b:
		return nil
	case <-o.ctx.Done():
		return errGone
	}
}

func (o *outbox) write() {
	tick := time.NewTicker(o.ping)
	defer tick.Stop()
	put := func(b []byte) error {
		_ = o.ws.SetWriteDeadline(time.Now().Add(writeWithin))
		return o.ws.WriteMessage(websocket.TextMessage, b)
	}
	for {
		select {
		case b := <-o.events:
			if put(b) != nil {
				return
			}
		case <-tick.C:
			if o.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWithin)) != nil {
				return
			}
		case <-o.ctx.Done():
			for { // what was said before the end
				select {
				case b := <-o.events:
					if put(b) != nil {
						return
					}
				default:
					return
				}
			}
		}
	}
}

// hijacker finds the connection behind writers that only unwrap.
type hijacker struct{ http.ResponseWriter }

// Hijack gives the connection away.
func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(h.ResponseWriter).Hijack()
}

// callerOf is who opened a connection. Browsers let any page open a WebSocket and
// send cookies with it, so a page of another origin is nobody unless it sent a
// credential of its own (decisions.md 3).
func callerOf(r *http.Request) auth.Caller {
	caller := auth.CallerOf(r.Context())
	origin := r.Header.Get("Origin")
	if origin == "" || r.Header.Get("Authorization") != "" || r.Header.Get("X-API-Key") != "" {
		return caller
	}
	if u, err := url.Parse(origin); err == nil && u.Host == r.Host && u.Scheme == "http" {
		return caller
	}
	return auth.Caller{Kind: auth.KindAnonymous}
}
