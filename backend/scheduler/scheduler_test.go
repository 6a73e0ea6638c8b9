package scheduler

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"benchtop/backend/contract"
)

const everyMinute = `{"id":"m","cron":"* * * * *","use":"f"}`

func (w *world) minutes(id string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, m := range w.fired[Key{"a", id}] {
		all = append(all, m.Format("15:04"))
	}
	return strings.Join(all, " ")
}

func (w *world) happened(prefix string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, e := range w.events {
		if strings.HasPrefix(e, prefix) {
			all = append(all, e)
		}
	}
	return strings.Join(all, "; ")
}

func TestGaps(t *testing.T) {
	for _, tt := range []struct {
		name    string
		moments []string
		fired   string
		missed  string
	}{
		{"no gap", []string{"2026-03-01 10:01:00", "2026-03-01 10:02:00"}, "10:01 10:02", ""},
		{"looked at twice", []string{"2026-03-01 10:01:00", "2026-03-01 10:01:15", "2026-03-01 10:01:59"}, "10:01", ""},
		{"a late timer", []string{"2026-03-01 10:01:59", "2026-03-01 10:02:00"}, "10:01 10:02", ""},
		{"slept", []string{"2026-03-01 10:01:00", "2026-03-01 13:00:40", "2026-03-01 13:01:05"}, "10:01 13:00 13:01",
			"schedule.missed m 178 01T10:02-01T12:59"},
		{"slept a minute", []string{"2026-03-01 10:02:10"}, "10:02", "schedule.missed m 1 01T10:01-01T10:01"},
		{"slept twice", []string{"2026-03-01 10:03:00", "2026-03-01 10:04:00", "2026-03-01 10:06:00"}, "10:03 10:04 10:06",
			"schedule.missed m 2 01T10:01-01T10:02; schedule.missed m 1 01T10:05-01T10:05"},
		{"set back", []string{"2026-03-01 10:01:00", "2026-03-01 10:02:00", "2026-03-01 10:01:30", "2026-03-01 10:02:00", "2026-03-01 10:03:00"},
			"10:01 10:02 10:03", ""},
		{"set back further than it ran", []string{"2026-03-01 10:01:00", "2026-03-01 09:58:30", "2026-03-01 09:59:00"}, "10:01 09:58 09:59", ""},
		{"a wrong year and back", []string{"2026-03-01 10:01:00", "2046-03-01 10:00:00", "2026-03-01 10:02:10", "2026-03-01 10:03:00"},
			"10:01 10:00 10:02 10:03", "schedule.missed m 10000 01T10:02-08T08:41"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, "2026-03-01 10:00:20")
			w.set(everyMinute)
			w.open()
			w.steps(tt.moments...)
			if got := w.minutes("m"); got != tt.fired {
				t.Errorf("fired %s, want %s", got, tt.fired)
			}
			if got := w.happened("schedule.missed"); got != tt.missed {
				t.Errorf("missed %q, want %q", got, tt.missed)
			}
		})
	}
}

// A minute that begins while the one before is dealt with is not found a quarter
// of a minute late.
func TestMinuteBeginsMeanwhile(t *testing.T) {
	w := newWorld(t, "2026-03-01 10:00:59")
	w.set(everyMinute)
	w.open()
	w.slow = func() { w.move(moment("2026-03-01 10:02:00")) }
	w.steps("2026-03-01 10:01:59", "2026-03-01 10:02:01")
	if got := w.minutes("m"); got != "10:01 10:02" {
		t.Errorf("fired %s", got)
	}
	if len(w.waits) < 2 || w.waits[1] != 0 {
		t.Errorf("waited %v", w.waits)
	}
}

// What came due while the platform was off is reported when it is back; the
// minute in which it comes back still fires, once.
func TestRestart(t *testing.T) {
	w := newWorld(t, "2026-03-01 10:00:20")
	w.set(everyMinute, `{"id":"daily","cron":"30 10 * * *","use":"f"}`, `{"id":"off","cron":"* * * * *","use":"f","enabled":false}`)
	w.open()
	w.steps("2026-03-01 10:01:00")
	w.open()
	w.steps("2026-03-01 10:01:20", "2026-03-01 10:02:00")
	if got := w.minutes("m"); got != "10:01 10:02" {
		t.Errorf("a restart within a minute: fired %s", got)
	}
	w.move(moment("2026-03-01 11:00:30"))
	w.open()
	w.steps("2026-03-01 11:00:45")
	if got := w.minutes("m"); got != "10:01 10:02 11:00" {
		t.Errorf("fired %s", got)
	}
	missed := strings.Split(w.happened("schedule.missed"), "; ")
	slices.Sort(missed)
	if got := strings.Join(missed, "; "); got != "schedule.missed daily 1 01T10:30-01T10:30; schedule.missed m 57 01T10:03-01T10:59" {
		t.Errorf("missed %s", got)
	}
	w.open()
	for _, s := range w.s.List("a").Schedules {
		if (s.Missed != nil) != (s.EntryID != "off") {
			t.Errorf("after another restart %s missed %+v", s.EntryID, s.Missed)
		}
	}
}

