package model

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

// passed are the parameters of a request that go on to an upstream model as they
// are. Everything else is ours, or about one client and one server.
var passed = []string{
	"temperature", "top_p", "max_tokens", "max_completion_tokens", "stop", "seed", "presence_penalty",
	"frequency_penalty", "logit_bias", "response_format", "reasoning_effort", "parallel_tool_calls", "verbosity",
}

// upstream is a model that speaks the OpenAI protocol somewhere.
type upstream struct {
	m     *Model
	agent agents.Agent
	key   string
}

// upstream prepares the model that AGENT.md names by its address; where that is
// an agent of this platform, its turns are the model.
func (m *Model) upstream(ctx context.Context, req TurnRequest) (engine, error) {
	spec := req.Agent.Settings.Model
	if ref, ours := m.ourOwn(spec.BaseURL); ours {
		return m.neighbour(req, ref)
	}
	u := &upstream{m: m, agent: req.Agent}
	if spec.KeySecret == "" {
		return u, nil
	}
	key, err := m.key(ctx, req.Agent)
	u.key = key
	return u, err
}

// key finds the secret that model.key_secret names.
func (m *Model) key(ctx context.Context, a agents.Agent) (string, error) {
	name := a.Settings.Model.KeySecret
	all, err := m.cfg.Secrets.List(ctx, a.ID, "")
	if err != nil {
		return "", err
	}
	for _, b := range all {
		if b.Binding != name {
			continue
		}
		key, set, err := m.cfg.Secrets.Get(ctx, a.ID, b.Function, name)
		if err != nil || set {
			return key, err
		}
	}
	return "", contract.Errorf(contract.ModelNotReady,
		"the key of the model of agent %s is not set: store the secret %s for the agent, or for one of its functions", a.Username, name)
}

func (u *upstream) step(ctx context.Context, q question, say func(string) error) (answer, error) {
	body, err := u.body(q)
	if err != nil {
		return answer{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(u.m.cfg.Silence, func() { cancel(errSilent) })
	defer quiet.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(u.agent.Settings.Model.BaseURL, "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return answer{}, contract.Errorf(contract.ModelNotReady, "model.base_url of agent %s is no address", u.agent.Username)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	if u.key != "" {
		req.Header.Set("Authorization", "Bearer "+u.key)
	}
	// Straight to the transport: a redirect would send conversation and key to an
	// address that the owner has not written down.
	resp, err := u.m.cfg.HTTP.RoundTrip(req)
	if err != nil {
		return answer{}, u.unreachable(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return answer{}, u.refused(resp)
	}
	heard := func() { quiet.Reset(u.m.cfg.Silence) }
	patient := func(say func(string) error) func(string) error {
		return func(text string) error {
			quiet.Stop() // whoever listens may take their time: that is no silence of the model
			defer heard()
			return say(text)
		}
	}
	r := &reply{newID: u.m.cfg.NewID, heard: heard, say: patient(say)}
	if q.think != nil {
		r.think = patient(q.think)
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "application/json" {
		err = r.whole(resp.Body) // a server that does not stream
	} else {
		err = r.stream(resp.Body)
	}
	if err != nil {
		return answer{}, u.broken(ctx, err)
	}
	return r.answer(), nil
}

// body is the request of one step, streamed whatever the client wants.
func (u *upstream) body(q question) ([]byte, error) {
	body := map[string]any{
		"model": u.agent.Settings.Model.Model, "messages": q.messages, "stream": true,
		"stream_options": map[string]bool{"include_usage": true},
	}
	for _, name := range passed {
		if v, ok := q.options[name]; ok {
			body[name] = v
		}
	}
	if len(q.tools) > 0 {
		body["tools"] = q.tools
		if c := q.choice.JSON(); c != nil {
			body["tool_choice"] = c
		}
	} else {
		delete(body, "parallel_tool_calls")
	}
	return marshal(body)
}

var errSilent = errors.New("the model said nothing for too long")

// unreachable says why there is no answer at all.
func (u *upstream) unreachable(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errSilent):
		return contract.Errorf(contract.ModelTimeout, "the model of agent %s did not answer within %s", u.agent.Username, u.m.cfg.Silence)
	case cause != nil:
		return cause
	}
	return contract.Errorf(contract.ModelFailed, "the model of agent %s cannot be reached at %s: %s",
		u.agent.Username, u.agent.Settings.Model.BaseURL, u.redact(err.Error()))
}

// broken says why an answer did not come to its end.
func (u *upstream) broken(ctx context.Context, err error) error {
	var gone errGone
	if errors.As(err, &gone) {
		return err
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errSilent):
		return contract.Errorf(contract.ModelTimeout, "the model of agent %s stopped in the middle and said nothing more for %s", u.agent.Username, u.m.cfg.Silence)
	case cause != nil:
		return cause
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the connection ended before the answer did")
	}
	return contract.Errorf(contract.ModelFailed, "the model of agent %s: %s", u.agent.Username, u.redact(err.Error()))
}

// refused gives an error's own words.
func (u *upstream) refused(resp *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxWords)) // what there is of them
	e := contract.Errorf(contract.ModelFailed, "the model of agent %s answered %d", u.agent.Username, resp.StatusCode)
	if words := errorWords(text); words != "" {
		e.Message += ": " + u.redact(words)
	}
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		if name := u.agent.Settings.Model.KeySecret; name == "" {
			e.Message += " (model.key_secret names no key)"
		} else {
			e.Message += " (the key is the secret " + name + ")"
		}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		e.RetryAfterSec = retryAfter(resp.Header.Get("Retry-After"))
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		e.Message += ": it is somewhere else, and redirects are not followed; write its address into model.base_url"
	}
	return e
}

// redact keeps the key out of what an upstream model says about it.
func (u *upstream) redact(text string) string {
	if u.key == "" {
		return text
	}
	return strings.ReplaceAll(text, u.key, "[secret "+u.agent.Settings.Model.KeySecret+"]")
}
