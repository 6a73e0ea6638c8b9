package model

import (
	"context"
	"sync"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

const (
	// cooldown is how long an agent waits between two runs in the background, as
	// on the hosted platform.
	cooldown = 15 * time.Minute
	// longestRun ends one that does not end.
	longestRun = 10 * time.Minute
)

// Why a run in the background did not start.
const (
	SkippedCooldown = "cooldown"
	SkippedBalance  = "insufficient_balance"
)

// BackgroundRun is a turn that nobody waits for. Function and InvocationID are
// what asked for it.
type BackgroundRun struct {
	Agent        agents.Agent
	Prompt       string
	Function     string
	InvocationID string
}

// BackgroundAnswer says whether it was started: a ChatID, or why not and, for a
// cooldown, in how many seconds it would be.
type BackgroundAnswer struct {
	OK         bool   `json:"ok,omitempty"`
	ChatID     string `json:"chatId,omitempty"`
	Skipped    bool   `json:"skipped,omitempty"`
	Reason     string `json:"reason,omitempty"`
	RetryInSec int    `json:"retryInSec,omitempty"`
}

// background are the runs under way and the last start by agent.
type background struct {
	mu     sync.Mutex
	last   map[string]time.Time
	ctx    context.Context
	end    context.CancelFunc
	closed bool
	under  sync.WaitGroup
}

// Background starts a turn of the agent's model on a prompt of the agent's own
// code (contract.md 2.9) and hands its end to Config.Report. Its tools are called
// in the agent's name: whoever made the code run is not trusted with more.
func (m *Model) Background(ctx context.Context, b BackgroundRun) (BackgroundAnswer, error) {
	req := TurnRequest{
		Agent: b.Agent, Messages: []Message{TextMessage(RoleUser, b.Prompt)}, inside: true,
		Caller: auth.Caller{Kind: auth.KindAgent, AgentID: b.Agent.ID},
	}
	if m.cfg.Payments != nil && contract.AsError(m.cfg.Payments.Require(ctx, b.Agent, req.Caller, nil)) != nil {
		return BackgroundAnswer{Skipped: true, Reason: SkippedBalance}, nil
	}
	g := &m.background
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return BackgroundAnswer{}, contract.Errorf(contract.ShuttingDown, "the platform is stopping; nothing ran")
	}
	if last, ok := g.last[b.Agent.ID]; ok {
		if wait := cooldown - m.cfg.Now().Sub(last); wait > 0 {
			return BackgroundAnswer{Skipped: true, Reason: SkippedCooldown, RetryInSec: int((wait + time.Second - 1) / time.Second)}, nil
		}
	}
	g.last[b.Agent.ID] = m.cfg.Now()
	id := "chat_" + m.cfg.NewID()
	g.under.Go(func() {
		run, done := context.WithTimeout(context.WithoutCancel(ctx), longestRun)
		defer done()
		result, err := m.Turn(run, req, nil)
		if m.cfg.Report != nil {
			m.cfg.Report(b, id, result, err)
		}
	})
	return BackgroundAnswer{OK: true, ChatID: id}, nil
}

// Close ends all turns, and waits for the reports of those in the background.
func (m *Model) Close() {
	g := &m.background
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.end()
	g.under.Wait()
}