// Entries that appear, change, are switched off and disappear count from then on.
func TestEntriesChange(t *testing.T) {
	w := newWorld(t, "2026-03-01 10:00:20")
	w.open()
	step := 0
	change := []func(){
		func() { w.set(everyMinute) },
		func() { w.set(everyMinute, `{"id":"n","cron":"* * * * *","use":"g"}`) },
		func() {
			w.set(`{"id":"m","cron":"* * * * *","use":"f","enabled":false}`, `{"id":"n","cron":"* * * * *","use":"h"}`)
		},
		func() { w.set(`{"id":"n","cron":"5 10 * * *","use":"h"}`) },
		func() { w.set(`{"id":"n","cron":"5 10 * * *","use":"h","description":"d"}`) },
		func() { w.set() },
		func() {},
	}
	w.play(func() bool {
		w.s.Wait()
		if step == len(change) {
			return false
		}
		change[step]()
		step++
		w.move(moment(fmt.Sprintf("2026-03-01 10:%02d:01", step)))
		return true
	})
	if m, n := w.minutes("m"), w.minutes("n"); m != "10:01 10:02" || n != "10:02 10:03 10:05" {
		t.Errorf("m fired %s, n fired %s", m, n)
	}
	if !w.seen.IsZero() {
		t.Errorf("without entries %v is still noted", w.seen)
	}
}

// A run that is still under way keeps the next one of its entry from firing, and
// no other entry's.
func TestNeverTwoAtOnce(t *testing.T) {
	w := newWorld(t, "2026-03-01 10:00:20")
	w.set(everyMinute, `{"id":"n","cron":"* * * * *","use":"quick"}`)
	began, end, quick := make(chan bool), make(chan bool), make(chan bool)
	w.run = func(f Fire) (Result, error) {
		if f.Function == "quick" {
			return Result{InvocationID: "quick"}, nil
		}
		began <- true
		<-end
		return Result{Code: contract.WallTimeout, Message: "too slow"}, nil
	}
	w.finished = func(run contract.ScheduleRun) {
		if run.InvocationID == "quick" {
			quick <- true
		}
	}
	w.open()
	minute := 0
	w.play(func() bool {
		switch minute {
		case 0:
		case 1:
			<-began
			<-quick
			if _, err := w.s.RunNow(t.Context(), "a", "m", nil); contract.AsError(err) == nil || contract.AsError(err).Code != contract.ScheduleBusy {
				t.Errorf("a run beside one: %v", err)
			}
			if rows := w.s.List("a").Schedules; !rows[0].Running || rows[0].LastRun.Outcome != contract.ScheduleRunning {
				t.Errorf("while it runs: %+v", rows[0])
			}
		case 2:
			<-quick
		case 3:
			<-quick
			end <- true
			w.s.Wait()
		case 4:
			<-began
			<-quick
			end <- true
			w.s.Wait()
			return false
		}
		minute++
		w.move(moment(fmt.Sprintf("2026-03-01 10:%02d:00", minute)))
		return true
	})
	if got := w.minutes("m"); got != "10:01 10:04" {
		t.Errorf("fired %s", got)
	}
	if got := w.minutes("n"); got != "10:01 10:02 10:03 10:04" {
		t.Errorf("the other fired %s", got)
	}
	const why = "the run before is still under way"
	if got := w.happened("schedule.skipped"); got != "schedule.skipped m 10:02 "+why+"; schedule.skipped m 10:03 "+why {
		t.Errorf("skipped %s", got)
	}
	last := w.s.List("a").Schedules[0].LastRun
	if last == nil || last.Outcome != contract.ScheduleFailed || last.ErrorCode != contract.WallTimeout || !last.PlannedAt.Equal(moment("2026-03-01 10:04:00")) {
		t.Errorf("last run %+v", last)
	}
}

func TestWhatCannotRun(t *testing.T) {
	w := newWorld(t, "2026-03-01 10:00:20")
	w.set(everyMinute)
	w.run = func(Fire) (Result, error) { return Result{}, contract.Errorf(contract.FnNotFound, "no f") }
	w.open()
	w.steps("2026-03-01 10:01:00")
	if got := w.happened("schedule.skipped"); got != "schedule.skipped m 10:01 FN_NOT_FOUND: no f" {
		t.Errorf("events %s", got)
	}
	if run := w.finish[1]; run.Outcome != contract.ScheduleFailed || run.ErrorCode != contract.FnNotFound {
		t.Errorf("run %+v", run)
	}
	w.fail = errors.New("disk full")
	w.open()
	w.steps("2026-03-01 10:02:00")
	if got := w.minutes("m"); got != "10:01" {
		t.Errorf("without a claim on the disk it fired: %s", got)
	}
	if got := w.happened("schedule.skipped m 10:02"); !strings.Contains(got, "database") {
		t.Errorf("events %s", got)
	}
}

// A run that trips the platform up ends with an error, and the clock goes on.
func TestRunThatPanics(t *testing.T) {
	w := newWorld(t, "2026-03-01 10:00:20")
	w.set(everyMinute)
	w.run = func(Fire) (Result, error) { panic("a fault of the platform") }
	w.open()
	w.steps("2026-03-01 10:01:00", "2026-03-01 10:02:00")
	if run := w.finish[2]; run.Outcome != contract.ScheduleFailed || run.ErrorCode != contract.Internal {
		t.Errorf("run %+v", run)
	}
}

