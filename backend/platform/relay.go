package platform

import (
	"time"

	"benchtop/backend/relay"
)

// relay sends what the console's Client place asks for to this platform itself.
func (p *Platform) relay() *relay.Relay {
	return relay.New(relay.Config{URL: p.URL, Owner: p.auth.OwnerKey, Visitor: p.auth.MakeVisitorSession, Now: time.Now})
}
