package httpapi

import (
	"bytes"
	"net/http"
	"time"

	"benchtop/backend/eventstream"
)

const (
	// keepAlive is how long a stream may be silent before it sends a comment.
	keepAlive = 15 * time.Second
	// frameTimeout is how long a reader may take to accept a frame.
	frameTimeout = 10 * time.Second
)

var (
	eventStream = []string{eventstream.ContentType + "; charset=utf-8"}
	noCache     = []string{"no-cache"}
	noBuffering = []string{"no"}
)

// stream writes server-sent events. It belongs to one goroutine.
type stream struct {
	c   *call
	rc  *http.ResponseController
	buf bytes.Buffer
}

// startStream sends the headers of an event stream.
func (c *call) startStream() *stream {
	h := c.w.Header()
	h["Content-Type"] = eventStream
	h["Cache-Control"] = noCache
	h["X-Accel-Buffering"] = noBuffering
	c.wrote = true
	c.w.WriteHeader(http.StatusOK)
	return &stream{c: c, rc: http.NewResponseController(c.w)}
}

// frame adds one event; id 0 is none. flush sends it.
func (s *stream) frame(id uint64, event string, data []byte) {
	s.buf.Write(eventstream.Append(s.buf.AvailableBuffer(), id, event, data))
}

// comment adds a line that readers ignore.
func (s *stream) comment(text string) {
	s.buf.WriteString(": ")
	s.buf.WriteString(text)
	s.buf.WriteString("\n\n")
}

// flush sends what was added. An error means that the reader is gone, or takes
// nothing any more.
func (s *stream) flush() error {
	// Errors are those of a writer without deadlines, as in tests.
	_ = s.rc.SetWriteDeadline(time.Now().Add(frameTimeout))
	_, err := s.c.w.Write(s.buf.Bytes())
	s.buf.Reset()
	if err == nil {
		err = s.rc.Flush()
	}
	_ = s.rc.SetWriteDeadline(time.Time{})
	return err
}
