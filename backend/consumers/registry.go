package consumers

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"benchtop/backend/contract"
)

// Config is what New needs. Log may be nil.
type Config struct {
	Store Store
	Log   *slog.Logger
}

// Consumers serves the entries from memory. Readers never wait: what they see is
// swapped whole once a change is on the disk.
type Consumers struct {
	cfg     Config
	current atomic.Pointer[map[string]*Set] // by agent id
	change  sync.Mutex
}

// New loads all entries. One that today's rules refuse is left out, and the log
// says so.
func New(ctx context.Context, cfg Config) (*Consumers, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	stored, err := cfg.Store.ListConsumers(ctx)
	if err != nil {
		return nil, fmt.Errorf("load consumers: %w", err)
	}
	raws := map[string][]Raw{}
	for _, s := range stored {
		raws[s.AgentID] = append(raws[s.AgentID], Raw{Skill: s.Skill, JSON: s.JSON, Path: "skills." + s.Skill + "." + s.EntryID})
	}
	sets := map[string]*Set{}
	for agentID, list := range raws {
		entries, errors, _ := Check(list, func(string) bool { return true })
		for _, p := range errors {
			cfg.Log.Error("a stored consumer is left out", "agent", agentID, "entry", p.Path, "problem", p.Message)
		}
		sets[agentID] = newSet(entries)
	}
	c := &Consumers{cfg: cfg}
	c.current.Store(&sets)
	return c, nil
}

// Of gives the entries of an agent; never nil.
func (c *Consumers) Of(agentID string) *Set {
	if s := (*c.current.Load())[agentID]; s != nil {
		return s
	}
	return nothing
}

// Agents are the ids of the agents that have entries, sorted.
func (c *Consumers) Agents() []string { return slices.Sorted(maps.Keys(*c.current.Load())) }

// Replace makes checked entries the only ones of an agent. Changed is false when
// it has exactly these; nothing is written then.
func (c *Consumers) Replace(ctx context.Context, agentID string, entries []*Entry) (changed bool, err error) {
	c.change.Lock()
	defer c.change.Unlock()
	if slices.EqualFunc(c.Of(agentID).Entries, entries, same) {
		return false, nil
	}
	stored := make([]Stored, len(entries))
	for i, e := range entries {
		stored[i] = Stored{AgentID: agentID, Position: i, Skill: e.Skill, EntryID: e.ID, JSON: e.JSON}
	}
	if err := c.cfg.Store.ReplaceConsumers(ctx, agentID, stored); err != nil {
		return false, err
	}
	c.put(agentID, entries)
	return true, nil
}

func same(a, b *Entry) bool { return a.Skill == b.Skill && string(a.JSON) == string(b.JSON) }

// Forget drops the entries of an agent that was deleted; the store drops its own
// with the agent.
func (c *Consumers) Forget(agentID string) {
	c.change.Lock()
	defer c.change.Unlock()
	c.put(agentID, nil)
}

func (c *Consumers) put(agentID string, entries []*Entry) {
	next := maps.Clone(*c.current.Load())
	if len(entries) == 0 {
		delete(next, agentID)
	} else {
		next[agentID] = newSet(entries)
	}
	c.current.Store(&next)
}

// Detach takes away every entry of a function and says which.
func (c *Consumers) Detach(ctx context.Context, agentID, function string) ([]contract.Detached, error) {
	detached := []contract.Detached{}
	var kept []*Entry
	for _, e := range c.Of(agentID).Entries {
		if e.Use == function {
			detached = append(detached, contract.Detached{Skill: e.Skill, EntryID: e.ID})
		} else {
			kept = append(kept, e)
		}
	}
	if len(detached) == 0 {
		return detached, nil
	}
	_, err := c.Replace(ctx, agentID, kept)
	return detached, err
}
