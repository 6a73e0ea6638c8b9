package agenthttp

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/eventstream"
	"benchtop/backend/invocation"
)

// frameTimeout is how long a reader may take to accept a frame.
const frameTimeout = 10 * time.Second

// stream answers with the function's events as they happen and ends with "event:
// result", whose data is the function's result (decisions.md 12). What fails
// before the first event is an ordinary answer; so is an event stream that the
// function made itself.
func (x *exchange) stream(req invocation.Request, shaped *response) error {
	out := &eventWriter{w: x.w, rc: http.NewResponseController(x.w)}
	answer, err := invocation.Stream(x.r.Context(), x.s.cfg.Invoker.Invoke, req, out)
	return x.endStream(out, answer, err, *shaped)
}

func (x *exchange) endStream(out *eventWriter, a invocation.Answer, err error, shaped response) error {
	if err == nil {
		err = outcomeOf(a)
	}
	if !out.begun && (err != nil || strings.HasPrefix(shaped.header.Get("Content-Type"), eventstream.ContentType)) {
		if err == nil {
			receipt(shaped.header, a.Receipt)
			shaped.send(x.w)
		}
		return err
	}
	if err != nil {
		e := contract.AsError(err)
		if e == nil {
			x.s.cfg.Log.Error("a streamed request to an agent failed", "agent", x.agent.Username, "error", err)
			e = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
		}
		out.last(errorJSON(e))
		return nil
	}
	result := []byte(a.Result.Result)
	if len(result) == 0 {
		result = []byte("null")
	}
	out.last(result)
	return nil
}

// eventWriter opens the stream with its first frame. A reader that is gone is not
// written to again; the run goes on without it.
type eventWriter struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	buf   bytes.Buffer
	begun bool
	gone  bool
}

// Events implements invocation.EventSink.
func (o *eventWriter) Events(all []contract.EmittedEvent) {
	for _, ev := range all {
		data := []byte(ev.Payload)
		if len(data) == 0 {
			data = []byte("null")
		}
		o.frame(ev.Event, data)
	}
	o.flush()
}

func (o *eventWriter) last(result []byte) {
	o.frame("result", result)
	o.flush()
}

// KeepAlive implements invocation.EventSink.
func (o *eventWriter) KeepAlive() {
	o.buf.WriteString(": keep-alive\n\n")
	o.flush()
}

func (o *eventWriter) frame(event string, data []byte) {
	o.buf.Write(eventstream.Append(o.buf.AvailableBuffer(), 0, event, data))
}

func (o *eventWriter) flush() {
	if o.buf.Len() == 0 || o.gone {
		o.buf.Reset()
		return
	}
	if !o.begun {
		o.begun = true
		h := o.w.Header()
		h.Set("Content-Type", eventstream.ContentType+"; charset=utf-8")
		h.Set("Cache-Control", "no-cache")
		h.Set("X-Accel-Buffering", "no")
		o.w.WriteHeader(http.StatusOK)
	}
	// Errors of deadlines are those of a writer without them, as in tests.
	_ = o.rc.SetWriteDeadline(time.Now().Add(frameTimeout))
	_, err := o.w.Write(o.buf.Bytes())
	o.buf.Reset()
	if err == nil {
		err = o.rc.Flush()
	}
	o.gone = err != nil
	_ = o.rc.SetWriteDeadline(time.Time{})
}
