package agenthttp

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

// Close codes of contract.md 6.4, beside those of the protocol itself.
const (
	closeHandler = 4000 // the handler threw an error
	closeScope   = 4003 // the caller is outside of the endpoint's scopes
	closeUnknown = 4004 // nothing is at the address
)

// Bounds of a WebSocket.
const (
	maxMessage    = contract.MaxBodyBytes
	maxWaiting    = 16  // messages that the handler has not taken; then nothing more is read
	messageRate   = 100 // messages a second, over a while
	messageBurst  = 300
	socketWrite   = 10 * time.Second // for a client to take a frame
	closeWait     = 2 * time.Second  // for a client to answer a close frame
	maxLinger     = 64 << 20         // thrown away until then
	maxReason     = 123
	handlerFailed = "the handler failed"
)

// serveSocket serves a WebSocket, spec 4.5.2. Before the handler accepts, the
// request can still be answered like any other.
func (x *exchange) serveSocket() error {
	caller, err := x.admit()
	if err != nil {
		return x.refuseSocket(err, closeScope)
	}
	req, err := x.endpointRequest(caller, nil)
	if err != nil {
		return err
	}
	return x.converse(req)
}

// refuseSocket answers with a status. A page sees none of a WebSocket that is not
// opened, so a browser gets the close code instead.
func (x *exchange) refuseSocket(err error, code int) error {
	if x.s.refuse(x.w, x.r, err, code) {
		return told{err}
	}
	return err
}

// NoAgent closes the WebSocket that a page opens to an agent which is not there;
// false when the request is none, and is answered with a status.
func (s *Server) NoAgent(w http.ResponseWriter, r *http.Request, err error) bool {
	return r.Method == http.MethodGet && websocket.IsWebSocketUpgrade(r) && s.refuse(w, r, err, closeUnknown)
}

// refuse reports whether it has answered.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error, code int) bool {
	e := contract.AsError(err)
	if r.Header.Get("Origin") == "" || e == nil {
		return false
	}
	conn, failed := s.upgrader(websocket.Subprotocols(r)).Upgrade(hijacker{w}, r, nil)
	if failed != nil {
		return true // the upgrader has answered
	}
	defer func() { _ = conn.Close() }() // it was said what there is to say
	deadline := time.Now().Add(socketWrite)
	_ = conn.WriteControl(websocket.CloseMessage, closeMessage(code, string(e.Code)+": "+e.Message), deadline)
	Linger(conn.NetConn())
	return true
}

// upgrader takes any origin: who calls was found out with it, and a page of
// another one has no credentials here (knownCaller).
func (s *Server) upgrader(protocols []string) *websocket.Upgrader {
	return &websocket.Upgrader{ReadBufferSize: 1 << 10, WriteBufferSize: 4 << 10, WriteBufferPool: &s.buffers, Subprotocols: protocols,
		CheckOrigin: func(*http.Request) bool { return true }}
}

// hijacker finds the connection behind writers that only unwrap.
type hijacker struct{ http.ResponseWriter }

// Hijack gives the connection away.
func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(h.ResponseWriter).Hijack()
}

// converse runs the handler with the WebSocket as its peer.
func (x *exchange) converse(req invocation.Request) error {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(x.r.Context()))
	defer cancel(nil)
	p := &socketPeer{x: x, model: newModelCalls(ctx, x), inbox: make(chan json.RawMessage, maxWaiting),
		closed: make(chan struct{}), stop: func() { cancel(invocation.ErrHungUp) }}
	defer p.model.end()
	// Until the connection is taken over, the server notices a client that leaves.
	undo := context.AfterFunc(x.r.Context(), func() {
		if p.connection() == nil {
			p.over()
		}
	})
	defer undo()
	req.Endpoint.Peer = p
	var shaped response
	req.Shape = func(result contract.RawJSON) (warnings []string, failed *contract.Error) {
		if p.connection() != nil {
			return nil, nil
		}
		if len(result) == 0 {
			return nil, contract.Errorf(contract.Forbidden, "the handler did not accept the WebSocket")
		}
		shaped, warnings, failed = x.shape(result)
		req.Endpoint.Spared = shaped.status >= http.StatusBadRequest
		return warnings, failed
	}
	answer, err := x.s.cfg.Invoker.Invoke(ctx, req)
	if err == nil {
		err = outcomeOf(answer)
	}
	if p.connection() == nil {
		if err == nil {
			shaped.send(x.w) // a refusal, whatever its status
		} else if e := contract.AsError(err); e != nil && e.Code == contract.Forbidden {
			return e
		}
		return err
	}
	p.finish(err)
	return settledBy(err, p.isOver())
}

