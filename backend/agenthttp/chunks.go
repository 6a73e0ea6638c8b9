package agenthttp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/eventstream"
)

// httpPeer is the client of a handler that answers chunk by chunk, spec 4.5.6.
// Nothing is sent before the first chunk is there, so that what fails until then
// has its own status.
type httpPeer struct {
	x     *exchange
	out   *http.ResponseController
	model *modelCalls
	stop  func() // ends the run of a handler that goes on without a client

	mu     sync.Mutex // held while a chunk is written: a slow reader makes its handler wait
	begun  bool
	events bool // it is an event stream
	quiet  *time.Timer

	state sync.Mutex
	gone  bool
	late  *time.Timer
}

// chunk is what a handler yields.
type chunk struct {
	Text *string          `json:"text"`
	B64  *string          `json:"b64"`
	JSON contract.RawJSON `json:"json"`
}

// Call answers stream.open, stream.send and the calls to the model.
func (p *httpPeer) Call(ctx context.Context, method string, args contract.RawJSON) contract.HostReply {
	switch method {
	case "stream.open":
		var head returned
		if err := json.Unmarshal(args, &head); err != nil {
			return failed(contract.Errorf(contract.InvalidRequest, "the head of the answer does not parse"))
		}
		return p.open(head)
	case "stream.send":
		var c chunk
		if err := json.Unmarshal(args, &c); err != nil {
			return failed(contract.Errorf(contract.InvalidRequest, "a chunk does not parse"))
		}
		return p.send(c)
	}
	return p.model.call(ctx, method, args)
}

// open sends the headers: those that the handler gave its Response, else the
// spec's.
func (p *httpPeer) open(head returned) contract.HostReply {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun {
		return failed(contract.Errorf(contract.InvalidRequest, "the answer has begun already"))
	}
	r := response{status: http.StatusOK, header: http.Header{}}
	if status, ok := statusOf(head.Status); ok {
		r.status = status
	}
	head.Body, head.BodyB64 = contract.RawJSON("null"), nil
	if _, err := p.x.fill(&r, &head); err != nil {
		return failed(err)
	}
	if len(head.Headers) == 0 {
		r.header.Del("Content-Type")
	}
	if err := p.x.begins(r.header); err != nil {
		return failed(err)
	}
	h := p.x.w.Header()
	for name, values := range r.header {
		h[name] = values
	}
	given := r.header.Get("Content-Type")
	if given == "" || given == jsonType && !declares(head, "content-type") {
		if given = p.x.own.ContentType; given == "" {
			given = eventstream.ContentType
		}
		h.Set("Content-Type", given)
	}
	if t, _, err := mime.ParseMediaType(given); err == nil && t == eventstream.ContentType {
		p.events = true
		for name, value := range map[string]string{"Cache-Control": "no-cache", "Connection": "keep-alive", "X-Accel-Buffering": "no"} {
			if h.Get(name) == "" {
				h.Set(name, value)
			}
		}
	}
	p.begun = true
	p.x.w.WriteHeader(r.status)
	p.flush()
	if p.events {
		p.quiet = time.AfterFunc(p.x.s.cfg.Patience.Quiet, p.comment)
	}
	if p.x.r.Method == http.MethodHead {
		p.leave()
	}
	return replied(struct{}{})
}

// declares reports whether a handler's headers have a name.
func declares(r returned, name string) bool {
	for k := range r.Headers {
		if strings.EqualFold(k, name) {
			return true
		}
	}
	return false
}

// send writes a chunk and answers when it has left.
func (p *httpPeer) send(c chunk) contract.HostReply {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.begun {
		return failed(contract.Errorf(contract.InvalidRequest, "the answer has not begun"))
	}
	b, err := p.frame(c)
	if err != nil {
		return failed(err)
	}
	if !p.left() {
		p.write(b)
	}
	return replied(map[string]bool{"closed": p.left()})
}

// frame makes bytes of a chunk. In an event stream each is a frame: a text that
// is one already passes as it is, an object with a type names the event.
func (p *httpPeer) frame(c chunk) ([]byte, *contract.Error) {
	switch {
	case c.B64 != nil:
		b, err := base64.StdEncoding.DecodeString(*c.B64)
		if err != nil {
			return nil, contract.Errorf(contract.InvalidRequest, "a chunk is no base64")
		}
		return b, nil
	case c.Text != nil && (!p.events || framed(*c.Text)):
		return []byte(*c.Text), nil
	case c.Text != nil:
		return eventstream.Append(nil, 0, "", []byte(*c.Text)), nil
	case !p.events:
		return c.JSON, nil
	}
	var typed struct {
		Type json.RawMessage `json:"type"`
	}
	var name string
	if bytes.HasPrefix(c.JSON, []byte("{")) && json.Unmarshal(c.JSON, &typed) == nil {
		_ = json.Unmarshal(typed.Type, &name) // a type that is no text names no event
	}
	return eventstream.Append(nil, 0, name, c.JSON), nil
}

// framed reports whether a text is one or more frames of an event stream.
func framed(text string) bool {
	if !strings.HasSuffix(text, "\n\n") && !strings.HasSuffix(text, "\r\n\r\n") {
		return false
	}
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if strings.HasPrefix(text, field) {
			return true
		}
	}
	return false
}

// write sends bytes. A reader that takes nothing for too long is gone.
func (p *httpPeer) write(b []byte) {
	_ = p.out.SetWriteDeadline(time.Now().Add(p.x.s.cfg.Patience.Stall))
	if _, err := p.x.w.Write(b); err != nil {
		p.leave()
		return
	}
	p.flush()
	if p.quiet != nil {
		p.quiet.Reset(p.x.s.cfg.Patience.Quiet)
	}
}

func (p *httpPeer) flush() {
	if p.out.Flush() != nil {
		p.leave()
	}
	_ = p.out.SetWriteDeadline(time.Time{})
}

// comment keeps a silent stream alive, and finds out that its reader has gone.
func (p *httpPeer) comment() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet != nil && !p.left() {
		p.write([]byte(": keep-alive\n\n"))
	}
}

// leave notes that the client is gone. The handler learns it with its next chunk
// and may end by itself; after a while it is stopped.
func (p *httpPeer) leave() {
	p.state.Lock()
	defer p.state.Unlock()
	p.gone = true
	if p.late == nil {
		p.late = time.AfterFunc(p.x.s.cfg.Patience.Gone, func() {
			if p.x.own.Streams() || p.opened() {
				p.stop()
			}
		})
	}
}

func (p *httpPeer) left() bool {
	p.state.Lock()
	defer p.state.Unlock()
	return p.gone
}

func (p *httpPeer) opened() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.begun
}

// end finishes a stream and reports whether there was one. What failed after the
// headers is told in a last frame; a body of another kind is cut off, so that its
// reader does not take it for whole.
func (p *httpPeer) end(err error) bool {
	p.state.Lock()
	if p.late != nil {
		p.late.Stop()
	}
	p.state.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet != nil {
		p.quiet.Stop()
		p.quiet = nil
	}
	if !p.begun {
		return false
	}
	if err == nil || p.left() {
		return true
	}
	e := contract.AsError(err)
	if e == nil {
		p.x.s.cfg.Log.Error("a stream of an agent failed", "agent", p.x.agent.Username, "endpoint", p.x.own.ID, "error", err)
		e = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
	}
	if !p.events {
		panic(http.ErrAbortHandler)
	}
	p.write(eventstream.Append(nil, 0, "error", errorJSON(e)))
	return true
}
