package hostbridge

import (
	"context"
	"encoding/json"
)

// portalGetOwner says who owns the agent.
func (b *Bridge) portalGetOwner(context.Context, *Session, arguments) (json.RawMessage, error) {
	return json.Marshal(b.cfg.Portal.Owner())
}
