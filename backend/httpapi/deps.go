package httpapi

import (
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/events"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/invocation"
	"benchtop/backend/secrets"
)

// Deps is what the handler speaks to. URL gives the platform's own address, such
// as http://127.0.0.1:4780; it may change before the first request. Focus brings
// the window to the front; nil where there is none. Assets is the built page.
// AgentPages gives what an agent itself serves: its requests come with the path
// after the agent's prefix and the caller in their context; nil where agents
// serve nothing. Now defaults to time.Now.
type Deps struct {
	Auth        *auth.Auth
	Agents      Agents
	Functions   Functions
	Secrets     Secrets
	Settings    Settings
	History     History
	Events      *events.Bus
	Invoker     Invoker
	Bridge      Bridge
	Authoring   Authoring
	Validations Validations
	Projects    Projects
	Status      func() contract.Status
	Focus       func()
	Assets      fs.FS
	URL         func() string
	Version     string
	Now         func() time.Time
	Log         *slog.Logger

	// Consumers and Tools may be nil: no agent has any.
	Consumers Consumers
	Schedules Schedules

	KV      KV
	Content Content

	Payments  Payments
	Simulator Simulator

	Inbox        Inbox
	Drafts       Drafts
	Relay        Relay
	ContentLinks ContentLinks
	Tools        Tools

	// AgentRemover deletes agents; nil where that is not possible.
	AgentRemover AgentRemover

	AgentPages func(a agents.Agent) http.Handler
	// NoAgent answers a WebSocket of a page for an agent that is not there, and
	// says whether it has; nil where agents serve nothing.
	NoAgent func(w http.ResponseWriter, r *http.Request, err error) bool
	// AgentList answers GET /agents, with the caller in the request's context; nil
	// where agents serve nothing.
	AgentList http.Handler
	// AgentEndpoints describes an agent's custom endpoints; nil where there are none.
	AgentEndpoints func(a agents.Agent) contract.AgentEndpointList
}

// Agents are the agents of this platform.
type Agents interface {
	Resolve(idOrUsername string) (agents.Agent, bool)
	List() []agents.Agent
	Create(ctx context.Context, a agents.Agent) (agents.Agent, error)
	Update(ctx context.Context, a agents.Agent) (agents.Agent, error)
}

// AgentRemover deletes an agent with all that is its own.
type AgentRemover interface {
	RemoveAgent(ctx context.Context, a agents.Agent) error
}

// Functions are the declared functions, served from memory.
type Functions interface {
	Get(agentID, name string) (*functions.Function, bool)
	List(agentID string) []*functions.Function
	Version(ctx context.Context, agentID, name string, v int) (*functions.Function, error)
	Versions(ctx context.Context, agentID, name string) ([]functions.VersionInfo, error)
}

// Settings are what the owner may set.
type Settings interface {
	Get() contract.Settings
	Put(ctx context.Context, req contract.SettingsRequest) (contract.Settings, error)
}

// Validations counts the validations of each agent; wait is how long to wait
// until there is room again.
type Validations interface {
	Take(agentID string) (wait time.Duration, ok bool)
}

// Secrets are the secret bindings; no method here gives a value.
type Secrets interface {
	Put(ctx context.Context, agentID, function, binding, value string) error
	Delete(ctx context.Context, agentID, function, binding string) (bool, error)
	List(ctx context.Context, agentID, function string) ([]secrets.Binding, error)
	Missing(ctx context.Context, agentID, function string, bindings []string) ([]string, error)
	Where() string
}

// History is the record of what happened. Audit fills in what every audit row
// has: ids, times, skill and status.
type History interface {
	Audit(ctx context.Context, row contract.InvocationRow) error
	Search(ctx context.Context, f history.Filter) (contract.InvocationPage, error)
	Get(ctx context.Context, id string) (*contract.InvocationDetail, error)
	Stats(ctx context.Context, q history.StatsQuery) (contract.Stats, error)
}

// Invoker runs functions.
type Invoker interface {
	Invoke(ctx context.Context, req invocation.Request) (invocation.Answer, error)
	Cancel(id string) (cancelled, known bool)
}

// Bridge answers host calls that come with an invocation token.
type Bridge interface {
	ServeToken(ctx context.Context, bearer, idempotencyKey string, req contract.HostRequest) (status int, reply contract.HostReply)
}

// Authoring is both sides of a function's life outside its runs.
type Authoring interface {
	Declarer
	Workbench
	Attacher
	CallKeeper
}

// Declarer is the management side of a function.
type Declarer interface {
	Declare(ctx context.Context, a agents.Agent, req contract.DeclareRequest, surface string) (contract.DeclareResponse, error)
	Remove(ctx context.Context, a agents.Agent, name, surface string) (contract.RemoveResponse, error)
	Restore(ctx context.Context, a agents.Agent, name, surface string) (contract.RestoreResponse, error)
	Validate(ctx context.Context, a agents.Agent, name string, req contract.ValidateRequest) (contract.ValidateResponse, error)
}

// Workbench is the editor's side of a function.
type Workbench interface {
	Work(ctx context.Context, a agents.Agent) (contract.WorkList, error)
	WorkFunction(ctx context.Context, a agents.Agent, name string) (contract.WorkFunction, error)
	Save(ctx context.Context, a agents.Agent, name string, req contract.SaveRequest, surface string) (contract.WorkFunction, error)
	Module(ctx context.Context, a agents.Agent, name string) (contract.WorkFunction, error)
	SaveModule(ctx context.Context, a agents.Agent, name string, req contract.SaveRequest) (contract.WorkFunction, error)
	AgentFile(ctx context.Context, a agents.Agent) (contract.WorkFunction, error)
	SaveAgentFile(ctx context.Context, a agents.Agent, req contract.SaveRequest) (contract.WorkFunction, error)
	SetTransport(ctx context.Context, a agents.Agent, name string, on bool) (contract.TransportsResponse, error)
}

// CallKeeper keeps calls as files of an agent's project.
type CallKeeper interface {
	Calls(ctx context.Context, a agents.Agent) (contract.SavedCalls, error)
	SaveCall(ctx context.Context, a agents.Agent, function, name string, req contract.SaveCallRequest) (contract.SavedCall, error)
	RemoveCall(ctx context.Context, a agents.Agent, function, name string) (bool, error)
	SaveClientCall(ctx context.Context, a agents.Agent, name string, req contract.SaveClientCallRequest) (contract.ClientCall, error)
	RenameClientCall(ctx context.Context, a agents.Agent, name, to string) (contract.ClientCall, error)
	RemoveClientCall(ctx context.Context, a agents.Agent, name string) (bool, error)
}

// Projects are the open folders.
type Projects interface {
	List(ctx context.Context) (contract.ProjectList, error)
	Open(ctx context.Context, path string) (contract.Project, error)
	Create(ctx context.Context, sample, path string) (contract.Project, error)
	Close(ctx context.Context, agentID string) error
}

// permissionsJSON is the permissions part of a declaration.
func permissionsJSON(f *functions.Function) json.RawMessage {
	b, err := json.Marshal(f.Manifest.Permissions)
	if err != nil {
		return json.RawMessage("{}")
	}
	return b
}
