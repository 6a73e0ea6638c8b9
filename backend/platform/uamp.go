package platform

import (
	"context"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/transports/uamp"
)

// openUAMP makes the transport of universal agent messaging.
func (p *Platform) openUAMP(ag *agents.Agents) {
	p.uamp = uamp.New(uamp.Config{
		Turner: p.model, Agent: ag.Resolve, Payments: p.ledger.Payments, Tools: p.invoker.Tools, Provides: p.provides,
		Identify: func(ctx context.Context, bearer string) (auth.Caller, error) { return p.auth.Identify(ctx, bearer, "") },
		Now:      time.Now, NewID: uuid.NewString, Log: p.cfg.Log,
	})
}
