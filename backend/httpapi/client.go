package httpapi

import (
	"context"
	"net/http"

	"benchtop/backend/contract"
)

// Relay sends what the Client place asks for.
type Relay interface {
	Serve(ctx context.Context, w http.ResponseWriter, req contract.ClientRequest) error
	Send(id string, m contract.ClientSend) error
	End(id string) bool
}

// relayRequest sends one request and streams what comes of it.
func (a *api) relayRequest(c *call) error {
	var req contract.ClientRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	return a.deps.Relay.Serve(c.r.Context(), c.w, req)
}

// relayMessage puts a message into an open WebSocket.
func (a *api) relayMessage(c *call) error {
	var m contract.ClientSend
	if err := c.decode(&m); err != nil {
		return err
	}
	if err := a.deps.Relay.Send(c.r.PathValue("id"), m); err != nil {
		return err
	}
	return c.ok(contract.OKResponse{OK: true})
}

// relayEnd ends a request; one that has ended is no error.
func (a *api) relayEnd(c *call) error {
	a.deps.Relay.End(c.r.PathValue("id"))
	return c.ok(contract.OKResponse{OK: true})
}
