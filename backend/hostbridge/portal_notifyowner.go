package hostbridge

import (
	"context"
	"encoding/json"

	"benchtop/backend/contract"
)

// portalNotifyOwner puts a message into the owner's inbox. Secrets that the
// invocation has seen do not go there.
func (b *Bridge) portalNotifyOwner(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	m := contract.InboxMessage{AgentID: s.claims.AgentID, Function: s.claims.Function, InvocationID: s.claims.InvocationID}
	err := a.texts(map[string]*string{"title": &m.Title, "body": &m.Body, "severity": &m.Severity, "deepLink": &m.DeepLink})
	if err != nil {
		return nil, err
	}
	m.Title, m.Body, m.DeepLink = s.Redact(m.Title), s.Redact(m.Body), s.Redact(m.DeepLink)
	return nil, b.cfg.Portal.Notify(ctx, m)
}
