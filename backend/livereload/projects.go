// Package livereload keeps open project folders and what serves in step: it
// watches folders, waits until writing has stopped, and has the folder read
// again (decisions.md 8, 9). It is the only package that imports fsnotify.
package livereload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
	"benchtop/backend/samples"
)

// Defaults of a Config.
const (
	debounce = 30 * time.Millisecond
	maxWait  = 250 * time.Millisecond
	poll     = time.Second
)

// Loader reads a folder and lets what loads serve.
type Loader interface {
	Reload(ctx context.Context, agentID string) (project.Report, error)
	// Forget drops what is known of a folder that is closed.
	Forget(agentID string)
}

// Config is what New needs. Home is where samples are created. The durations,
// the hooks, Now, Log and Publish may be left out.
type Config struct {
	Agents   *agents.Agents
	Loader   Loader
	Store    project.Store
	Home     string
	Publish  func(contract.EventName, any)
	Now      func() time.Time
	Log      *slog.Logger
	Debounce time.Duration // how long a folder is quiet before it is read
	MaxWait  time.Duration // read at the latest this long after the first change
	Poll     time.Duration // how often a folder is read that cannot be watched
	// Reloaded is told of every reading after it has taken effect.
	Reloaded func(Reading)
	// Watch adds a folder to a watcher.
	Watch func(w *fsnotify.Watcher, dir string) error
}

// Reading is one reading of a folder. Took is from its start to the new versions
// serving.
type Reading struct {
	AgentID string
	Report  project.Report
	Err     error
	Took    time.Duration
}

// Projects are the open folders. It is safe for concurrent use.
type Projects struct {
	cfg    Config
	ctx    context.Context
	cancel context.CancelFunc

	changing sync.Mutex // held by Open, Create, Close

	mu   sync.Mutex
	open map[string]*watched // by agent id
}

