package functions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// Config is what New needs. Now and NewID have the obvious defaults.
type Config struct {
	Store Store
	Now   func() time.Time
	NewID func() string
}

// Functions serves the declared functions from memory. Readers never wait:
// what they see is swapped whole once a change is on the disk.
type Functions struct {
	cfg     Config
	current atomic.Pointer[snapshot]
	change  sync.Mutex // held by one change from version number to swap
}

// New loads every function that serves.
func New(ctx context.Context, cfg Config) (*Functions, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.NewID == nil {
		cfg.NewID = uuid.NewString
	}
	stored, err := cfg.Store.CurrentFunctions(ctx)
	if err != nil {
		return nil, fmt.Errorf("load functions: %w", err)
	}
	byAgent := map[string]map[string]*Function{}
	for i := range stored {
		f := &stored[i]
		if byAgent[f.AgentID] == nil {
			byAgent[f.AgentID] = map[string]*Function{}
		}
		byAgent[f.AgentID][f.Name] = f
	}
	s := snapshot{}
	for agentID, byName := range byAgent {
		s[agentID] = newAgentFunctions(byName)
	}
	fs := &Functions{cfg: cfg}
	fs.current.Store(&s)
	return fs, nil
}

func (fs *Functions) of(agentID string) *agentFunctions { return (*fs.current.Load())[agentID] }

// Get gives the serving version. The function is shared: it must not be changed.
func (fs *Functions) Get(agentID, name string) (*Function, bool) {
	a := fs.of(agentID)
	if a == nil {
		return nil, false
	}
	f, ok := a.byName[name]
	return f, ok
}

// List gives the agent's serving functions by name. The slice is shared: it
// must not be changed.
func (fs *Functions) List(agentID string) []*Function {
	if a := fs.of(agentID); a != nil {
		return a.list
	}
	return nil
}

// Names gives the names of List, sorted; shared like it.
func (fs *Functions) Names(agentID string) []string {
	if a := fs.of(agentID); a != nil {
		return a.names
	}
	return nil
}

// Put stores f as the next version of its name and lets it serve. It assigns
// Version, SourceSHA256, CreatedAt, and ContentID: that of the version before
// when the source is the same, a new one otherwise, unless f brings its own.
func (fs *Functions) Put(ctx context.Context, f Function) (*Function, error) {
	fs.change.Lock()
	defer fs.change.Unlock()
	last, err := fs.cfg.Store.LastVersion(ctx, f.AgentID, f.Name)
	if err != nil {
		return nil, err
	}
	f.Version = last + 1
	sum := sha256.Sum256([]byte(f.Source))
	f.SourceSHA256 = hex.EncodeToString(sum[:])
	f.CreatedAt = fs.cfg.Now().UTC().Truncate(time.Microsecond)
	if f.ContentID == "" {
		if old, ok := fs.Get(f.AgentID, f.Name); ok && old.SourceSHA256 == f.SourceSHA256 {
			f.ContentID = old.ContentID
		} else {
			f.ContentID = fs.cfg.NewID()
		}
	}
	if err := fs.cfg.Store.PutFunction(ctx, f); err != nil {
		return nil, err
	}
	fs.swap(f.AgentID, f.Name, &f)
	return &f, nil
}

// Remove ends a function and gives what served last; nil, nil when there was
// none. Its versions stay, and their numbers are not used again.
func (fs *Functions) Remove(ctx context.Context, agentID, name string) (*Function, error) {
	fs.change.Lock()
	defer fs.change.Unlock()
	old, ok := fs.Get(agentID, name)
	if !ok {
		return nil, nil
	}
	if _, err := fs.cfg.Store.RemoveFunction(ctx, agentID, name); err != nil {
		return nil, err
	}
	fs.swap(agentID, name, nil)
	return old, nil
}

// Version gives a past or the current version, nil when there is none.
func (fs *Functions) Version(ctx context.Context, agentID, name string, v int) (*Function, error) {
	if f, ok := fs.Get(agentID, name); ok && f.Version == v {
		return f, nil
	}
	return fs.cfg.Store.FunctionVersion(ctx, agentID, name, v)
}

// ByContent gives a version whose source is the content item of that id, nil
// when there is none. Versions stay when a function is removed, and so do these.
func (fs *Functions) ByContent(ctx context.Context, agentID, contentID string) (*Function, error) {
	return fs.cfg.Store.FunctionByContent(ctx, agentID, contentID)
}

// Versions gives all versions a name ever had, the newest first.
func (fs *Functions) Versions(ctx context.Context, agentID, name string) ([]VersionInfo, error) {
	return fs.cfg.Store.FunctionVersions(ctx, agentID, name)
}

// Forget stops serving the functions of an agent that was deleted.
func (fs *Functions) Forget(agentID string) {
	fs.change.Lock()
	defer fs.change.Unlock()
	next := maps.Clone(*fs.current.Load())
	delete(next, agentID)
	fs.current.Store(&next)
}

func (fs *Functions) swap(agentID, name string, f *Function) {
	next := fs.current.Load().with(agentID, name, f)
	fs.current.Store(&next)
}
