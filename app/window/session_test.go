package window

import (
	"context"
	"errors"
	"testing"
)

func TestStopClosesWhatWasStarted(t *testing.T) {
	closed := 0
	s := newSession(func(start context.Context) (Served, error) {
		return Served{URL: "http://127.0.0.1:1", Close: func(ctx context.Context) error {
			if _, ok := ctx.Deadline(); !ok {
				t.Error("the platform was closed without a deadline")
			}
			if start.Err() != nil {
				t.Error("what the platform was started with ended before it was closed")
			}
			closed++
			return nil
		}}, nil
	})
	if s.isUp() {
		t.Error("up before it was started")
	}
	if err := s.run(); err != nil || !s.isUp() {
		t.Fatalf("run = %v, up: %v", err, s.isUp())
	}
	if err := s.stop(); err != nil || closed != 1 {
		t.Fatalf("stop = %v, closed %d times, want nil and once", err, closed)
	}
}

func TestStopReportsWhyNothingStarted(t *testing.T) {
	s := newSession(func(context.Context) (Served, error) { return Served{}, ErrElsewhere })
	if err := s.run(); !errors.Is(err, ErrElsewhere) || s.isUp() {
		t.Fatalf("run = %v, up: %v", err, s.isUp())
	}
	if err := s.stop(); !errors.Is(err, ErrElsewhere) {
		t.Fatalf("stop = %v, want ErrElsewhere", err)
	}
}

func TestStopCancelsAStartUnderWay(t *testing.T) {
	started := make(chan struct{})
	s := newSession(func(ctx context.Context) (Served, error) {
		close(started)
		<-ctx.Done()
		return Served{}, ctx.Err()
	})
	go s.run() //nolint:errcheck // stop gives the same error
	<-started
	if err := s.stop(); err != nil {
		t.Fatalf("stop = %v: closing the window early is no failure", err)
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	s := newSession(nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.wait(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("wait = %v", err)
	}
}
