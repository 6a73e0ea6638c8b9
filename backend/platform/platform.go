// Package platform is the plug board: it opens every part of the service and
// passes each what it needs. It is the only package that knows everyone.
package platform

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/consumers"
	"benchtop/backend/content"
	"benchtop/backend/contract"
	"benchtop/backend/drafts"
	"benchtop/backend/endpoints"
	"benchtop/backend/events"
	"benchtop/backend/executor"
	"benchtop/backend/executor/remote"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/hostbridge"
	"benchtop/backend/httpapi"
	"benchtop/backend/invocation"
	"benchtop/backend/kv"
	"benchtop/backend/livereload"
	"benchtop/backend/model"
	"benchtop/backend/scheduler"
	"benchtop/backend/secrets"
	"benchtop/backend/settings"
	"benchtop/backend/sqlite"
	"benchtop/backend/transports/a2a"
	"benchtop/backend/transports/uamp"
)

// Config of a Platform. DataDir exists and belongs to this process alone.
type Config struct {
	DataDir   string
	Version   string
	Ephemeral bool
	Projects  []string // folders to open
	Worker    []string // argv of a worker process
	Executors RemoteExecutors
	Assets    fs.FS // the built page
	// Home is where samples are created: <Home>/<sample>.
	Home string
	// ValidationsPerMinute is the validation bucket of an agent before the owner
	// sets another: 0 is the default, below 0 does not limit.
	ValidationsPerMinute int
	// NoSchedules leaves the clock alone: nothing fires by itself.
	NoSchedules bool
	// Executor, which may be nil, gives what stands before the worker processes.
	Executor func(invocation.Executor) invocation.Executor
	// Focus brings the window to the front; nil without one.
	Focus func()
	Log   *slog.Logger
}

// Platform is the whole service behind one http.Handler.
type Platform struct {
	cfg       Config
	db        *sqlite.DB
	auth      *auth.Auth
	bus       *events.Bus
	executor  *executor.Local
	endpoints *endpoints.Endpoints
	pages     *agenthttp.Server
	runner    invocation.Executor // of functions: executor, or remote
	remote    *remote.Executor    // nil without executors on other machines
	bridge    *hostbridge.Bridge
	invoker   *invocation.Invoker
	model     *model.Model
	a2a       *a2a.Transport
	uamp      *uamp.Transport
	projects  *livereload.Projects
	handler   http.Handler
	secrets   *secrets.Secrets
	settings  *settings.Settings
	sweeper   *sweeper
	memory    *memory
	scheduler *scheduler.Scheduler
	ledger    *ledger
	url       atomic.Pointer[string]
	bridgeURL atomic.Pointer[string] // nil: url
}

// Open starts the service. It listens nowhere: call SetURL with the address
// once it is known, then serve Handler there.
func Open(ctx context.Context, cfg Config) (_ *Platform, err error) {
	p := &Platform{cfg: cfg, endpoints: endpoints.New(), bus: events.New(events.Config{FirstID: uint64(time.Now().UnixMicro())})}
	p.SetURL("http://127.0.0.1")
	p.memory = watchMemory()
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close(context.WithoutCancel(ctx)))
		}
	}()
	// First, because processes take their time to start and nothing waits for
	// them until the first call.
	if p.executor, err = executor.New(executor.Config{Worker: cfg.Worker, Log: cfg.Log}); err != nil {
		return nil, err
	}
	if p.db, err = sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(cfg.DataDir, "benchtop.db"), Now: time.Now, Log: cfg.Log}); err != nil {
		return nil, err
	}
	if p.auth, err = auth.Open(ctx, auth.Config{Dir: cfg.DataDir, Store: p.db, URL: p.URL, Now: time.Now}); err != nil {
		return nil, err
	}
	ag, err := agents.New(ctx, agents.Config{Store: p.db, Now: time.Now, NewID: uuid.NewString})
	if err != nil {
		return nil, err
	}
	fns, err := functions.New(ctx, functions.Config{Store: p.db, Now: time.Now, NewID: uuid.NewString})
	if err != nil {
		return nil, err
	}
	if p.secrets, err = secrets.New(ctx, secrets.Config{Store: p.db, Keys: p.keySource(), Now: time.Now}); err != nil {
		return nil, err
	}
	hist, err := history.New(ctx, history.Config{Store: p.db, Now: time.Now})
	if err != nil {
		return nil, err
	}
	if err := p.openSettings(ctx, hist); err != nil {
		return nil, err
	}
	cons, err := consumers.New(ctx, consumers.Config{Store: p.db, Log: cfg.Log})
	if err != nil {
		return nil, err
	}
	if err := p.openPayments(ctx, ag); err != nil {
		return nil, err
	}
	items := p.openContent(ag, fns)
	portal, err := p.openPortal(ag, items)
	if err != nil {
		return nil, err
	}
	if p.runner, err = p.openRemote(); err != nil {
		return nil, err
	}
	if cfg.Executor != nil {
		p.runner = cfg.Executor(p.runner)
	}
	keys := kv.New(kv.Config{Store: p.db, Now: time.Now})
	p.bridge = p.openBridge(fns, items, keys, portal)
	p.invoker = invocation.New(invocation.Config{
		Functions: fns, Agents: ag, Consumers: cons, Executor: p.runner, History: hist, Claims: p.db,
		OpenHost: func(pins invocation.Pins) invocation.HostSession { return openNearDoor(p.bridge, pins) },
		Payments: p.ledger, NanocentsPerDollar: p.nanocentsPerDollar,
		Publish: p.bus.Publish, BaseURL: p.URL, Now: time.Now,
		NewID: newID, NewSeed: rand.Int64, Log: cfg.Log,
	})
	p.openModel(ag, portal)
	if err := p.openA2A(ctx); err != nil {
		return nil, err
	}
	p.openUAMP(ag)
	if err := p.openScheduler(ctx, cons); err != nil {
		return nil, err
	}
	author, projects, err := p.openAuthoring(ag, fns, cons, hist, items)
	if err != nil {
		return nil, err
	}
	p.projects = projects
	p.pages = p.openPages(ag, fns, cons)
	p.handler = httpapi.New(httpapi.Deps{
		Auth: p.auth, Agents: ag, Functions: fns, Secrets: p.secrets, History: hist, Events: p.bus,
		Settings: p.settings, Validations: p.validations(), Payments: p.ledger, Simulator: p.ledger.simulators,
		Invoker: p.invoker, Bridge: p.bridge, Authoring: author, Projects: projects,
		Consumers: cons, Tools: p.invoker, Schedules: p.scheduler, Inbox: portal.inbox, Drafts: drafts.New(drafts.Config{Store: p.db, Now: time.Now}), ContentLinks: portal, Relay: p.relay(), KV: keys, Content: items, AgentPages: p.pages.Handler, NoAgent: p.pages.NoAgent, AgentEndpoints: p.agentEndpoints,
		AgentList:    p.about().Directory(ag.List),
		AgentRemover: removal{p, ag, fns, cons, author},
		Status:       p.Status, Assets: cfg.Assets, URL: p.URL, Focus: cfg.Focus, Version: cfg.Version, Log: cfg.Log,
	})
	if err := projects.Start(ctx); err != nil {
		return nil, err
	}
	for _, dir := range cfg.Projects {
		if _, err := projects.Open(ctx, dir); err != nil {
			return nil, fmt.Errorf("project %s: %w", dir, err)
		}
	}
	if !cfg.NoSchedules {
		p.scheduler.Start()
	}
	return p, p.db.DropKeys(ctx, time.Now().Add(-contract.IdempotencyWindow))
}

