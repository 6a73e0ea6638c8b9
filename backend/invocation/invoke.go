package invocation

import (
	"context"
	"encoding/json"
	"errors"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/manifest"
)

var (
	errCancelled = errors.New("its owner ended it")
	errShutdown  = errors.New("the platform is stopping")
)

// call is one invocation on its way through the pipeline.
type call struct {
	req    Request
	agent  agents.Agent
	fn     *functions.Function
	kind   string
	manual manualBody
	http   *HTTPCall // of kindHTTP
	limits manifest.Limits
	row    contract.InvocationRow
	path   []string // names of the chain, this function's last
	rec    *recorder
	job    Job
	clock  *contract.Clock // nil for the real time
	ran    bool            // the executor was given the job
	payer  payer
	bill   *bill           // nil for what is free
	unpaid *contract.Error // the work is done, and could not be charged

	receipt *Receipt // of a token that paid
}

// Invoke runs a function once. An error says that nothing ran, or that what ran
// could not be recorded. What went wrong inside the function is in the Answer,
// with status 200 and ok false (contract.md 3.3).
//
//	resolve -> replay -> admit -> hold -> pin -> run -> shape -> settle -> record -> publish
func (v *Invoker) Invoke(ctx context.Context, req Request) (Answer, error) {
	c, err := v.resolve(req)
	if err != nil {
		return Answer{}, err
	}
	return v.replay(ctx, c, func() (Answer, error) {
		if err := v.admit(ctx, c); err != nil {
			return Answer{}, err
		}
		runCtx, leave, err := v.enter(ctx, c)
		if err != nil {
			return Answer{}, err
		}
		defer leave()
		if err := v.hold(runCtx, c); err != nil {
			return Answer{}, err
		}
		if err := v.pin(runCtx, c); err != nil {
			_ = v.giveBack(runCtx, c) // else it goes back when its lock expires
			return Answer{}, err
		}
		defer c.rec.host.Close()
		outcome := v.run(runCtx, c)
		c.shape(&outcome)
		ctx := context.WithoutCancel(ctx)
		v.settle(ctx, c, &outcome)
		result, err := v.record(ctx, c, outcome)
		if err != nil {
			return Answer{}, err
		}
		v.cfg.Publish(contract.EvInvocationFinished, c.row)
		a, err := answer(outcome, result)
		a.Unpaid, a.Receipt = c.unpaid, c.receipt
		return a, err
	})
}

// resolve finds agent and function, and what kind of call this is.
func (v *Invoker) resolve(req Request) (*call, error) {
	agent, ok := v.cfg.Agents.Resolve(req.AgentID)
	if !ok {
		return nil, contract.Errorf(contract.AgentNotFound, "no agent has the id or username %.64q", req.AgentID)
	}
	fn, ok := v.cfg.Functions.Get(agent.ID, req.Function)
	if req.Endpoint != nil {
		fn, ok = req.Endpoint.Handler, true
	}
	if !ok {
		return nil, contract.Errorf(contract.FnNotFound, "agent %s has no function %.64q", agent.Username, req.Function)
	}
	c := &call{req: req, agent: agent, fn: fn, limits: fn.Manifest.Limits.Effective(), payer: payerOf(req)}
	if req.WallMs > 0 {
		c.limits.WallMs = min(c.limits.WallMs, req.WallMs)
	}
	if err := v.judge(c); err != nil {
		return nil, err
	}
	id := v.cfg.NewID()
	c.row = contract.InvocationRow{
		ID: id, InvocationID: id, RootInvocationID: id,
		AgentID: agent.ID, FunctionName: fn.Name, FunctionVersion: fn.Version,
		SourceSkill: req.Skill, ConsumerID: req.ConsumerID, BilledTo: req.Caller.UserID,
		CallerUserID: req.Caller.UserID, CallerAgentID: req.Caller.AgentID,
		IdempotencyKey: req.IdempotencyKey, CostNanocents: "0",
	}
	return c, c.descend()
}

// admit refuses what must not run: arguments that do not fit, a nested call for
// which no time is left.
func (v *Invoker) admit(ctx context.Context, c *call) error {
	if err := v.budget(ctx, c); err != nil {
		return err
	}
	if c.kind != kindTool {
		return nil
	}
	problems, err := v.fits(c)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		e := contract.Errorf(contract.ParametersInvalid, "the arguments do not fit the parameters of %s: %s", c.fn.Name, problems[0].Message)
		e.Problems = problems
		return e
	}
	return nil
}

