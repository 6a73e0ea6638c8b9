package platform

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/model"
	"benchtop/backend/payments"
)

// openModel makes what answers when somebody talks to an agent.
func (p *Platform) openModel(ag *agents.Agents, o *portal) {
	p.model = model.New(model.Config{
		Agents: ag, Tools: modelTools{p.invoker}, Secrets: p.secrets, Payments: modelPayments{p.ledger.Payments, p.invoker, p.cfg.Log},
		BaseURL: p.URL, Now: time.Now, NewID: uuid.NewString, Log: p.cfg.Log,
		Report: o.ranInBackground,
	})
}

// modelTools has the pipeline run what a model calls.
type modelTools struct{ *invocation.Invoker }

// CallTool implements model.Tools.
func (t modelTools) CallTool(ctx context.Context, c model.ToolRequest) (model.ToolAnswer, error) {
	answer, err := t.Invoker.CallTool(ctx, invocation.ToolRequest{
		AgentID: c.AgentID, Tool: c.Tool, Args: c.Args, CallID: c.CallID, Caller: c.Caller, OnEmit: c.OnEmit, Tokens: c.Tokens,
		Within: invocation.RunOf(ctx),
	})
	return model.ToolAnswer{Value: answer.Value, Code: answer.Code, InvocationID: answer.InvocationID}, err
}

// modelPayments sees to it that turns are paid for. The tools themselves are
// charged by the pipeline, each for what it cost.
type modelPayments struct {
	*payments.Payments
	tools *invocation.Invoker
	log   *slog.Logger
}

// delegatedCalls is how many calls of another agent's dearest tool a turn of it
// may cost, as far as the caller's token goes.
const delegatedCalls = 10

// delegatedFor is when what an ended platform left over goes back.
const delegatedFor = time.Hour

// price is what a caller has to be able to pay for a turn: one call of the
// agent's dearest tool. The owner, without a token, pays as all the owner's runs
// are paid for.
func (m modelPayments) price(a agents.Agent, caller auth.Caller, tokens []string) payments.Amount {
	if len(tokens) == 0 && invocation.OwnerPays(invocation.ToolRequest{Caller: caller}) {
		return 0
	}
	return m.tools.TopToolPrice(a.ID)
}

// Require implements model.Payments.
func (m modelPayments) Require(ctx context.Context, a agents.Agent, caller auth.Caller, tokens []string) error {
	price := m.price(a, caller, tokens)
	if price == 0 {
		return nil
	}
	paid, refused := m.Gate(ctx, payments.Charge{AgentID: a.ID, Price: price, Description: "the tools of " + a.Username}, tokens)
	if refused != nil {
		return refused
	}
	return paid.Release(ctx)
}

// Delegate implements model.Payments. Only a token that is meant for the agent
// which hands it on counts.
func (m modelPayments) Delegate(ctx context.Context, from, to agents.Agent, caller auth.Caller, tokens []string) (string, func(), error) {
	price := m.price(to, caller, tokens)
	if price == 0 {
		return "", func() {}, nil
	}
	for _, token := range tokens {
		v := m.Verify(ctx, payments.VerifyRequest{Token: token, Audience: []string{from.ID, from.Username}})
		if !v.Valid || v.Balance < price {
			continue
		}
		amount := min(v.Balance, delegatedCalls*price)
		child, text, err := m.Payments.Delegate(ctx, payments.DelegateRequest{
			ParentToken: token, To: to.ID, Amount: &amount, DelegatedBy: from.ID, ExpiresIn: delegatedFor,
		})
		if err != nil {
			return "", nil, err
		}
		return text, func() { m.giveBack(context.WithoutCancel(ctx), child.ID) }, nil
	}
	// None of them would do: what the first agent would say says why.
	paid, refused := m.Gate(ctx, payments.Charge{AgentID: from.ID, Price: price, Description: "the tools of " + to.Username}, tokens)
	if refused != nil {
		return "", nil, refused
	}
	return "", nil, errors.Join(paid.Release(ctx), contract.Errorf(contract.PaymentTokenInvalid, "no payment token of this request can be handed on to agent %s", to.Username))
}

func (m modelPayments) giveBack(ctx context.Context, tokenID string) {
	if _, _, err := m.Revoke(ctx, tokenID); err != nil {
		m.log.Warn("what is left of a delegated token goes back when it expires", "token", tokenID, "error", err)
	}
}
