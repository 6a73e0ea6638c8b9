// Package authoring is how functions come to be: declared through the API, saved
// in the workbench, or read from a project folder (spec 4.1 rows 2 to 4,
// decisions.md 9). Every way ends in the same place: a checked manifest and a
// source that has a handler become the next version, with an audit row and an
// event. What does not load changes nothing: the version before keeps serving.
package authoring

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
	"benchtop/backend/functions"
	"benchtop/backend/schema"
)

// SurfaceDisk is the surface of what was read from a project folder; the other
// surfaces are those of the Function-Authoring-Surface header.
const SurfaceDisk = "disk"

// Checker compiles a source and looks for its handler. file is what problems
// call the source.
type Checker func(ctx context.Context, file, source, entrypoint string) (errors, warnings []contract.Problem)

// Secrets knows which bindings have a value.
type Secrets interface {
	Missing(ctx context.Context, agentID, function string, bindings []string) ([]string, error)
}

// History keeps audit rows, spec 2.3.
type History interface {
	Audit(ctx context.Context, row contract.InvocationRow) error
}

// Contents finds content items that a manifest's code refers to. An item that
// cannot be a source is a *contract.Error.
type Contents interface {
	Code(ctx context.Context, agentID, contentID string) (text string, found bool, err error)
}

// Config is what New needs. Consumers, Endpoints and Contents may be nil: there
// are none. Routes gives everything that an agent answers; Script reads the rules
// of its model again and says what is wrong with them. Both may be nil.
type Config struct {
	Functions *functions.Functions
	Agents    *agents.Agents
	Checker   Checker
	History   History
	Secrets   Secrets
	Consumers *consumers.Consumers
	Endpoints *endpoints.Endpoints
	Routes    func(agentID string) []contract.AgentRoute
	Script    func(a agents.Agent) []contract.Problem
	Contents  Contents
	Publish   func(contract.EventName, any)
	Now       func() time.Time
	Log       *slog.Logger
}

// Authoring is safe for concurrent use; changes to one agent wait for each
// other, changes to several do not.
type Authoring struct {
	cfg   Config
	mu    sync.Mutex
	desks map[string]*desk
	calls sync.Mutex // held while files of saved calls are compared and written
}

// desk is what is known about the saved functions of one agent. busy is held by
// whoever reads and changes its folder, so that a reading is never older than
// what it is compared with.
type desk struct {
	busy sync.Mutex

	mu    sync.Mutex
	saved map[string]saved
	// modules are the files of endpoints that the folder has, by path.
	modules map[string]saved
	last    []contract.Problem // of the folder, as last read
	agent   string             // hash of AGENT.md, as last read; empty before the first time
	untold  bool               // a reading found changes that no report has yet
	blank   map[string]int     // readings that found a file without text
}

// saved is the state of a function's files.
type saved struct {
	hash     string // of all that was looked at
	layout   string
	broken   bool
	errors   []contract.Problem
	warnings []contract.Problem
}

// New makes an Authoring. Now, Log and Publish have defaults that do the obvious
// or nothing.
func New(cfg Config) *Authoring {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Publish == nil {
		cfg.Publish = func(contract.EventName, any) {}
	}
	return &Authoring{cfg: cfg, desks: map[string]*desk{}}
}

func (a *Authoring) desk(agentID string) *desk {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.desks[agentID]
	if d == nil {
		d = &desk{saved: map[string]saved{}, blank: map[string]int{}}
		a.desks[agentID] = d
	}
	return d
}

// Forget drops what is known about an agent's folder, because it is closed.
func (a *Authoring) Forget(agentID string) {
	d := a.desk(agentID) // kept: somebody may hold its lock
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.saved)
	clear(d.blank)
	d.modules = nil
	d.last, d.agent, d.untold = nil, "", false
}

func (d *desk) get(name string) (saved, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.saved[name]
	return s, ok
}

func (d *desk) set(name string, s saved) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.saved[name] = s
}

func (d *desk) drop(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.saved, name)
}

func (d *desk) names() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]string, 0, len(d.saved))
	for name := range d.saved {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// checkSchema is manifest.Options.Schema by the real compiler.
func checkSchema(text []byte) (at []string, message string) {
	_, err := schema.Compile(text)
	var e *schema.Error
	if errors.As(err, &e) {
		return e.At, e.Message
	}
	return nil, ""
}

// refused turns problems into the error of a management call: the first one's
// code and message, all of them beside it (contract.md 3.4).
func refused(problems []contract.Problem) *contract.Error {
	e := contract.Errorf(problems[0].Code, "%s", problems[0].Message)
	e.Problems = problems
	return e
}
