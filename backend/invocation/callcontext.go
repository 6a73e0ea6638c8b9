package invocation

import (
	"encoding/json"
	"slices"
	"time"

	"benchtop/backend/contract"
)

// judge finds what the function is called with: what its consumer says, else
// what the form of a manual body says.
func (v *Invoker) judge(c *call) (err error) {
	switch {
	case c.req.HTTP != nil:
		c.kind, c.http = kindHTTP, c.req.HTTP
		c.req.Body = c.http.input(c.agent.ID)
		return nil
	case c.req.Schedule != nil:
		c.kind, c.req.Body = kindCron, json.RawMessage("{}")
		return nil
	}
	if c.kind, c.manual, err = kindOf(c.req.Body, len(c.fn.Manifest.Parameters) > 0); err != nil || c.kind != kindHTTP {
		return err
	}
	c.http, err = c.manual.httpCall(v.cfg.BaseURL() + "/api/agents/" + c.agent.ID)
	if err == nil {
		c.http.Params = v.paramsOf(c)
	}
	return err
}

// paramsOf gives a manual HTTP call the parameters that the function's endpoint
// of that method and path would give it.
func (v *Invoker) paramsOf(c *call) map[string]string {
	if v.cfg.Consumers != nil {
		if m, _ := v.cfg.Consumers.Of(c.agent.ID).Route(c.http.Method, c.http.Path); m.Entry != nil && m.Use == c.fn.Name {
			return m.Params
		}
	}
	return map[string]string{}
}

// context is the JSON of what differs from call to call. Now is the run's own: a
// schedule that is run under a moved clock fires then.
func (c *call) context(now time.Time, paid *paymentContext) (contract.RawJSON, error) {
	ctx := callContext{
		Source: sourceContext{Skill: c.req.Skill, ConsumerID: c.req.ConsumerID, InvocationID: c.row.ID, BilledTo: c.row.BilledTo},
		Auth:   authOf(c.req.Caller, c.agent.ID), Limits: limitsOf(c.limits),
		Metadata: metadataContext{c.agent.Username, c.agent.ID},
	}
	ctx.Auth.Profile, ctx.Auth.Claims = granted(c.req.Profile, c.fn.Manifest.Permissions.VisitorProfile), c.req.Claims
	if e := c.req.Endpoint; e != nil {
		ctx.Args = e.Args
	}
	ctx.Auth.Payment = paid
	switch c.kind {
	case kindTool:
		ctx.ToolCall = &toolContext{Name: c.fn.Name, Params: c.manual.Args, CallID: c.row.ID}
		if t := c.req.tool; t != nil {
			ctx.ToolCall.Name = t.entry.Tool.Name
			if t.callID != "" {
				ctx.ToolCall.CallID = t.callID
			}
		}
	case kindHTTP:
		ctx.Request = c.http.requestOf(c.agent.ID, c.fn.Manifest.Permissions.RawBody)
	case kindCron:
		run := ScheduledRun{now, now}
		if c.req.Schedule != nil && c.clock == nil {
			run = *c.req.Schedule
		}
		ctx.Schedule = &schedContext{contract.FormatTime(run.PlannedAt), contract.FormatTime(run.FiredAt)}
	}
	return json.Marshal(ctx)
}

// granted leaves of a profile what the manifest asks for; nil when nothing is.
func granted(p *Profile, fields []string) *Profile {
	if p == nil || len(fields) == 0 {
		return nil
	}
	var out Profile
	if slices.Contains(fields, "name") {
		out.DisplayName = p.DisplayName
	}
	if slices.Contains(fields, "avatar") {
		out.AvatarURL = p.AvatarURL
	}
	if slices.Contains(fields, "email") {
		out.Email = p.Email
	}
	return &out
}
