package model

import (
	"testing"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

type report struct {
	run    BackgroundRun
	chatID string
	result TurnResult
	err    error
}

func reporting(w *world) (<-chan report, *time.Time) {
	reports, now := make(chan report, 8), time.Unix(1700000000, 0)
	w.cfg.Report = func(b BackgroundRun, id string, r TurnResult, err error) { reports <- report{b, id, r, err} }
	w.cfg.Now = func() time.Time { return now }
	return reports, &now
}

func TestBackground(t *testing.T) {
	w := newWorld(t, mia())
	reports, now := reporting(w)
	run := BackgroundRun{Agent: w.agents["mia"], Prompt: `/tool add {"a": 1, "b": 2}`, Function: "nudge", InvocationID: "i"}
	a, err := w.Background(t.Context(), run)
	if err != nil || !a.OK || a.ChatID == "" || a.Skipped {
		t.Fatalf("%+v %v", a, err)
	}
	r := <-reports
	if r.err != nil || r.chatID != a.ChatID || r.run.Function != "nudge" || r.result.Message.Text() != `{"sum":3,"list":[{"n":1}]}` {
		t.Errorf("%+v", r)
	}
	if c := w.calls[0].Caller; c.Kind != auth.KindAgent || c.AgentID != "id-mia" {
		t.Errorf("its tools are called by %+v", c)
	}
	*now = now.Add(cooldown - 90*time.Second - time.Millisecond)
	if a, err = w.Background(t.Context(), run); err != nil || a != (BackgroundAnswer{Skipped: true, Reason: SkippedCooldown, RetryInSec: 91}) {
		t.Errorf("%+v %v", a, err)
	}
	*now = now.Add(91 * time.Second)
	if a, err = w.Background(t.Context(), run); err != nil || !a.OK {
		t.Errorf("after the cooldown: %+v %v", a, err)
	}
	<-reports
	w.price["mia"] = true
	*now = now.Add(time.Hour)
	if a, err = w.Background(t.Context(), run); err != nil || a != (BackgroundAnswer{Skipped: true, Reason: SkippedBalance}) {
		t.Errorf("%+v %v", a, err)
	}
}

// Closing ends what runs, and it is told.
func TestBackgroundCloses(t *testing.T) {
	w := newWorld(t, mia())
	reports, _ := reporting(w)
	if _, err := w.Background(t.Context(), BackgroundRun{Agent: w.agents["mia"], Prompt: "/tool slow"}); err != nil {
		t.Fatal(err)
	}
	<-w.started
	waiting := make(chan error, 1)
	go func() {
		_, err := w.Turn(t.Context(), w.ask(t, "mia", "/tool slow"), nil)
		waiting <- err
	}()
	<-w.started
	w.Close()
	if err := <-waiting; codeOf(err) != contract.ShuttingDown {
		t.Errorf("a turn that somebody waits for: %v", err)
	}
	if r := <-reports; codeOf(r.err) != contract.ShuttingDown {
		t.Errorf("%+v", r)
	}
	close(w.release)
	if _, err := w.Background(t.Context(), BackgroundRun{Agent: w.agents["mia"], Prompt: "hello"}); codeOf(err) != contract.ShuttingDown {
		t.Error(err)
	}
}
