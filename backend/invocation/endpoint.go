package invocation

import (
	"context"
	"errors"

	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/worker/wire"
)

// Endpoint is a handler of a custom endpoint (spec 4.5) and the other end of its
// run. Handler has the module's name and source, and what its manifest grants;
// Args becomes ctx.args. Socket says that the peer is a WebSocket, Lasting that
// the run may go on for hours and mostly wait: it then shares a process.
type Endpoint struct {
	Handler *functions.Function
	Args    contract.RawJSON
	Socket  bool
	Lasting bool
	Peer    Peer
	// Spared is set by Shape for an answer that its caller need not pay for.
	Spared bool

	charge func() (*Receipt, *contract.Error) // nil for what is free
}

// Charge takes the price of the run while it goes on, because its answer begins:
// nothing that happens later gives it back. Who does not call it is charged at the
// end. The receipt is nil for what is free; an error says that the answer must not
// begin.
func (e *Endpoint) Charge() (*Receipt, *contract.Error) {
	if e.charge == nil {
		return nil, nil
	}
	return e.charge()
}

// Peer answers what a handler says to the other end of its run: wire.PeerCall's
// methods. A call ends when the other end has taken what it brings, or has sent
// what it asks for; ctx ends with the run. It is called from several goroutines.
type Peer interface {
	Call(ctx context.Context, method string, args contract.RawJSON) contract.HostReply
}

// ErrHungUp is the cause by which an endpoint's caller ends its run.
var ErrHungUp = errors.New("the caller hung up")

// kind names the endpoint for the executor.
func (e *Endpoint) kind() string {
	switch {
	case e == nil:
		return ""
	case e.Socket:
		return wire.EndpointSocket
	}
	return wire.EndpointHTTP
}

// lasts reports whether nobody should wait for the run's own end.
func (e *Endpoint) lasts() bool { return e != nil && e.Lasting }

type runKey struct{}

// WithRun gives a context in which a run is known by its id, for what happens
// within it (ToolRequest.Within).
func WithRun(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, runKey{}, id)
}

// RunOf gives the id of the run that a context is of, or "".
func RunOf(ctx context.Context) string {
	id, _ := ctx.Value(runKey{}).(string)
	return id
}