func TestRunNow(t *testing.T) {
	w := newWorld(t, "2026-03-01 10:00:20")
	w.set(everyMinute, `{"id":"off","cron":"0 3 * * *","use":"g","enabled":false}`)
	w.open()
	run, err := w.s.RunNow(t.Context(), "a", "off", nil)
	if err != nil || !run.Manual || run.Outcome != contract.ScheduleOK || run.InvocationID != "inv" || !run.PlannedAt.Equal(w.clock()) {
		t.Errorf("%+v %v", run, err)
	}
	w.move(moment("2026-03-01 10:01:00"))
	if _, err := w.s.RunNow(t.Context(), "a", "m", nil); err != nil {
		t.Error(err)
	}
	w.steps()
	if got := w.minutes("m"); got != "10:01 10:01" {
		t.Errorf("a run by hand takes the place of the one that is due: %s", got)
	}
	for id, code := range map[string]contract.Code{"nobody": contract.EntryNotFound, "m": contract.ShuttingDown} {
		if _, err := w.s.RunNow(t.Context(), "a", id, nil); contract.AsError(err) == nil || contract.AsError(err).Code != code {
			t.Errorf("%s: %v, want %s", id, err, code)
		}
	}
}

func TestList(t *testing.T) {
	w := newWorld(t, "2026-03-28 10:00:20")
	w.set(`{"id":"off","cron":"0 3 * * *","use":"g","enabled":false}`,
		`{"id":"d","schedule":{"frequency":"daily","preferredTime":"02:30","timeZone":"Europe/Berlin"},"use":"f","description":"Nightly"}`)
	rows := w.open().List("a").Schedules
	if len(rows) != 2 || rows[0].EntryID != "off" || rows[0].Enabled || len(rows[0].Next) != 0 || rows[0].Next == nil {
		t.Fatalf("%+v", rows)
	}
	var next []string
	for _, at := range rows[1].Next {
		next = append(next, at.Format("02T15:04"))
	}
	if got := strings.Join(next, " "); got != "29T01:30 30T00:30 31T00:30 01T00:30 02T00:30" {
		t.Errorf("next %s", got)
	}
	if rows[1].Sentence != "At 02:30 every day Europe/Berlin" || rows[1].Description != "Nightly" || rows[1].LastRun != nil || rows[1].Missed != nil {
		t.Errorf("%+v", rows[1])
	}
	if none := w.s.List("nobody").Schedules; none == nil || len(none) != 0 {
		t.Errorf("of nobody: %v", none)
	}
}

// However the clock moves and whenever the scheduler starts again, a minute
// fires once at most, what is neither fired nor missed was not due, and going on
// minute by minute fires every one.
func TestClockProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, "2026-03-28 22:30:20")
		every := rapid.IntRange(1, 9).Draw(rt, "every")
		w.set(fmt.Sprintf(`{"id":"m","cron":"*/%d * * * *","use":"f"}`, every))
		jumps := rapid.SliceOfN(rapid.SampledFrom([]int{5, 20, 59, 60, 60, 60, 61, 121, 600, 7200, 100_000, -30, -3600}), 1, 40).Draw(rt, "jumps")
		again := rapid.SliceOfN(rapid.Bool(), len(jumps), len(jumps)).Draw(rt, "again")
		w.open()
		top, covered := w.clock(), 0
		begin := w.clock()
		for i, jump := range jumps {
			if again[i] {
				w.open()
			}
			to := w.clock().Add(time.Duration(jump) * time.Second)
			w.s = w.reopenIfStopped()
			w.steps(to.Format("2006-01-02 15:04:05"))
			if to.After(top) {
				top = to
			}
		}
		fired := map[time.Time]bool{}
		for _, m := range w.fired[Key{"a", "m"}] {
			if fired[m] {
				rt.Fatalf("%s fired twice (%v)", m, jumps)
			}
			fired[m] = true
			if m.Minute()%every != 0 || m.Second() != 0 {
				rt.Fatalf("%s was not due", m)
			}
			if m.After(begin) {
				covered++
			}
		}
		due := 0
		for m := begin.Truncate(time.Minute).Add(time.Minute); !m.After(top); m = m.Add(time.Minute) {
			if m.Minute()%every == 0 {
				due++
			}
		}
		if slices.Min(jumps) >= 0 && covered+w.missed() != due {
			rt.Fatalf("%d fired and %d missed of %d that were due (%v)", covered, w.missed(), due, jumps)
		}
	})
}

func (w *world) missed() (n int) {
	for _, e := range w.events {
		var count int
		if _, err := fmt.Sscanf(e, "schedule.missed m %d", &count); err == nil {
			n += count
		}
	}
	return n
}

// reopenIfStopped gives a scheduler that can be started: steps stops the one it
// ran.
func (w *world) reopenIfStopped() *Scheduler {
	select {
	case <-w.s.done:
		return w.open()
	default:
		return w.s
	}
}
