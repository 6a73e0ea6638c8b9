// Package mcp offers a platform to coding agents over the Model Context
// Protocol: they list, read, check and run functions and read the history, and
// see of secrets the names alone.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strconv"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

// Platform is what a call of a tool speaks to.
type Platform struct {
	*client.Client
	// Agent finds an agent by id or username, or the one that is meant when the
	// reference is empty.
	Agent func(ctx context.Context, ref string) (contract.Agent, error)
}

// Config of a server. With connects for one call: the platform may be started or
// stopped between two.
type Config struct {
	Version string
	With    func(ctx context.Context, do func(ctx context.Context, p Platform) error) error
}

const instructions = "Benchtop runs small sandboxed JavaScript functions for agents. A function exports an async handler(ctx); its manifest " +
	"grants what ctx may do. In a project folder a function is functions/<name>/index.js and manifest.json: edit these files, " +
	"validate_function says whether they would load, invoke_function runs what is saved, and history and invocation say what happened. " +
	"Values of secrets cannot be read; ask the owner to set one that is missing."

// Serve speaks to one client until it leaves or ctx ends.
func Serve(ctx context.Context, cfg Config, in io.Reader, out io.Writer) error {
	s := sdk.NewServer(&sdk.Implementation{Name: "benchtop", Title: "Benchtop", Version: cfg.Version}, &sdk.ServerOptions{Instructions: instructions})
	t := tools{cfg}
	read := &sdk.ToolAnnotations{ReadOnlyHint: true}
	add(s, &t, &sdk.Tool{Name: "list_agents", Description: "Lists the agents of the platform with their project folders.", Annotations: read}, listAgents)
	add(s, &t, &sdk.Tool{Name: "list_functions", Description: "Lists the functions of an agent, with permissions and what uses them.", Annotations: read}, listFunctions)
	add(s, &t, &sdk.Tool{Name: "show_function", Description: "Gives a function's manifest, source, version and secrets that are not set.", Annotations: read}, showFunction)
	add(s, &t, &sdk.Tool{Name: "validate_function", Description: "Checks a manifest and a source without storing or running them. Without them it checks what is saved.", Annotations: read}, validateFunction)
	add(s, &t, &sdk.Tool{Name: "invoke_function", Description: "Runs a function once and gives result, error with its place, and log. It has every effect that the function has."}, invokeFunction)
	add(s, &t, &sdk.Tool{Name: "history", Description: "Lists past invocations, the newest first, with their logs.", Annotations: read}, history)
	add(s, &t, &sdk.Tool{Name: "invocation", Description: "Gives all that was kept of one invocation: input, result, logs, events and every host call and fetch.", Annotations: read}, invocation)
	add(s, &t, &sdk.Tool{Name: "secret_names", Description: "Lists the names of secrets: which functions declare them and which are set. Never a value.", Annotations: read}, secretNames)
	err := s.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: open{out}})
	if ended := errors.Is(err, io.EOF) || ctx.Err() != nil; !ended {
		return err
	}
	return nil
}

// open is a writer that somebody else closes.
type open struct{ io.Writer }

func (open) Close() error { return nil }

type tools struct{ cfg Config }

// failed is an answer that says that what was asked for went wrong.
type failed struct{ value any }

// add offers a tool. do gets the arguments as they were sent, too, because JSON
// in them must not be changed on the way.
func add[In any](s *sdk.Server, t *tools, tool *sdk.Tool, do func(ctx context.Context, p Platform, in In, raw json.RawMessage) (any, error)) {
	sdk.AddTool(s, tool, func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		var out any
		err := t.cfg.With(ctx, func(ctx context.Context, p Platform) (err error) {
			out, err = do(ctx, p, in, req.Params.Arguments)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		bad, isBad := out.(failed)
		if isBad {
			out = bad.value
		}
		text, err := json.MarshalIndent(out, "", "  ")
		if err != nil {
			return nil, nil, err
		}
		return &sdk.CallToolResult{IsError: isBad, Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}}, nil, nil
	})
}

type none struct{}

type ofAgent struct {
	Agent string `json:"agent,omitempty" jsonschema:"id or username of the agent; may be left out when the platform has one agent or runs in its folder"`
}

type ofFunction struct {
	ofAgent
	Name string `json:"name" jsonschema:"name of the function"`
}

func listAgents(ctx context.Context, p Platform, _ none, _ json.RawMessage) (any, error) {
	var all []contract.Agent
	err := p.Get(ctx, "/api/agents", &all)
	return map[string]any{"agents": all}, err
}

func listFunctions(ctx context.Context, p Platform, in ofAgent, _ json.RawMessage) (any, error) {
	a, err := p.Agent(ctx, in.Agent)
	if err != nil {
		return nil, err
	}
	var list contract.FunctionList
	err = p.Get(ctx, client.Agent(a.ID, "functions"), &list)
	return list, err
}

func showFunction(ctx context.Context, p Platform, in ofFunction, _ json.RawMessage) (any, error) {
	a, err := p.Agent(ctx, in.Agent)
	if err != nil {
		return nil, err
	}
	var out struct {
		contract.FunctionDetail
		Source string `json:"source"`
		File   string `json:"file,omitempty"`
	}
	var src contract.FunctionSource
	if err := p.Get(ctx, client.Agent(a.ID, "functions", in.Name), &out.FunctionDetail); err != nil {
		return nil, err
	}
	err = p.Get(ctx, client.Agent(a.ID, "functions", in.Name, "source"), &src)
	out.Source, out.File = src.Source, src.File
	return out, err
}

type validation struct {
	ofFunction
	Manifest map[string]any `json:"manifest,omitempty" jsonschema:"the manifest, such as {\"runtime\":\"js-v1\",\"permissions\":{}}; the saved one when left out"`
	Source   *string        `json:"source,omitempty" jsonschema:"the source; the saved one when left out"`
}

