package platform

import (
	"context"

	"benchtop/backend/hostbridge"
	"benchtop/backend/invocation"
)

// nearDoor joins the pipeline to the host bridge without either knowing the
// other.
type nearDoor struct{ *hostbridge.Session }

func openNearDoor(b *hostbridge.Bridge, p invocation.Pins) nearDoor {
	return nearDoor{b.Open(hostbridge.Claims{
		AgentID: p.AgentID, Function: p.Function, InvocationID: p.InvocationID,
		ConsumerID: p.ConsumerID, BilledTo: p.BilledTo,
		Permissions: p.Permissions, Folders: p.Permissions.Folders,
		VisitorID: p.VisitorID, IngressBytes: p.IngressBytes, Parent: p.Parent, Depth: p.Depth,
	})}
}

func (d nearDoor) Meters() invocation.Meters { return invocation.Meters(d.Usage()) }

// nested has the pipeline run what a function asks of ctx.fn.invoke.
func (p *Platform) nested(ctx context.Context, n hostbridge.Nested) (hostbridge.NestedResult, error) {
	value, replayed, err := p.invoker.InvokeNested(ctx, invocation.Nested(n))
	return hostbridge.NestedResult{Value: value, Replayed: replayed}, err
}
