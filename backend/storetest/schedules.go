package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/scheduler"
)

// A minute of an entry is claimed once, also by many at once and after a
// restart; what was running then is interrupted.
func testSchedules(t *testing.T, s Stores) {
	minute := time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC)
	k := scheduler.Key{AgentID: "a", EntryID: "nightly"}
	run := contract.ScheduleRun{PlannedAt: minute, FiredAt: minute.Add(1500 * time.Microsecond), Outcome: contract.ScheduleRunning}
	if past, seen, err := s.Schedules.LoadSchedules(ctx); len(past) != 0 || !seen.IsZero() || err != nil {
		t.Fatalf("a new database: %+v %v %v", past, seen, err)
	}
	won := make(chan int64, 8)
	for range cap(won) {
		go func() {
			id, ok, err := s.Schedules.ClaimRun(ctx, k, run)
			if err != nil || ok != (id != 0) {
				t.Errorf("claim: %d %v %v", id, ok, err)
			}
			won <- id
		}()
	}
	var first int64
	for range cap(won) {
		id := <-won
		if id != 0 && first != 0 {
			t.Error("a minute was claimed twice")
		}
		first = max(first, id)
	}
	manual := run
	manual.Manual = true
	for _, other := range []struct {
		k   scheduler.Key
		run contract.ScheduleRun
	}{{k, manual}, {scheduler.Key{AgentID: "b", EntryID: "nightly"}, run}, {scheduler.Key{AgentID: "a", EntryID: "other"}, run}} {
		id, ok, err := s.Schedules.ClaimRun(ctx, other.k, other.run)
		if err != nil || !ok {
			t.Fatalf("claim of %+v: %v %v", other, ok, err)
		}
		other.run.Outcome, other.run.InvocationID = contract.ScheduleFailed, "inv"
		other.run.ErrorCode, other.run.ErrorMessage = contract.WallTimeout, "ü"
		if other.k.EntryID != "other" {
			must(t, s.Schedules.FinishRun(ctx, id, other.run))
		}
	}
	misses := contract.ScheduleMisses{Count: 3, More: true, From: minute, To: minute.Add(time.Hour), NotedAt: minute.Add(2 * time.Hour)}
	must(t, s.Schedules.NoteMissed(ctx, k, contract.ScheduleMisses{Count: 1, From: minute, To: minute, NotedAt: minute}))
	must(t, s.Schedules.NoteMissed(ctx, k, misses))
	must(t, s.Schedules.SeenMinute(ctx, minute))

	s = s.Reopen(t)
	if _, ok, err := s.Schedules.ClaimRun(ctx, k, run); ok || err != nil {
		t.Errorf("claimed again after a restart: %v %v", ok, err)
	}
	past, seen, err := s.Schedules.LoadSchedules(ctx)
	must(t, err)
	got := map[string]scheduler.Past{}
	for _, p := range past {
		got[p.AgentID+"/"+p.EntryID] = p
	}
	if len(past) != 3 || !seen.Equal(minute) {
		t.Fatalf("%+v %v", past, seen)
	}
	if p := got["a/nightly"]; !reflect.DeepEqual(p.Missed, &misses) || !p.Last.Manual || p.Last.ErrorMessage != "ü" || !p.Last.FiredAt.Equal(run.FiredAt) {
		t.Errorf("nightly %+v %+v", p.Last, p.Missed)
	}
	if p := got["a/other"]; p.Last.Outcome != contract.ScheduleInterrupted || p.Missed != nil {
		t.Errorf("other %+v %+v", p.Last, p.Missed)
	}
	must(t, s.Schedules.SeenMinute(ctx, time.Time{}))
	if _, seen, err := s.Schedules.LoadSchedules(ctx); !seen.IsZero() || err != nil {
		t.Errorf("a forgotten minute: %v %v", seen, err)
	}
	// Old runs go; those of the last day stay.
	for i := 1; i <= 1600; i++ {
		r := contract.ScheduleRun{PlannedAt: minute.Add(time.Duration(i) * time.Minute), FiredAt: minute, Outcome: contract.ScheduleSkipped}
		if _, ok, err := s.Schedules.ClaimRun(ctx, k, r); !ok || err != nil {
			t.Fatal(fmt.Sprint(i, ok, err))
		}
	}
	for back, want := range map[int]bool{0: false, 1439: false, 1600: true} {
		r := contract.ScheduleRun{PlannedAt: minute.Add(time.Duration(1600-back) * time.Minute), FiredAt: minute, Outcome: contract.ScheduleSkipped}
		if _, ok, err := s.Schedules.ClaimRun(ctx, k, r); ok != want || err != nil {
			t.Errorf("the minute %d runs ago: %v %v", back, ok, err)
		}
	}
}
