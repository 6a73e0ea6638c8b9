package model

import (
	"context"
	"net"
	"net/url"
	"slices"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// ourOwn reports whether an address is one of this platform's, and of which
// agent.
func (m *Model) ourOwn(address string) (ref string, ours bool) {
	u, err := url.Parse(address)
	own, err2 := url.Parse(m.cfg.BaseURL())
	if err != nil || err2 != nil || u.Scheme != own.Scheme || u.Port() != own.Port() {
		return "", false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if label, ok := strings.CutSuffix(host, ".localhost"); ok {
		return label, true
	}
	if ip := net.ParseIP(host); host != "localhost" && host != own.Hostname() && (ip == nil || !ip.IsLoopback()) {
		return "", false
	}
	path := u.Path
	for _, prefix := range []string{"/api/agents/", "/agents/", "/"} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			ref, _, _ = strings.Cut(rest, "/")
			break
		}
	}
	return ref, true
}

// neighbour is another agent of this platform as a model. Its turns happen inside
// of those of the agent that it is the model of: they know each other's names, so
// that a circle is seen before it turns, and are paid for by a part of the
// caller's money.
type neighbour struct {
	m     *Model
	from  TurnRequest
	agent agents.Agent
	chain []string
}

func (m *Model) neighbour(req TurnRequest, ref string) (engine, error) {
	to, ok := m.cfg.Agents.Resolve(ref)
	if !ok {
		return nil, contract.Errorf(contract.ModelNotReady, "the model of agent %s is to be the agent %.64q, and there is none", req.Agent.Username, ref)
	}
	chain := append(slices.Clone(req.chain), req.Agent.Username)
	whole := strings.Join(append(slices.Clone(chain), to.Username), " -> ")
	if slices.Contains(chain, to.Username) {
		return nil, contract.Errorf(contract.AgentLoop, "the agents are each other's models: %s", whole)
	}
	if len(chain) > contract.MaxChainDepth {
		return nil, contract.Errorf(contract.AgentLoop, "agents are each other's models more than %d deep: %s", contract.MaxChainDepth, whole)
	}
	return &neighbour{m: m, from: req, agent: to, chain: chain}, nil
}

func (n *neighbour) step(ctx context.Context, q question, say func(string) error) (answer, error) {
	caller := n.from.Caller // the owner stays the owner, with an agent in between
	if caller.Kind != auth.KindOwner {
		caller = auth.Caller{Kind: auth.KindAgent, AgentID: n.from.Agent.ID, UserID: caller.UserID}
	}
	req := TurnRequest{
		Agent: n.agent, Messages: q.messages, Tools: q.tools, Choice: q.choice, Options: q.options,
		Caller: caller, chain: n.chain, inside: true,
	}
	if n.m.cfg.Payments != nil {
		token, done, err := n.m.cfg.Payments.Delegate(ctx, n.from.Agent, n.agent, req.Caller, n.from.Tokens)
		if err != nil {
			return answer{}, err
		}
		defer done()
		if token != "" {
			req.Tokens = []string{token}
		}
	}
	result, err := n.m.Turn(ctx, req, func(c Chunk) error {
		switch {
		case c.Kind == ChunkText:
			return say(c.Text)
		case c.Kind == ChunkThinking && q.think != nil:
			return q.think(c.Text)
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	return answer{text: result.Message.Text(), calls: result.Message.ToolCalls, finish: result.Finish, usage: result.Usage}, nil
}