// pin freezes what the invocation may do and see.
func (v *Invoker) pin(ctx context.Context, c *call) error {
	now := v.cfg.Now()
	c.clock = c.clockAt(now)
	begins := now
	if c.clock != nil {
		begins = c.clock.Start
	}
	context, err := c.context(begins, v.presented(ctx, c))
	if err != nil {
		return err
	}
	p := c.fn.Manifest.Permissions
	c.job = Job{
		InvocationID: c.row.ID, AgentID: c.agent.ID, Function: c.fn.Name,
		Source:     Source{Name: c.fn.File, Text: c.fn.Source, SHA256: c.fn.SourceSHA256},
		Entrypoint: c.fn.Manifest.Entrypoint, Permissions: p, Limits: c.limits,
		Context: context, Siblings: v.cfg.Functions.Names(c.agent.ID),
		Depth: c.row.ChainDepth,
		Seed:  v.cfg.NewSeed(), ClockStartMs: begins.UnixMilli(),
		Endpoint: c.req.Endpoint.kind(), Shared: c.req.Endpoint.lasts(),
	}
	host := v.cfg.OpenHost(Pins{
		AgentID: c.agent.ID, Function: c.fn.Name, InvocationID: c.row.ID,
		ConsumerID: c.req.ConsumerID, BilledTo: c.row.BilledTo, Permissions: p, VisitorID: c.req.Caller.UserID,
		IngressBytes: c.limits.IngressBytes, Parent: c.row.ParentInvocationID, Depth: c.row.ChainDepth,
	})
	if hide := c.credentials(); len(hide) > 0 {
		host.HideTokens(hide)
	}
	c.rec = newRecorder(v, c, host, now)
	return nil
}

// run hands the job to the executor.
func (v *Invoker) run(ctx context.Context, c *call) Outcome {
	c.row = v.cfg.History.Begin(c.row)
	v.cfg.Publish(contract.EvInvocationStarted, c.row)
	c.ran = true
	outcome := v.cfg.Executor.Run(ctx, c.job, c.rec)
	if outcome.Code == contract.InvocationCancelled {
		outcome.Message = "the invocation was cancelled"
		if cause := context.Cause(ctx); cause != nil {
			outcome.Message += ": " + whyCancelled(cause)
		}
	}
	return outcome
}

// shape lets the consumer judge the result.
func (c *call) shape(o *Outcome) {
	if o.Code != "" || c.req.Shape == nil {
		return
	}
	warnings, failed := c.req.Shape(o.Value)
	for _, text := range warnings {
		c.rec.Log(o.DurationUs, contract.LogLine{Level: "warn", Message: text, TS: c.job.ClockStartMs + o.DurationUs/1000})
	}
	if failed != nil {
		o.Value, o.Code, o.Message = nil, failed.Code, failed.Message
	}
}

// settle writes down what the invocation used, and has it paid for.
func (v *Invoker) settle(ctx context.Context, c *call, o *Outcome) {
	c.row.DurationMs = float64(o.DurationUs) / 1000
	c.row.CPUMs = float64(o.CPUUs) / 1000
	m := c.rec.host.Meters()
	o.IngressBytes = max(o.IngressBytes, m.IngressBytes) // a worker that was killed has told nothing
	c.row.IngressBytes, c.row.EgressBytes = o.IngressBytes, o.EgressBytes
	c.row.HostCalls, c.row.KVPutBytes, c.row.ContentWrites = m.HostCalls, m.KVPutBytes, m.ContentWrites
	v.charge(ctx, c, o)
	v.openLocks(ctx, c, o)
}

// record stores the row before the answer leaves, with everything redacted, and
// gives the result for the caller.
func (v *Invoker) record(ctx context.Context, c *call, o Outcome) (contract.InvokeResult, error) {
	c.row.FinishedAt = contract.FormatTime(v.cfg.Now())
	c.row.Status = contract.StatusOK
	message := o.Message
	if o.Code != "" {
		c.row.Status = contract.StatusError
		if o.Code == contract.InvocationCancelled {
			c.row.Status = contract.StatusCancelled
		}
		message = c.rec.host.Redact(message)
		c.row.ErrorCode, c.row.ErrorMessage = o.Code, message
	}
	logs, detail := c.rec.finish(o)
	if err := v.cfg.History.Finish(ctx, c.row, detail); err != nil {
		return contract.InvokeResult{}, err
	}
	return contract.InvokeResult{
		InvocationID: c.row.ID, OK: o.Code == "", Result: o.Value,
		ErrorCode: o.Code, ErrorMessage: message, ErrorAt: o.At, RetryAfterSec: o.RetryAfterSec,
		DurationMs: c.row.DurationMs, CPUMs: c.row.CPUMs,
		IngressBytes: o.IngressBytes, EgressBytes: o.EgressBytes,
		CostNanocents: c.row.CostNanocents, Logs: logs, Version: c.fn.Version,
	}, nil
}

// answer gives the status of a manual invoke, contract.md 3.3: whatever happened
// inside the function is 200. Some codes say that nothing ran; they only do when
// the executor gave them, for a function ends with any code that it throws, that
// of a nested call it did not catch among them.
func answer(o Outcome, result contract.InvokeResult) (Answer, error) {
	status := 200
	switch o.Code {
	case contract.PoolSaturated, contract.CPUPressure, contract.ExecutorUnavailable:
		if o.DurationUs == 0 {
			status = o.Code.Status()
		}
	}
	body, err := json.Marshal(result)
	return Answer{Status: status, Body: body, Result: &result, RetryAfterSec: result.RetryAfterSec}, err
}
