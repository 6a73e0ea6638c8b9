package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/contract"
)

// Config is what New needs. Now and NewID have the obvious defaults.
type Config struct {
	Store Store
	Now   func() time.Time
	NewID func() string
}

// Agents serves the agents from memory; changes are on the disk before they
// are seen.
type Agents struct {
	cfg    Config
	change sync.Mutex // held by one change from check to store

	mu         sync.RWMutex
	byID       map[string]Agent
	byUsername map[string]string // id
}

// New loads all agents.
func New(ctx context.Context, cfg Config) (*Agents, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.NewID == nil {
		cfg.NewID = uuid.NewString
	}
	stored, err := cfg.Store.ListAgents(ctx)
	if err != nil {
		return nil, fmt.Errorf("load agents: %w", err)
	}
	as := &Agents{cfg: cfg, byID: map[string]Agent{}, byUsername: map[string]string{}}
	for _, a := range stored {
		if a.Settings.Model.Kind == "" { // of before there were settings
			if s, err := RequestedSettings(contract.CreateAgentRequest{Model: a.Model}); err == nil {
				a.Settings.Model = s.Model
			}
		}
		a.Settings = normal(a.Settings)
		as.byID[a.ID], as.byUsername[a.Username] = a, a.ID
	}
	return as, nil
}

// Resolve finds an agent by id or username.
func (as *Agents) Resolve(idOrUsername string) (Agent, bool) {
	as.mu.RLock()
	defer as.mu.RUnlock()
	if a, ok := as.byID[idOrUsername]; ok {
		return a, true
	}
	if id, ok := as.byUsername[idOrUsername]; ok {
		return as.byID[id], true
	}
	return Agent{}, false
}

// List gives all agents, the oldest first.
func (as *Agents) List() []Agent {
	as.mu.RLock()
	all := make([]Agent, 0, len(as.byID))
	for _, a := range as.byID {
		all = append(all, a)
	}
	as.mu.RUnlock()
	slices.SortFunc(all, func(x, y Agent) int {
		if c := x.CreatedAt.Compare(y.CreatedAt); c != 0 {
			return c
		}
		return strings.Compare(x.ID, y.ID)
	})
	return all
}

// Create adds an agent. It sets ID, CreatedAt, and Username from the name when
// empty.
func (as *Agents) Create(ctx context.Context, a Agent) (Agent, error) {
	as.change.Lock()
	defer as.change.Unlock()
	a.ID = as.cfg.NewID()
	a.CreatedAt = as.cfg.Now().UTC().Truncate(time.Microsecond)
	a, err := as.checked(a)
	if err != nil {
		return Agent{}, err
	}
	if err := as.cfg.Store.InsertAgent(ctx, a); err != nil {
		return Agent{}, err
	}
	as.put(a, "")
	return a, nil
}

// Update changes everything of an agent but ID and CreatedAt.
func (as *Agents) Update(ctx context.Context, a Agent) (Agent, error) {
	as.change.Lock()
	defer as.change.Unlock()
	as.mu.RLock()
	old, ok := as.byID[a.ID]
	as.mu.RUnlock()
	if !ok {
		return Agent{}, contract.Errorf(contract.AgentNotFound, "no agent has the id %q", a.ID)
	}
	a.CreatedAt = old.CreatedAt
	a, err := as.checked(a)
	if err != nil {
		return Agent{}, err
	}
	if err := as.cfg.Store.UpdateAgent(ctx, a); err != nil {
		return Agent{}, err
	}
	as.put(a, old.Username)
	return a, nil
}

// Delete removes an agent and what it owned, but not its history. Deleting one
// that is not there is no error.
func (as *Agents) Delete(ctx context.Context, id string) error {
	as.change.Lock()
	defer as.change.Unlock()
	if err := as.cfg.Store.DeleteAgent(ctx, id); err != nil {
		return err
	}
	as.mu.Lock()
	defer as.mu.Unlock()
	delete(as.byUsername, as.byID[id].Username)
	delete(as.byID, id)
	return nil
}

// checked gives the agent with its name and username in order.
func (as *Agents) checked(a Agent) (Agent, error) {
	a.Name = strings.TrimSpace(a.Name)
	a.Settings = normal(a.Settings)
	if a.Name == "" {
		a.Name = a.Username
	}
	if a.Name == "" {
		return a, contract.Errorf(contract.InvalidRequest, "an agent needs a name")
	}
	if a.Username == "" {
		a.Username = Slug(a.Name)
		if err := CheckUsername(a.Username); err != nil {
			return a, contract.Errorf(contract.InvalidUsername,
				"no username can be made of the name %q: give one (%s)", a.Name, contract.AsError(err).Message)
		}
	}
	if err := CheckUsername(a.Username); err != nil {
		return a, err
	}
	other, taken := as.Resolve(a.Username)
	if !taken || other.ID == a.ID {
		return a, nil
	}
	switch {
	case other.Folder != "" && a.Folder != "":
		return a, contract.Errorf(contract.UsernameTaken, "the username %q of %s is taken by the agent in %s: "+
			"change the name in one of the two AGENT.md files", a.Username, a.Folder, other.Folder)
	case other.Folder != "":
		return a, contract.Errorf(contract.UsernameTaken, "the username %q is taken by the agent in %s", a.Username, other.Folder)
	default:
		return a, contract.Errorf(contract.UsernameTaken, "the username %q is taken by the agent %q", a.Username, other.Name)
	}
}

func (as *Agents) put(a Agent, oldUsername string) {
	as.mu.Lock()
	defer as.mu.Unlock()
	if oldUsername != a.Username {
		delete(as.byUsername, oldUsername)
	}
	as.byID[a.ID], as.byUsername[a.Username] = a, a.ID
}
