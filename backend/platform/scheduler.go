package platform

import (
	"context"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/scheduler"
)

// openScheduler loads what has fired. It starts to fire once the folders are
// open, so that it sees what they say now.
func (p *Platform) openScheduler(ctx context.Context, cons *consumers.Consumers) (err error) {
	p.scheduler, err = scheduler.New(ctx, scheduler.Config{
		Entries: cons, Store: p.db, Run: p.scheduled, Publish: p.bus.Publish,
		Now: time.Now, After: scheduler.Timer, Log: p.cfg.Log,
	})
	return err
}

// scheduled runs a function for its schedule: nobody calls it.
func (p *Platform) scheduled(ctx context.Context, f scheduler.Fire) (scheduler.Result, error) {
	a, err := p.invoker.Invoke(ctx, invocation.Request{
		AgentID: f.AgentID, Function: f.Function, Skill: contract.SkillCron, ConsumerID: f.EntryID,
		Caller:   auth.Caller{Kind: auth.KindAnonymous},
		Schedule: &invocation.ScheduledRun{PlannedAt: f.PlannedAt, FiredAt: f.FiredAt},
		Clock:    f.Clock,
	})
	if err != nil {
		return scheduler.Result{}, err
	}
	r := a.Result
	return scheduler.Result{InvocationID: r.InvocationID, Code: r.ErrorCode, Message: r.ErrorMessage}, nil
}
