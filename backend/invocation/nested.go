package invocation

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// Nested is what a running function asks of ctx.fn.invoke. Parent is its own
// invocation; Args are undefined when nil; TimeoutMs 0 is as long as there is
// time.
type Nested struct {
	Parent         string
	Name           string
	Args           contract.RawJSON
	TimeoutMs      int
	IdempotencyKey string
}

// selfName is how a function may call itself without knowing its name.
const selfName = "self"

// nestedScope is the one scope of a nested call, contract.md 3.6.
const nestedScope = "function:nested"

// lineage is what an invocation passes on to those nested in it, frozen when it
// starts.
type lineage struct {
	id, root  string
	agentID   string
	fn        string
	rootAgent string
	billedTo  string
	payer     payer
	path      []string // names from the root's to its own
	limits    manifest.Limits
	startedBy time.Time       // no later than this
	clock     *contract.Clock // what its clock said then; nil is the real time
	// turn is taken by the nested call that runs: they are admitted one after
	// another (contract.md 3.6), so that a fan-out cannot multiply the load.
	turn chan struct{}
}

// nest is the part of a Request that only nested calls fill in.
type nest struct {
	parent    *lineage
	timeoutMs int
	// beside: the call is part of its parent's run but takes none of its time,
	// because it is not the parent that asks and waits.
	beside bool
}

// InvokeNested runs a function of the same agent for a running one and gives its
// result, nil for undefined. An error is a *contract.Error for the function that
// asked. Cancelling ctx, or the end of what runs it, cancels the nested run. The
// ctx of a host call carries the caller's wall limit as its deadline where the
// executor knows it.
func (v *Invoker) InvokeNested(ctx context.Context, n Nested) (value contract.RawJSON, replayed bool, err error) {
	parent := v.lineageOf(n.Parent)
	if parent == nil {
		return nil, false, contract.Errorf(contract.HostBridgeError, "the invocation that calls %.64q has ended", n.Name)
	}
	if err := checkKey(n.IdempotencyKey); err != nil {
		return nil, false, err
	}
	body, err := json.Marshal(map[string]contract.RawJSON{"args": orEmpty(n.Args)})
	if err != nil {
		return nil, false, contract.Errorf(contract.InvalidRequest, "fn.invoke: the arguments are not JSON")
	}
	select {
	case parent.turn <- struct{}{}:
		defer func() { <-parent.turn }()
	case <-ctx.Done():
		return nil, false, contract.Errorf(contract.InvocationCancelled, "fn.invoke: the caller ended before %.64q could start", n.Name)
	}
	answer, err := v.Invoke(ctx, Request{
		AgentID: parent.agentID, Function: v.nameFor(parent, n.Name), Skill: contract.SkillFunction, ConsumerID: parent.id,
		Body: body, IdempotencyKey: n.IdempotencyKey,
		Caller: auth.Caller{Kind: auth.KindAnonymous, Scopes: []string{nestedScope}},
		nest:   &nest{parent: parent, timeoutMs: n.TimeoutMs},
	})
	if err != nil {
		return nil, false, err
	}
	result := answer.Result
	if result == nil {
		if err := json.Unmarshal(answer.Body, &result); err != nil {
			return nil, false, err
		}
	}
	if id, ok := ctx.Value(childKey{}).(*string); ok {
		*id = result.InvocationID
	}
	if !result.OK {
		return nil, answer.Replayed, contract.Errorf(result.ErrorCode, "%s", result.ErrorMessage)
	}
	return result.Result, answer.Replayed, nil
}

// childKey is under which a recorded host call's ctx has the place for the id of
// the invocation that it leads to.
type childKey struct{}

func orEmpty(args contract.RawJSON) contract.RawJSON {
	if len(args) == 0 {
		return contract.RawJSON("{}")
	}
	return args
}