// New opens nothing yet; Start does.
func New(cfg Config) (*Projects, error) {
	if cfg.Agents == nil || cfg.Loader == nil || cfg.Store == nil {
		return nil, errors.New("livereload: Agents, Loader and Store are needed")
	}
	cfg.Debounce = cmp.Or(cfg.Debounce, debounce)
	cfg.MaxWait = cmp.Or(cfg.MaxWait, maxWait)
	cfg.Poll = cmp.Or(cfg.Poll, poll)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Publish == nil {
		cfg.Publish = func(contract.EventName, any) {}
	}
	if cfg.Reloaded == nil {
		cfg.Reloaded = func(Reading) {}
	}
	if cfg.Watch == nil {
		cfg.Watch = (*fsnotify.Watcher).Add
	}
	p := &Projects{cfg: cfg, open: map[string]*watched{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p, nil
}

// Start opens the folders again that were open when the platform stopped. One
// that is missing is waited for; its functions serve as they were.
func (p *Projects) Start(ctx context.Context) error {
	p.changing.Lock()
	defer p.changing.Unlock()
	list, err := p.cfg.Store.ListOpened(ctx)
	if err != nil {
		return fmt.Errorf("read the list of projects: %w", err)
	}
	for _, o := range list {
		if !o.Open {
			continue
		}
		if ag, ok := p.cfg.Agents.Resolve(o.AgentID); ok && ag.Folder == o.Path {
			p.watch(ctx, ag, o.OpenedAt)
		} else {
			p.cfg.Log.Warn("a project is not opened again: its agent is gone", "folder", o.Path)
		}
	}
	return nil
}

// Stop ends all watching and waits for it. What serves goes on serving.
func (p *Projects) Stop() {
	p.cancel()
	p.changing.Lock()
	defer p.changing.Unlock()
	p.mu.Lock()
	all := p.open
	p.open = map[string]*watched{}
	p.mu.Unlock()
	for _, w := range all {
		w.stop()
	}
}

// Open opens a folder as one agent: an open one is given as it is, a known one
// keeps its agent, a new one makes an agent named by AGENT.md. Errors:
// PROJECT_INVALID, USERNAME_TAKEN (naming both folders), INVALID_USERNAME.
func (p *Projects) Open(ctx context.Context, path string) (contract.Project, error) {
	p.changing.Lock()
	defer p.changing.Unlock()
	return p.openLocked(ctx, path)
}

func (p *Projects) openLocked(ctx context.Context, path string) (contract.Project, error) {
	dir, err := projectDir(path)
	if err != nil {
		return contract.Project{}, err
	}
	ag, err := p.agentOf(ctx, dir)
	if err != nil {
		return contract.Project{}, err
	}
	if w := p.find(ag.ID); w != nil {
		return w.project(), nil
	}
	w := p.watch(ctx, ag, p.cfg.Now())
	if err := p.remember(ctx, w, true); err != nil {
		return contract.Project{}, err
	}
	pr := w.project()
	p.cfg.Publish(contract.EvProjectOpened, pr)
	return pr, nil
}

// projectDir gives the one true path of a folder that can be a project.
func projectDir(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", contract.Errorf(contract.ProjectInvalid, "%s cannot be opened: %s", path, reason(err))
	}
	entries, err := os.ReadDir(abs)
	if err != nil {
		return "", contract.Errorf(contract.ProjectInvalid, "%s cannot be opened as a folder: %s", path, reason(err))
	}
	if len(entries) == 0 || project.Looks(abs) {
		return abs, nil
	}
	return "", contract.Errorf(contract.ProjectInvalid, "%s is no project: it has neither AGENT.md nor functions/; choose a project or an empty folder", abs)
}

func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// agentOf finds the agent of a folder, or makes it.
func (p *Projects) agentOf(ctx context.Context, dir string) (agents.Agent, error) {
	for _, ag := range p.cfg.Agents.List() {
		if ag.Folder == dir {
			return ag, nil
		}
	}
	u, err := project.Read(dir)
	if err != nil {
		return agents.Agent{}, err
	}
	username := agents.Slug(u.Agent.Name)
	if err := agents.CheckUsername(username); err != nil {
		return agents.Agent{}, contract.Errorf(contract.InvalidUsername,
			"the name %q of %s gives no username; write another name into its AGENT.md (a letter, then letters and digits)", u.Agent.Name, dir)
	}
	if other, ok := p.cfg.Agents.Resolve(username); ok {
		where := other.Folder
		if where == "" {
			where = "an agent without a folder"
		}
		return agents.Agent{}, contract.Errorf(contract.UsernameTaken,
			"%s and %s would both be %s; give one of them another name in AGENT.md", dir, where, username)
	}
	ag, err := p.cfg.Agents.Create(ctx, agents.Agent{Username: username, Name: u.Agent.Name, Description: u.Agent.Description,
		Model: u.Agent.Model, Instructions: u.Agent.Instructions, Folder: dir})
	if err == nil {
		p.cfg.Publish(contract.EvAgentCreated, ag.Listed(""))
	}
	return ag, err
}

// watch starts watching and reads the folder once.
func (p *Projects) watch(ctx context.Context, ag agents.Agent, openedAt time.Time) *watched {
	w := newWatched(p, ag, openedAt)
	p.mu.Lock()
	p.open[ag.ID] = w
	p.mu.Unlock()
	w.start(ctx)
	return w
}

// Close stops watching a folder. Its agent and functions stay as they are.
func (p *Projects) Close(ctx context.Context, agentID string) error {
	p.changing.Lock()
	defer p.changing.Unlock()
	w := p.find(agentID)
	if w == nil {
		return contract.Errorf(contract.NotFound, "no open project has the agent %s", agentID)
	}
	p.mu.Lock()
	delete(p.open, agentID)
	p.mu.Unlock()
	w.stop()
	p.cfg.Loader.Forget(agentID)
	if err := p.remember(ctx, w, false); err != nil {
		return err
	}
	p.cfg.Publish(contract.EvProjectClosed, w.project())
	return nil
}

func (p *Projects) remember(ctx context.Context, w *watched, open bool) error {
	pr := w.project()
	return p.cfg.Store.PutOpened(ctx, project.Opened{Path: pr.Path, Name: pr.Name, AgentID: pr.AgentID, Open: open, OpenedAt: pr.OpenedAt})
}

func (p *Projects) find(agentID string) *watched {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open[agentID]
}

// List gives the open projects, those opened before, and the samples.
func (p *Projects) List(ctx context.Context) (contract.ProjectList, error) {
	out := contract.ProjectList{Projects: []contract.Project{}, Recent: []contract.RecentProject{}, Samples: samples.List()}
	p.mu.Lock()
	for _, w := range p.open {
		out.Projects = append(out.Projects, w.project())
	}
	p.mu.Unlock()
	slices.SortFunc(out.Projects, func(a, b contract.Project) int {
		return cmp.Or(a.OpenedAt.Compare(b.OpenedAt), cmp.Compare(a.Path, b.Path))
	})
	list, err := p.cfg.Store.ListOpened(ctx)
	if err != nil {
		return out, err
	}
	for _, o := range list {
		if slices.ContainsFunc(out.Projects, func(pr contract.Project) bool { return pr.Path == o.Path }) {
			continue
		}
		_, err := os.Stat(o.Path)
		out.Recent = append(out.Recent, contract.RecentProject{Path: o.Path, Name: o.Name, OpenedAt: o.OpenedAt, Missing: err != nil})
	}
	slices.SortFunc(out.Recent, func(a, b contract.RecentProject) int {
		return cmp.Or(b.OpenedAt.Compare(a.OpenedAt), cmp.Compare(a.Path, b.Path))
	})
	return out, nil
}
