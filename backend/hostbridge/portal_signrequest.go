package hostbridge

import (
	"context"
	"encoding/json"

	"benchtop/backend/contract"
)

// portalSignRequest says what there is in the place of a method that is not offered.
func (b *Bridge) portalSignRequest(context.Context, *Session, arguments) (json.RawMessage, error) {
	return nil, contract.Errorf(contract.PortalUnsupported,
		"portal.signRequest is not part of ctx; to reach another agent use ctx.portal.callTool, which says who is calling by itself")
}
