package invocation_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

// sink keeps what it was given; hold makes it a slow reader until it is closed.
type sink struct {
	hold   chan struct{}
	called chan struct{}
	got    []string
}

func (s *sink) Events(all []contract.EmittedEvent) {
	if len(all) > 0 && s.called != nil {
		close(s.called)
		s.called = nil
		<-s.hold
	}
	for _, ev := range all {
		s.got = append(s.got, ev.Event)
	}
}

func (*sink) KeepAlive() {}

// A slow reader gets all events in order, and the run does not wait for it.
func TestStreamSlowReader(t *testing.T) {
	s := &sink{hold: make(chan struct{}), called: make(chan struct{})}
	called := s.called
	failed := errors.New("the end")
	ctx, gone := context.WithCancel(t.Context())
	_, err := invocation.Stream(ctx, func(run context.Context, req invocation.Request) (invocation.Answer, error) {
		gone() // the reader hangs up: the run is not told
		req.OnEmit(contract.EmittedEvent{Event: "0"})
		<-called // the reader has it, and is busy
		for i := 1; i < 1000; i++ {
			req.OnEmit(contract.EmittedEvent{Event: fmt.Sprint(i)})
		}
		close(s.hold)
		if run.Err() != nil {
			t.Error("the run ended with its reader")
		}
		return invocation.Answer{}, failed
	}, invocation.Request{}, s)
	if !errors.Is(err, failed) || len(s.got) != 1000 || s.got[0] != "0" || s.got[999] != "999" {
		t.Errorf("%v, %d events: %s", err, len(s.got), strings.Join(s.got, " "))
	}
}

// A panic of the run is one of the goroutine that answers for it.
func TestStreamPanics(t *testing.T) {
	defer func() {
		if v := recover(); v != "fault" {
			t.Errorf("recovered %v", v)
		}
	}()
	_, err := invocation.Stream(t.Context(), func(context.Context, invocation.Request) (invocation.Answer, error) { panic("fault") }, invocation.Request{}, &sink{})
	t.Errorf("it went on, with %v", err)
}