func (v *Invoker) nameFor(parent *lineage, name string) string {
	if _, taken := v.cfg.Functions.Get(parent.agentID, name); name == selfName && !taken {
		return parent.fn
	}
	return name
}

// lineageOf is nil for an invocation that does not run here.
func (v *Invoker) lineageOf(id string) *lineage {
	v.mu.Lock()
	defer v.mu.Unlock()
	if r := v.running[id]; r != nil {
		return r.lineage
	}
	return nil
}

// descend joins a call to the chain it is part of, and refuses one that is too
// deep or goes in a circle.
func (c *call) descend() error {
	c.path = []string{c.fn.Name}
	if c.req.nest == nil {
		return nil
	}
	p := c.req.nest.parent
	c.path = append(slices.Clone(p.path), c.step(p.rootAgent))
	c.row.RootInvocationID, c.row.ParentInvocationID = p.root, p.id
	c.row.BilledTo, c.row.ChainDepth = p.billedTo, len(c.path)-1
	if c.row.ChainDepth > contract.MaxChainDepth {
		return contract.Errorf(contract.FnChainTooDeep, "%s would be nested %d deep; %d is allowed (%s)",
			c.fn.Name, c.row.ChainDepth, contract.MaxChainDepth, strings.Join(c.path, " -> "))
	}
	if slices.Contains(p.path, c.step(p.rootAgent)) && !c.fn.Manifest.Permissions.SelfRecursion {
		return contract.Errorf(contract.FnCycleDetected, "%s is running already in this chain (%s); "+
			`to let it, set "selfRecursion": true in its permissions`, c.fn.Name, strings.Join(c.path, " -> "))
	}
	return nil
}

// budget gives a nested call what is left of its caller's time, less what the
// caller needs to go on.
func (v *Invoker) budget(ctx context.Context, c *call) error {
	if c.req.nest == nil || c.req.nest.beside {
		return nil
	}
	p := c.req.nest.parent
	deadline, known := ctx.Deadline()
	if !known {
		deadline = p.startedBy.Add(time.Duration(p.limits.WallMs) * time.Millisecond)
	}
	left := int(deadline.Sub(v.cfg.Now()).Milliseconds())
	if left <= contract.ChainReserveMs {
		return contract.Errorf(contract.FnQuotaExhausted, "%s cannot start: %d ms are left of its caller's time, and %d of them are the caller's own",
			c.fn.Name, max(0, left), contract.ChainReserveMs)
	}
	c.limits.WallMs = min(c.limits.WallMs, left-contract.ChainReserveMs)
	if t := c.req.nest.timeoutMs; t > 0 {
		c.limits.WallMs = min(c.limits.WallMs, t)
	}
	c.limits.CPUMs = min(c.limits.CPUMs, p.limits.CPUMs)
	return nil
}

// lineage is what the call passes on.
func (v *Invoker) lineage(c *call) *lineage {
	rootAgent := c.agent.ID
	if c.req.nest != nil {
		rootAgent = c.req.nest.parent.rootAgent
	}
	now := v.cfg.Now()
	return &lineage{
		fn: c.fn.Name, rootAgent: rootAgent,
		id: c.row.ID, root: c.row.RootInvocationID, agentID: c.agent.ID, billedTo: c.row.BilledTo, payer: c.payer, path: c.path,
		limits: c.limits, startedBy: now, clock: c.clockAt(now), turn: make(chan struct{}, 1),
	}
}

// clockAt is where the call's own clock begins when it begins now: with what it
// was asked for, else with what the clock of its caller says by then.
func (c *call) clockAt(now time.Time) *contract.Clock {
	if c.req.nest == nil {
		return c.req.Clock
	}
	p := c.req.nest.parent
	return p.clock.After(now.Sub(p.startedBy))
}

// whyCancelled says in a person's words what ended a run from outside.
func whyCancelled(cause error) string {
	if errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) {
		return "the invocation that called it has ended"
	}
	return cause.Error()
}
