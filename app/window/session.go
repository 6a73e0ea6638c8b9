package window

import (
	"context"
	"errors"
	"time"
)

// closeWithin is how long the platform may take to finish running invocations
// after the window has gone; one second more than the platform's own limit.
const closeWithin = 6 * time.Second

// session is the platform behind one window: started once, waited for by the
// page's first request, closed once.
type session struct {
	start  func(context.Context) (Served, error)
	ctx    context.Context
	cancel context.CancelFunc
	ready  chan struct{} // closed when start has returned

	served Served // read only after ready
	err    error
}

func newSession(start func(context.Context) (Served, error)) *session {
	ctx, cancel := context.WithCancel(context.Background())
	return &session{start: start, ctx: ctx, cancel: cancel, ready: make(chan struct{})}
}

// run starts the platform. It must be called exactly once.
func (s *session) run() error {
	defer close(s.ready)
	s.served, s.err = s.start(s.ctx)
	return s.err
}

// wait blocks until the platform answers, has failed to start, or ctx ends.
func (s *session) wait(ctx context.Context) (Served, error) {
	select {
	case <-s.ready:
		return s.served, s.err
	case <-ctx.Done():
		return Served{}, ctx.Err()
	}
}

// isUp says whether the platform answers by now.
func (s *session) isUp() bool {
	select {
	case <-s.ready:
		return s.err == nil
	default:
		return false
	}
}

// stop cancels a start under way, or closes the platform that is up. The
// platform's own failure to start is returned too, so that the program's exit
// code tells.
func (s *session) stop() error {
	defer s.cancel()
	select {
	case <-s.ready:
	default:
		s.cancel()
		<-s.ready
	}
	if s.err != nil {
		if errors.Is(s.err, context.Canceled) {
			return nil // the window was closed before the platform was up
		}
		return s.err
	}
	if s.served.Close == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	return s.served.Close(ctx)
}
