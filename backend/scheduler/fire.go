package scheduler

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"benchtop/backend/consumers"
	"benchtop/backend/contract"
)

// fire starts what is due, each on its own: neither a slow store nor a slow
// function holds the clock up.
func (s *Scheduler) fire(ctx context.Context, due []Fire) {
	slices.SortFunc(due, func(a, b Fire) int {
		return strings.Compare(a.AgentID+"\x00"+a.EntryID, b.AgentID+"\x00"+b.EntryID)
	})
	for _, f := range due {
		free := s.enter(f.Key)
		s.runs.Go(func() {
			// A run that has begun is written down to its end.
			ctx := context.WithoutCancel(ctx)
			if !free {
				s.skip(ctx, f)
				return
			}
			_, _ = s.run(ctx, f, false) // what went wrong is in its row, its event and the log
		})
	}
}

// enter takes the one place of an entry; false while a run has it.
func (s *Scheduler) enter(k Key) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[k] {
		return false
	}
	s.busy[k] = true
	return true
}

func (s *Scheduler) leave(k Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.busy, k)
}

// skip writes down that a run was due while the one before was under way.
func (s *Scheduler) skip(ctx context.Context, f Fire) {
	run := contract.ScheduleRun{PlannedAt: f.PlannedAt, FiredAt: f.FiredAt, Outcome: contract.ScheduleSkipped}
	_, won, err := s.cfg.Store.ClaimRun(ctx, f.Key, run)
	if err != nil {
		s.failed(f, err)
	}
	if err == nil && !won {
		return // the clock was set back: this minute has had its run
	}
	s.publish(contract.EvScheduleSkipped, f, false, "the run before is still under way")
}

func (s *Scheduler) publish(name contract.EventName, f Fire, manual bool, reason string) {
	s.cfg.Publish(name, contract.ScheduleEvent{
		AgentID: f.AgentID, EntryID: f.EntryID, Function: f.Function,
		PlannedAt: f.PlannedAt, FiredAt: f.FiredAt, Manual: manual, Reason: reason,
	})
}

func (s *Scheduler) failed(f Fire, err error) {
	s.cfg.Log.Error("a run of a schedule could not be written down", "agent", f.AgentID, "schedule", f.EntryID, "planned", f.PlannedAt, "error", err)
}

// run claims the minute, runs the function and writes down how it ended. The
// entry's place has been taken. Without a claim on the disk nothing runs: after
// a crash it would run again.
func (s *Scheduler) run(ctx context.Context, f Fire, manual bool) (contract.ScheduleRun, error) {
	run := contract.ScheduleRun{PlannedAt: f.PlannedAt, FiredAt: f.FiredAt, Manual: manual, Outcome: contract.ScheduleRunning}
	id, won, err := s.cfg.Store.ClaimRun(ctx, f.Key, run)
	if err != nil || !won {
		s.leave(f.Key)
		if err != nil {
			s.failed(f, err)
			s.publish(contract.EvScheduleSkipped, f, manual, "the run could not be written down: the database is not available")
		}
		return run, err
	}
	s.remember(f.Key, run)
	s.publish(contract.EvScheduleFired, f, manual, "")
	result, err := s.call(ctx, f)
	run.Outcome, run.InvocationID = contract.ScheduleOK, result.InvocationID
	run.ErrorCode, run.ErrorMessage = result.Code, result.Message
	if err != nil {
		e := contract.AsError(err)
		if e == nil {
			s.cfg.Log.Error("a schedule could not run", "agent", f.AgentID, "schedule", f.EntryID, "error", err)
			e = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
		}
		run.ErrorCode, run.ErrorMessage = e.Code, e.Message
		s.publish(contract.EvScheduleSkipped, f, manual, e.Error())
	}
	if run.ErrorCode != "" {
		run.Outcome = contract.ScheduleFailed
	}
	s.remember(f.Key, run)
	s.leave(f.Key)
	if err := s.cfg.Store.FinishRun(ctx, id, run); err != nil {
		s.failed(f, err)
	}
	return run, nil
}

// call runs the function. A panic is the end of this run and not of the platform:
// no request handler stands behind a run that the clock began.
func (s *Scheduler) call(ctx context.Context, f Fire) (_ Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			// The value may hold anything, a secret too; a stack has addresses only.
			s.cfg.Log.Error("a run of a schedule panicked", "panic", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			err = fmt.Errorf("a panic of type %T", v)
		}
	}()
	return s.cfg.Run(ctx, f)
}

// remember keeps a run as the entry's last.
func (s *Scheduler) remember(k Key, run contract.ScheduleRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pastOf(k).Last = &run
}

// RunNow runs an entry at once, also a disabled one, and waits for its end. It
// does not take the place of the run that is due in this minute. Its function may
// be shown another time than the real one.
func (s *Scheduler) RunNow(ctx context.Context, agentID, entryID string, clock *contract.Clock) (contract.ScheduleRun, error) {
	e, ok := s.cfg.Entries.Of(agentID).Entry(contract.SkillCron, entryID)
	if !ok {
		return contract.ScheduleRun{}, contract.Errorf(contract.EntryNotFound, "cron has no entry %.64q", entryID)
	}
	now := s.cfg.Now().UTC()
	f := Fire{Key: Key{agentID, e.ID}, Function: e.Use, PlannedAt: now, FiredAt: now, Clock: clock}
	s.mu.Lock()
	ended := s.ended
	if !ended {
		s.runs.Add(1)
	}
	s.mu.Unlock()
	if ended {
		return contract.ScheduleRun{}, contract.Errorf(contract.ShuttingDown, "the platform is stopping; nothing ran")
	}
	defer s.runs.Done()
	if !s.enter(f.Key) {
		return contract.ScheduleRun{}, contract.Errorf(contract.ScheduleBusy, "a run of %.64q is under way; wait until it has ended", entryID)
	}
	return s.run(context.WithoutCancel(ctx), f, true)
}

// nextRuns is how many runs ahead a listing looks.
const nextRuns = 5

// List describes the schedules of an agent, disabled ones too.
func (s *Scheduler) List(agentID string) contract.ScheduleList {
	out := contract.ScheduleList{Schedules: []contract.Schedule{}}
	now := s.cfg.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.cfg.Entries.Of(agentID).Entries {
		if e.Schedule == nil {
			continue
		}
		k := Key{agentID, e.ID}
		row := describe(e, now)
		row.Running = s.busy[k]
		if p := s.past[k]; p != nil {
			row.LastRun, row.Missed = p.Last, p.Missed
		}
		out.Schedules = append(out.Schedules, row)
	}
	return out
}

func describe(e *consumers.Entry, now time.Time) contract.Schedule {
	row := contract.Schedule{
		EntryID: e.ID, Use: e.Use, Enabled: e.Enabled, Description: e.Description,
		Sentence: e.Schedule.Sentence(), Entry: e.JSON, Next: []time.Time{},
	}
	if e.Enabled {
		row.Next = append(row.Next, e.Schedule.NextN(now, nextRuns)...)
	}
	return row
}
