package httpapi

import (
	"context"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
	"benchtop/backend/openapi"
)

// Consumers are the skill entries of the agents.
type Consumers interface {
	Of(agentID string) *consumers.Set
}

// Attacher changes them.
type Attacher interface {
	Attach(ctx context.Context, a agents.Agent, skill string, req contract.UseRequest) (contract.UseResponse, error)
	ChangeEntry(ctx context.Context, a agents.Agent, skill, id string, req contract.UseRequest) (contract.UseResponse, error)
	DetachEntry(ctx context.Context, a agents.Agent, skill, id string) (contract.DetachResponse, error)
}

// Tools lists and calls the tools of an agent.
type Tools interface {
	Tools(agentID string) []contract.ToolDefinition
	CallTool(ctx context.Context, req invocation.ToolRequest) (invocation.ToolAnswer, error)
}

// nextRuns is how many runs of a schedule a listing shows.
const nextRuns = 5

// entriesOf gives the entries of an agent; none where nothing consumes functions.
func (a *api) entriesOf(agentID string) *consumers.Set {
	if a.deps.Consumers == nil {
		return &consumers.Set{}
	}
	return a.deps.Consumers.Of(agentID)
}

func (a *api) usedBy(c *call, f *functions.Function) []contract.UsedBy {
	return a.entriesOf(c.agent.ID).UsedBy(f.Name)
}

// attach adds an entry to a skill, contract.md 1b.
func (a *api) attach(c *call) error {
	var req contract.UseRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if len(req.Entry) == 0 {
		return contract.Errorf(contract.InvalidRequest, "entry is missing: the object that stands in the skill's list")
	}
	res, err := a.deps.Authoring.Attach(c.r.Context(), c.agent, c.r.PathValue("skill"), req)
	if err != nil {
		return err
	}
	return c.ok(res)
}

// changeEntry changes the keys that are sent; a null takes one away.
func (a *api) changeEntry(c *call) error {
	var req contract.UseRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if len(req.Entry) == 0 && req.Use == "" {
		return contract.Errorf(contract.InvalidRequest, "send entry, an object with the keys to change, or use")
	}
	res, err := a.deps.Authoring.ChangeEntry(c.r.Context(), c.agent, c.r.PathValue("skill"), c.r.PathValue("id"), req)
	if err != nil {
		return err
	}
	return c.ok(res)
}

func (a *api) detach(c *call) error {
	res, err := a.deps.Authoring.DetachEntry(c.r.Context(), c.agent, c.r.PathValue("skill"), c.r.PathValue("id"))
	if err != nil {
		return err
	}
	return c.ok(res)
}

// listEntries answers all entries, or those of the skill in the path.
func (a *api) listEntries(c *call) error {
	skill := c.r.PathValue("skill")
	if skill != "" && contract.SkillList(skill) == "" {
		return contract.Errorf(contract.NotFound, "no skill %.64q uses functions; custom_tools, custom_http and cron do", skill)
	}
	out := contract.ConsumerList{Entries: []contract.Consumer{}}
	for _, e := range a.entriesOf(c.agent.ID).Entries {
		if skill != "" && e.Skill != skill {
			continue
		}
		one := contract.Consumer{Skill: e.Skill, EntryID: e.ID, Use: e.Use, Enabled: e.Enabled, Description: e.UsedBy().Description, Entry: e.JSON}
		if e.Schedule != nil && e.Enabled {
			one.Next = e.Schedule.NextN(a.deps.Now(), nextRuns)
		}
		out.Entries = append(out.Entries, one)
	}
	return c.ok(out)
}

// listEndpoints answers the entries of custom_http with what holds for them.
func (a *api) listEndpoints(c *call) error {
	out := contract.EndpointList{Endpoints: []contract.HTTPEndpoint{}}
	for _, e := range a.entriesOf(c.agent.ID).Entries {
		if e.Endpoint == nil {
			continue
		}
		var limits manifest.Limits
		if f, ok := a.deps.Functions.Get(c.agent.ID, e.Use); ok {
			limits = f.Manifest.Limits
		}
		limits = limits.Effective()
		one := contract.HTTPEndpoint{
			ID: e.ID, Method: e.Endpoint.Method, Path: e.Endpoint.Path, Auth: e.Endpoint.Auth, Use: e.Use, Enabled: e.Enabled, Description: e.Description,
			TimeoutMs: limits.WallMs, BodyLimitBytes: limits.BodyBytesMax, ResponseSizeLimitBytes: contract.MaxResponseBytes,
			URLs: []string{a.deps.URL() + "/" + c.agent.Username + e.Endpoint.Path, a.deps.URL() + "/agents/" + c.agent.ID + e.Endpoint.Path,
				a.deps.URL() + "/api/agents/" + c.agent.ID + e.Endpoint.Path},
		}
		if n := e.Endpoint.TimeoutMs; n > 0 {
			one.TimeoutMs = min(n, one.TimeoutMs)
		}
		if n := e.Endpoint.BodyLimit; n > 0 {
			one.BodyLimitBytes = n
		}
		if n := e.Endpoint.ResponseLimit; n > 0 {
			one.ResponseSizeLimitBytes = n
		}
		out.Endpoints = append(out.Endpoints, one)
	}
	return c.ok(out)
}

// describeAPI is spec 4.1 row 9.
func (a *api) describeAPI(c *call) error {
	doc, err := openapi.Document(openapi.Input{
		Agent: c.agent, Functions: a.deps.Functions.List(c.agent.ID), Entries: a.entriesOf(c.agent.ID), URL: a.deps.URL(),
		Version: a.deps.Version, SessionCookie: a.cookieName, VisitorCookie: a.deps.Auth.VisitorCookie(),
	})
	if err != nil {
		return err
	}
	return c.raw(200, doc)
}

// listTools answers an agent's tools as a model is told of them.
func (a *api) listTools(c *call) error {
	tools := []contract.ToolDefinition{}
	if a.deps.Tools != nil {
		tools = a.deps.Tools.Tools(c.agent.ID)
	}
	return c.ok(contract.ToolList{Tools: tools})
}

// callTool calls a tool as a model would.
func (a *api) callTool(c *call) error {
	var req contract.ToolCallRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if a.deps.Tools == nil {
		return contract.Errorf(contract.ToolNotFound, "agent %s has no tools", c.agent.Username)
	}
	start := time.Now()
	res, err := a.deps.Tools.CallTool(c.r.Context(), invocation.ToolRequest{
		AgentID: c.agent.ID, Tool: c.name(), Args: req.Args, CallID: req.CallID, Caller: c.caller,
	})
	if err != nil {
		return err
	}
	return c.ok(contract.ToolCallResponse{
		OK: res.Code == "", Value: res.Value, ErrorCode: res.Code, ErrorMessage: res.Message,
		InvocationID: res.InvocationID, DurationMs: float64(time.Since(start).Microseconds()) / 1000,
	})
}
