package hostbridge

import (
	"context"
	"encoding/json"
	"strings"

	"benchtop/backend/contract"
)

const maxPrompt = 64 << 10

// BackgroundRun is what a function asks of ctx.portal.backgroundRun.
type BackgroundRun struct {
	AgentID      string
	Function     string
	InvocationID string
	Prompt       string
}

// portalBackgroundRun starts a run of the agent's model that nobody waits for.
// Secrets that the invocation has seen do not go there.
func (b *Bridge) portalBackgroundRun(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	r := BackgroundRun{AgentID: s.claims.AgentID, Function: s.claims.Function, InvocationID: s.claims.InvocationID}
	if err := a.texts(map[string]*string{"prompt": &r.Prompt}); err != nil {
		return nil, err
	}
	r.Prompt = s.Redact(r.Prompt)
	if strings.TrimSpace(r.Prompt) == "" || len(r.Prompt) > maxPrompt {
		return nil, contract.Errorf(contract.InvalidRequest, "portal.backgroundRun: prompt is a text of 1 to %d bytes", maxPrompt)
	}
	return b.cfg.Portal.BackgroundRun(ctx, r)
}