func validateFunction(ctx context.Context, p Platform, in validation, raw json.RawMessage) (any, error) {
	a, err := p.Agent(ctx, in.Agent)
	if err != nil {
		return nil, err
	}
	var sent struct {
		Manifest json.RawMessage `json:"manifest"`
	}
	if err := json.Unmarshal(raw, &sent); err != nil {
		return nil, err
	}
	if in.Manifest == nil || in.Source == nil {
		var w contract.WorkFunction
		if err := p.Get(ctx, client.LocalAgent(a.ID, "functions", in.Name), &w); err != nil {
			return nil, err
		}
		if w.Manifest == nil && in.Manifest == nil || w.Source == nil && in.Source == nil {
			if in.Manifest != nil || in.Source != nil {
				return nil, errors.New("the manifest of this function stands in its source or in AGENT.md; send manifest and source both")
			}
			return verdict(contract.ValidateResponse{OK: !w.Broken, Errors: w.Errors, Warnings: w.Warnings}), nil
		}
		if in.Manifest == nil {
			sent.Manifest = json.RawMessage(w.Manifest.Text)
		}
		if in.Source == nil {
			in.Source = &w.Source.Text
		}
	}
	body, unfit := client.Posted("", sent.Manifest, *in.Source)
	if unfit != nil {
		return verdict(contract.ValidateResponse{Errors: []contract.Problem{*unfit}, Warnings: []contract.Problem{}}), nil
	}
	var res contract.ValidateResponse
	if err := p.Post(ctx, client.Agent(a.ID, "functions", in.Name, "validate"), body, &res); err != nil {
		return nil, err
	}
	return verdict(res), nil
}

// verdict is an answer that says that there are errors when there are.
func verdict(res contract.ValidateResponse) any {
	if !res.OK {
		return failed{res}
	}
	return res
}

type call struct {
	ofFunction
	Args    map[string]any `json:"args,omitempty" jsonschema:"arguments of the function as a tool, checked against the parameters in its manifest"`
	Request map[string]any `json:"request,omitempty" jsonschema:"instead of args, for a function of an HTTP endpoint: {\"method\":\"POST\",\"path\":\"/x\",\"query\":{},\"headers\":{},\"body\":{}}"`
	Key     string         `json:"idempotencyKey,omitempty" jsonschema:"run at most once in 24 hours under this key"`
	At      string         `json:"at,omitempty" jsonschema:"the moment at which the function's own clock begins, RFC 3339 such as 2026-12-31T23:59:50Z; the real time when left out"`
}

func invokeFunction(ctx context.Context, p Platform, in call, raw json.RawMessage) (any, error) {
	a, err := p.Agent(ctx, in.Agent)
	if err != nil {
		return nil, err
	}
	if in.Args != nil && in.Request != nil {
		return nil, errors.New("args call the function as a tool, request calls it as an HTTP endpoint; send one of them")
	}
	var sent struct {
		Args    json.RawMessage `json:"args"`
		Request json.RawMessage `json:"request"`
	}
	if err := json.Unmarshal(raw, &sent); err != nil {
		return nil, err
	}
	body := json.RawMessage(`{}`)
	switch {
	case in.Request != nil:
		body = sent.Request
	case in.Args != nil:
		if body, err = json.Marshal(map[string]json.RawMessage{"args": sent.Args}); err != nil {
			return nil, err
		}
	}
	res, _, err := p.Invoke(ctx, a.ID, in.Name, body, client.InvokeOptions{Key: in.Key, Clock: in.At})
	if err != nil {
		return nil, err
	}
	if !res.OK {
		return failed{res}, nil
	}
	return res, nil
}

type search struct {
	ofAgent
	Function string `json:"function,omitempty" jsonschema:"only invocations of this function"`
	Status   string `json:"status,omitempty" jsonschema:"only those that ended like this: ok, error or cancelled"`
	Code     string `json:"code,omitempty" jsonschema:"only those with this error code, such as WALL_TIMEOUT"`
	Limit    int    `json:"limit,omitempty" jsonschema:"how many, 20 when left out and 200 at most"`
	Cursor   string `json:"cursor,omitempty" jsonschema:"nextCursor of the page before"`
}

func history(ctx context.Context, p Platform, in search, _ json.RawMessage) (any, error) {
	a, err := p.Agent(ctx, in.Agent)
	if err != nil {
		return nil, err
	}
	if in.Limit <= 0 {
		in.Limit = 20
	}
	q := url.Values{"agent": {a.ID}, "limit": {strconv.Itoa(in.Limit)}, "include": {"logs"}}
	for key, value := range map[string]string{"function": in.Function, "status": in.Status, "code": in.Code, "cursor": in.Cursor} {
		if value != "" {
			q.Set(key, value)
		}
	}
	var page contract.InvocationSearch
	err = p.Get(ctx, "/api/local/invocations?"+q.Encode(), &page)
	return map[string]any{"invocations": page.Invocations, "nextCursor": page.NextCursor}, err
}

type one struct {
	ID string `json:"id" jsonschema:"id of the invocation"`
}

func invocation(ctx context.Context, p Platform, in one, _ json.RawMessage) (any, error) {
	var d contract.InvocationDetail
	err := p.Get(ctx, "/api/local/invocations/"+url.PathEscape(in.ID), &d)
	return d, err
}

func secretNames(ctx context.Context, p Platform, in ofAgent, _ json.RawMessage) (any, error) {
	a, err := p.Agent(ctx, in.Agent)
	if err != nil {
		return nil, err
	}
	var list contract.SecretList
	err = p.Get(ctx, client.LocalAgent(a.ID, "secrets"), &list)
	return list, err
}
