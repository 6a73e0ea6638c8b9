package hostbridge

import (
	"context"
	"encoding/json"
)

// portalLookupAgent finds an agent.
func (b *Bridge) portalLookupAgent(_ context.Context, _ *Session, a arguments) (json.RawMessage, error) {
	ref, err := a.text("idOrUsername")
	if err != nil {
		return nil, err
	}
	agent, ok := b.cfg.Portal.Agent(ref)
	if !ok {
		return none, nil
	}
	return json.Marshal(struct {
		ID       string `json:"id"`
		Username string `json:"username"`
		OwnerID  string `json:"ownerId"`
	}{agent.ID, agent.Username, b.cfg.Portal.Owner().ID})
}
