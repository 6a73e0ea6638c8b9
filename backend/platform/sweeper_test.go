package platform

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"
)

// The sweeper sweeps at the start and when it is asked to, goes on after a
// failure, and has ended when stop returns.
func TestSweeper(t *testing.T) {
	s := &sweeper{again: make(chan struct{}, 1), log: slog.New(slog.DiscardHandler)}
	swept, fail := make(chan bool), errors.New("disk full")
	s.start(func(ctx context.Context) (int, error) {
		select {
		case swept <- true:
			return 0, fail
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	})
	<-swept
	for range 3 {
		s.nudge()
		<-swept
	}
	s.nudge() // it may be sweeping when it is stopped
	s.stop()
	select {
	case <-swept:
		t.Error("it sweeps after stop")
	case <-s.done:
	}
}

// A smaller limit takes effect at once.
func TestRetentionFollowsTheSettings(t *testing.T) {
	st := openStage(t)
	st.send(scenario{Call: "POST /api/agents/mia/functions", As: "owner", Body: map[string]any{
		"name": "f", "manifest": map[string]any{"runtime": "js-v1"}, "source": "export default () => 1",
	}})
	for range 130 {
		if status, body, _ := st.send(scenario{Call: "POST /api/agents/mia/functions/f/invoke", As: "owner"}); status != 200 {
			t.Fatal(status, body)
		}
	}
	if status, body, _ := st.send(scenario{Call: "PUT /api/local/settings", As: "owner", Body: map[string]any{"historyRows": 100}}); status != 200 {
		t.Fatal(status, body)
	}
	deadline := time.Now().Add(30 * time.Second)
	for n := 0; n != 101; { // a hundred runs and the declaration
		status, body, _ := st.send(scenario{Call: "GET /api/local/invocations?limit=200", As: "owner"})
		list, _ := at(body, "invocations").([]any)
		if n = len(list); status != 200 || n < 101 || time.Now().After(deadline) {
			t.Fatalf("%d rows left: %d", n, status)
		}
	}
}
