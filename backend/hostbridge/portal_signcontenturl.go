package hostbridge

import (
	"context"
	"encoding/json"
	"math"

	"benchtop/backend/contract"
)

// portalSignContentURL gives an address at which anybody can read a content item
// of the agent until it expires. What makes it count stays out of the records.
func (b *Bridge) portalSignContentURL(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	id, err := a.text("contentId")
	if err != nil {
		return nil, err
	}
	opts, err := a.options("portal.signContentUrl", "opts")
	if err != nil {
		return nil, err
	}
	seconds, err := opts.number("expiresInSeconds")
	if err != nil {
		return nil, err
	}
	if math.IsNaN(seconds) {
		seconds = contract.DefaultLinkSeconds
	}
	if seconds < 1 || seconds > contract.MaxLinkSeconds {
		return nil, contract.Errorf(contract.InvalidRequest, "portal.signContentUrl: expiresInSeconds is from 1 to %d", contract.MaxLinkSeconds)
	}
	it, err := b.cfg.Content.Get(ctx, s.claims.AgentID, id)
	if err != nil {
		return nil, err
	}
	if it == nil {
		return nil, contract.Errorf(contract.NotFound, "portal.signContentUrl: the agent has no content item %.80q", id)
	}
	url, signature := b.cfg.Portal.SignContent(s.claims.AgentID, it.ID, int(seconds))
	s.remember("signature", signature)
	return json.Marshal(url)
}
