package platform

import (
	"time"

	"benchtop/backend/relay"
)

// relay sends what the console's Client place asks for to this platform itself.
func (p *Platform) relay() *relay.Relay {
	return relay.New(relay.Config{URL: p.URL, Owner: p.auth.OwnerKey, Admin: p.auth.LendAdmin, Visitor: p.auth.LendVisitor, Now: time.Now})
}