// socketPeer is the client of a WebSocket handler.
type socketPeer struct {
	x     *exchange
	model *modelCalls
	stop  func() // ends the run of a handler that goes on without a client
	inbox chan json.RawMessage

	mu   sync.Mutex
	conn *websocket.Conn // nil until the handler accepts

	write sync.Mutex // one frame at a time

	once   sync.Once
	closed chan struct{} // no more messages come or go
	ping   *time.Timer
	read   chan struct{} // closed when the reading has ended
	late   *time.Timer
}

// Call answers the calls of ctx.socket and those to the model.
func (p *socketPeer) Call(ctx context.Context, method string, args contract.RawJSON) contract.HostReply {
	switch method {
	case "socket.accept":
		var in struct {
			Protocol string `json:"protocol"`
		}
		if err := json.Unmarshal(args, &in); err != nil {
			return failed(contract.Errorf(contract.InvalidRequest, "ctx.socket.accept: the protocol is a text"))
		}
		return p.accept(in.Protocol)
	case "socket.send":
		var in struct {
			JSON json.RawMessage `json:"json"`
		}
		if err := json.Unmarshal(args, &in); err != nil || p.connection() == nil {
			return failed(contract.Errorf(contract.InvalidRequest, "ctx.socket.send: there is nothing to send, or nobody to send it to"))
		}
		return p.send(in.JSON)
	case "socket.receive":
		return p.receive(ctx)
	case "socket.close":
		var in struct {
			Code   int    `json:"code"`
			Reason string `json:"reason"`
		}
		if err := json.Unmarshal(args, &in); err != nil || in.Code != 1000 && (in.Code < 3000 || in.Code > 4999) || len(in.Reason) > maxReason {
			return failed(contract.Errorf(contract.InvalidRequest, "ctx.socket.close: a code is 1000 or 3000 to 4999, a reason has %d bytes at most", maxReason))
		}
		p.close(in.Code, in.Reason)
		return replied(struct{}{})
	}
	return p.model.call(ctx, method, args)
}

func (p *socketPeer) connection() *websocket.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn
}

// accept takes the connection over.
func (p *socketPeer) accept(protocol string) contract.HostReply {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil || p.isOver() {
		return replied(map[string]bool{"closed": p.isOver()})
	}
	offered := p.x.own.Protocols
	if protocol != "" {
		if !slices.Contains(websocket.Subprotocols(p.x.r), protocol) {
			return failed(contract.Errorf(contract.InvalidRequest, "ctx.socket.accept: the client does not offer the protocol %.64q", protocol))
		}
		offered = []string{protocol}
	}
	header := http.Header{}
	if isHandshake(p.x.r) { // nobody pays for one that fails
		if err := p.x.begins(header); err != nil {
			return failed(err)
		}
	}
	conn, err := p.x.s.upgrader(offered).Upgrade(hijacker{p.x.w}, p.x.r, header)
	if err != nil {
		p.over()
		return replied(map[string]bool{"closed": true})
	}
	conn.SetReadLimit(maxMessage)
	p.conn, p.read = conn, make(chan struct{})
	p.ping = time.AfterFunc(p.x.s.cfg.Patience.Ping, p.pings)
	go p.reads(conn)
	return replied(struct{}{})
}

// isHandshake reports whether a request that asks for a WebSocket will get one.
func isHandshake(r *http.Request) bool {
	key, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-Websocket-Key"))
	return err == nil && len(key) == 16 && r.Header.Get("Sec-Websocket-Version") == "13"
}

// reads moves messages from the client to the handler. When the handler takes
// none, nothing more is read, and the client waits.
func (p *socketPeer) reads(conn *websocket.Conn) {
	defer close(p.read)
	defer Linger(conn.NetConn())
	defer p.over()
	patience := p.x.s.cfg.Patience.Pong
	alive := func() { _ = conn.SetReadDeadline(time.Now().Add(patience)) }
	conn.SetPongHandler(func(string) error { alive(); return nil })
	rate := bucket{tokens: messageBurst, at: time.Now()}
	for {
		alive()
		kind, message, err := conn.ReadMessage()
		switch {
		case err != nil:
			return // it has left, or was told why not by the library
		case kind != websocket.TextMessage:
			p.end(websocket.CloseUnsupportedData, "messages are JSON texts")
			return
		case !json.Valid(message) || !utf8.Valid(message):
			p.end(websocket.CloseInvalidFramePayloadData, "the message is not JSON")
			return
		case !rate.take(time.Now()):
			p.end(websocket.ClosePolicyViolation, fmt.Sprintf("more than %d messages a second", messageRate))
			return
		}
		select {
		case p.inbox <- message:
		case <-p.closed:
			return
		}
	}
}

