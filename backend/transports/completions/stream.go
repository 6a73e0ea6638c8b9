package completions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/model"
	"benchtop/backend/transports/answer"
)

const (
	// keepAlive is how long a stream may be silent before it sends a comment.
	keepAlive = 15 * time.Second
	// frameTimeout is how long a reader may take to accept a frame.
	frameTimeout = 30 * time.Second
)

// end is how a turn ended.
type end struct {
	result   model.TurnResult
	err      error
	panicked any
}

// stream answers with the chunks of a turn as they come. The model waits for the
// reader: nothing is kept for one who is slow. What fails before the first chunk
// is an ordinary answer with its status; later it is a last frame with the error,
// and no [DONE] follows.
func (cfg Config) stream(w http.ResponseWriter, r *http.Request, turn model.TurnRequest, chunks *model.Chunks) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	coming := make(chan model.Chunk)
	done := make(chan end, 1)
	go func() {
		e := end{}
		defer func() {
			e.panicked = recover()
			done <- e
		}()
		e.result, e.err = cfg.Model.Turn(ctx, turn, func(c model.Chunk) error {
			select {
			case coming <- c:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	out := &frames{w: w, rc: http.NewResponseController(w)}
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for {
		var err error
		select {
		case c := <-coming:
			err = out.all(chunks.Of(c))
			tick.Reset(keepAlive)
		case <-tick.C:
			err = out.comment()
		case e := <-done:
			if e.panicked != nil {
				panic(e.panicked) // in the goroutine that answers for it
			}
			cfg.end(out, turn, chunks, e)
			return
		}
		if err != nil { // the reader has gone: the model is told, and waited for
			cancel()
			if e := <-done; e.panicked != nil {
				panic(e.panicked)
			}
			return
		}
	}
}

func (cfg Config) end(out *frames, turn model.TurnRequest, chunks *model.Chunks, e end) {
	switch {
	case e.err == nil:
		_ = errors.Join(out.all(chunks.End(e.result)), out.frame([]byte("[DONE]")), out.flush()) // the last there is
	case !out.begun:
		cfg.fail(out.w, turn.Agent, e.err)
	default:
		if contract.AsError(e.err) == nil {
			cfg.Log.Error("a streamed completion failed", "agent", turn.Agent.Username, "error", e.err)
		}
		_ = errors.Join(out.json(answer.FailureOf(e.err)), out.flush())
	}
}

// frames writes server-sent events; the headers go with the first one.
type frames struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	buf   bytes.Buffer
	begun bool
}

func (f *frames) all(list []model.CompletionChunk) error {
	for _, c := range list {
		if err := f.json(c); err != nil {
			return err
		}
	}
	return f.flush()
}

func (f *frames) json(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return f.frame(b)
}

func (f *frames) frame(data []byte) error {
	f.buf.WriteString("data: ")
	f.buf.Write(data)
	f.buf.WriteString("\n\n")
	return nil
}

// comment keeps the connection open; before the first chunk it would settle the
// status, so there is none then.
func (f *frames) comment() error {
	if !f.begun {
		return nil
	}
	f.buf.WriteString(": keep-alive\n\n")
	return f.flush()
}

func (f *frames) flush() error {
	if f.buf.Len() == 0 {
		return nil
	}
	if !f.begun {
		f.begun = true
		h := f.w.Header()
		h.Set("Content-Type", "text/event-stream; charset=utf-8")
		h.Set("Cache-Control", "no-cache")
		h.Set("X-Accel-Buffering", "no")
		f.w.WriteHeader(http.StatusOK)
	}
	// Errors of deadlines are those of a writer without them, as in tests.
	_ = f.rc.SetWriteDeadline(time.Now().Add(frameTimeout))
	defer func() { _ = f.rc.SetWriteDeadline(time.Time{}) }()
	_, err := f.w.Write(f.buf.Bytes())
	f.buf.Reset()
	if err != nil {
		return err
	}
	return f.rc.Flush()
}