// keySource: the OS keychain for a lasting platform, a file for one that goes
// with its directory.
func (p *Platform) keySource() secrets.KeySource {
	return KeySource(p.cfg.DataDir, p.auth.DataID(), p.cfg.Ephemeral)
}

// KeySource is where the key of a data directory's secrets is.
func KeySource(dir, dataID string, ephemeral bool) secrets.KeySource {
	file := secrets.KeyFile(filepath.Join(dir, "secrets.key"))
	if ephemeral || os.Getenv("BENCHTOP_KEYCHAIN") == "off" {
		return file
	}
	return secrets.Keychain(dataID, file)
}

func (p *Platform) openBridge(fns *functions.Functions, items *content.Content, keys *kv.KV, portal *portal) *hostbridge.Bridge {
	return hostbridge.New(hostbridge.Config{
		KV: keys, Secrets: p.secrets, Functions: fns, Tokens: p.auth,
		Content: items, Invoke: p.nested, Remote: p.remoteCall, Portal: portal,
		Payments: p.ledger, NanocentsPerDollar: p.nanocentsPerDollar,
		SecretPut: func(agentID, function, binding string) {
			p.bus.Publish(contract.EvSecretSet, contract.SecretChange{AgentID: agentID, Function: function, Binding: binding})
		},
		Now: time.Now, NewID: uuid.NewString, Log: p.cfg.Log,
	})
}

// Handler is the whole service.
func (p *Platform) Handler() http.Handler { return p.handler }

// Auth gives the owner's credentials to the program around the platform.
func (p *Platform) Auth() *auth.Auth { return p.auth }

// URL is the base address, without a slash at its end.
func (p *Platform) URL() string { return *p.url.Load() }

// SetURL says where Handler is served.
func (p *Platform) SetURL(url string) { p.url.Store(&url) }

// Status is a look at what runs.
func (p *Platform) Status() contract.Status {
	s := contract.Status{
		Version: p.cfg.Version, URL: p.URL(), DataDir: p.cfg.DataDir, DataID: p.auth.DataID(),
		Ephemeral: p.cfg.Ephemeral, Notices: []contract.Notice{}, Executor: p.executor.Stats(),
	}
	if n := p.secrets.Notice(); n != nil && !p.cfg.Ephemeral {
		s.Notices = append(s.Notices, *n)
	}
	s.Notices = append(s.Notices, p.executor.Notices()...)
	s.Notices = append(s.Notices, p.ledger.notices()...)
	s.Notices = append(s.Notices, p.remoteNotices()...)
	return s
}

// Close ends the service: no new invocations, those under way finish until ctx
// ends and are cancelled then; no process is left behind.
func (p *Platform) Close(ctx context.Context) error {
	var errs []error
	if p.projects != nil {
		p.projects.Stop()
	}
	if p.scheduler != nil {
		p.scheduler.Stop()
	}
	if p.uamp != nil {
		p.uamp.Close()
	}
	if p.a2a != nil {
		p.a2a.Close()
	}
	if p.model != nil {
		p.model.Close()
	}
	if p.invoker != nil {
		p.invoker.Close(ctx)
	}
	if p.scheduler != nil {
		p.scheduler.Wait() // what it ran is written down
	}
	if p.sweeper != nil {
		p.sweeper.stop()
	}
	p.memory.stop()
	if p.ledger != nil {
		p.ledger.stop()
	}
	p.bus.Close()
	if p.executor != nil {
		errs = append(errs, p.executor.Close(ctx))
	}
	if p.auth != nil {
		p.auth.Close()
	}
	if p.db != nil {
		errs = append(errs, p.db.Close())
	}
	return errors.Join(errs...)
}

// newID makes invocation ids: UUIDs that sort by time, which keeps the
// history's index growing at its end.
func newID() string {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.NewString()
	}
	return id.String()
}