// Linger sees off a client to which the last word was said. A connection that is
// closed while something of the client's is unread is reset, and the client loses
// the close frame: so it is told that nothing more comes, and what it still sends
// is thrown away, for a while.
func Linger(conn net.Conn) {
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil || conn.SetReadDeadline(time.Now().Add(closeWait)) != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, conn, maxLinger) // that it ends is all there is to know
}

// receive waits for a message. Those that are there come before the end.
func (p *socketPeer) receive(ctx context.Context) contract.HostReply {
	message := func(m json.RawMessage) contract.HostReply {
		return replied(struct {
			Message json.RawMessage `json:"message"`
		}{m})
	}
	select {
	case m := <-p.inbox:
		return message(m)
	default:
	}
	select {
	case m := <-p.inbox:
		return message(m)
	case <-p.closed:
		select {
		case m := <-p.inbox:
			return message(m)
		default:
		}
	case <-ctx.Done(): // the run is stopped, which is no end of the conversation that its handler may take for one
		return failed(contract.Errorf(contract.InvocationCancelled, "the run was stopped"))
	}
	return replied(map[string]bool{"closed": true})
}

func (p *socketPeer) send(message json.RawMessage) contract.HostReply {
	p.write.Lock()
	defer p.write.Unlock()
	if !p.isOver() {
		conn := p.connection()
		_ = conn.SetWriteDeadline(time.Now().Add(p.x.s.cfg.Patience.Stall))
		if err := conn.WriteMessage(websocket.TextMessage, message); err != nil {
			p.over()
		}
	}
	return replied(map[string]bool{"closed": p.isOver()})
}

// close ends the conversation from the handler's side.
func (p *socketPeer) close(code int, reason string) {
	if p.connection() == nil {
		return
	}
	p.end(code, reason)
	p.over()
}

// end sends a close frame.
func (p *socketPeer) end(code int, reason string) {
	_ = p.connection().WriteControl(websocket.CloseMessage, closeMessage(code, reason), time.Now().Add(socketWrite))
}

// over notes that nothing more comes or goes. The handler learns it from its next
// call and may end by itself; after a while it is stopped.
func (p *socketPeer) over() {
	p.once.Do(func() {
		close(p.closed)
		p.late = time.AfterFunc(p.x.s.cfg.Patience.Gone, p.stop)
	})
}

func (p *socketPeer) isOver() bool {
	select {
	case <-p.closed:
		return true
	default:
		return false
	}
}

// pings finds out whether the client is there.
func (p *socketPeer) pings() {
	if p.isOver() {
		return
	}
	if p.connection().WriteControl(websocket.PingMessage, nil, time.Now().Add(socketWrite)) != nil {
		p.over()
		return
	}
	p.ping.Reset(p.x.s.cfg.Patience.Ping)
}

// finish closes what is still open when the handler has ended, and says why.
func (p *socketPeer) finish(err error) {
	conn := p.connection()
	defer func() { _ = conn.Close() }() // it was said what there is to say
	p.ping.Stop()
	if !p.isOver() {
		code, reason := closeCode(err)
		p.end(code, reason)
	}
	p.over()
	p.late.Stop()
	gone := time.NewTimer(closeWait)
	defer gone.Stop()
	select {
	case <-p.read:
	case <-gone.C:
	}
}

// closeCode is the end of a conversation by that of its handler: 4000 for an
// error that it did not catch, 1011 when its process was stopped.
func closeCode(err error) (int, string) {
	e := contract.AsError(err)
	switch {
	case err == nil:
		return websocket.CloseNormalClosure, ""
	case e == nil:
		return websocket.CloseInternalServerErr, "a fault of the platform; its log has the details"
	}
	reason := string(e.Code) + ": " + strings.TrimPrefix(e.Message, string(e.Code)+": ") // an error of ctx says it itself
	switch e.Code {
	case contract.InvocationCancelled, contract.ShuttingDown:
		return websocket.CloseGoingAway, reason
	case contract.ExecutorInternal, contract.ExecutorUnavailable, contract.PoolSaturated, contract.MemoryLimitExceeded, contract.WallTimeout:
		return websocket.CloseInternalServerErr, reason
	}
	if e.Message == "" {
		reason = handlerFailed
	}
	return closeHandler, reason
}

// closeMessage clips a reason to what a close frame holds.
func closeMessage(code int, reason string) []byte {
	for len(reason) > maxReason {
		reason = strings.ToValidUTF8(reason[:maxReason-3], "") + "…"
	}
	return websocket.FormatCloseMessage(code, reason)
}

// bucket is how many messages a client may send right now.
type bucket struct {
	tokens float64
	at     time.Time
}

func (b *bucket) take(now time.Time) bool {
	b.tokens = min(messageBurst, b.tokens+now.Sub(b.at).Seconds()*messageRate)
	b.at = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
