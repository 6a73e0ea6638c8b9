package httpapi

import (
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

func (a *api) listCalls(c *call) error {
	calls, err := a.deps.Authoring.Calls(c.r.Context(), c.agent)
	if err != nil {
		return err
	}
	return c.ok(calls)
}

func (a *api) saveCall(c *call) error {
	var req contract.SaveCallRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if len(req.Body) == 0 {
		return contract.Errorf(contract.InvalidRequest, "send body: the JSON body of the call")
	}
	if _, err := callerNamed(req.Caller); err != nil {
		return err
	}
	saved, err := a.deps.Authoring.SaveCall(c.r.Context(), c.agent, c.name(), c.r.PathValue("call"), req)
	if err != nil {
		return err
	}
	return c.ok(saved)
}

// removeCall is no error for a call that is not there.
func (a *api) removeCall(c *call) error {
	if _, err := a.deps.Authoring.RemoveCall(c.r.Context(), c.agent, c.name(), c.r.PathValue("call")); err != nil {
		return err
	}
	return c.ok(contract.OKResponse{OK: true})
}

func (a *api) saveClientCall(c *call) error {
	var req contract.SaveClientCallRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	saved, err := a.deps.Authoring.SaveClientCall(c.r.Context(), c.agent, c.r.PathValue("call"), req)
	if err != nil {
		return err
	}
	return c.ok(saved)
}

func (a *api) renameClientCall(c *call) error {
	var req contract.RenameCallRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	renamed, err := a.deps.Authoring.RenameClientCall(c.r.Context(), c.agent, c.r.PathValue("call"), req.Name)
	if err != nil {
		return err
	}
	return c.ok(renamed)
}

// removeClientCall is no error for a call that is not there.
func (a *api) removeClientCall(c *call) error {
	if _, err := a.deps.Authoring.RemoveClientCall(c.r.Context(), c.agent, c.r.PathValue("call")); err != nil {
		return err
	}
	return c.ok(contract.OKResponse{OK: true})
}

// callerHeader lets the owner call a function as somebody else: what an owner
// may do to anybody's call anyway, and nobody else.
const callerHeader = "Benchtop-Caller"

// callsAs is who a manual invoke is by: whoever sends it, unless the owner says
// otherwise.
func callsAs(c *call) (auth.Caller, error) {
	h := c.r.Header[callerHeader]
	switch {
	case len(h) == 0:
		return c.caller, nil
	case c.caller.Kind != auth.KindOwner:
		return c.caller, contract.Errorf(contract.Forbidden, "%s is the owner's to send", callerHeader)
	case len(h) > 1:
		return c.caller, contract.Errorf(contract.InvalidRequest, "send one %s", callerHeader)
	}
	as, err := callerNamed(h[0])
	if err == nil && as.Kind == auth.KindOwner {
		as = c.caller
	}
	return as, err
}

func callerNamed(name string) (auth.Caller, error) {
	switch name {
	case "", contract.CallAsOwner:
		return auth.Caller{Kind: auth.KindOwner}, nil
	case contract.CallAsAnonymous:
		return auth.Caller{Kind: auth.KindAnonymous}, nil
	case contract.CallAsPortal:
		return auth.Caller{Kind: auth.KindPortal, UserID: contract.PortalTestUser, Scopes: []string{contract.ScopeRead, contract.ScopeInvoke}}, nil
	}
	return auth.Caller{}, contract.Errorf(contract.InvalidRequest, "a caller is one of %s, %s and %s, not %.32q",
		contract.CallAsOwner, contract.CallAsPortal, contract.CallAsAnonymous, name)
}

// clockOf is where the clock of a run begins that is started by hand; nil is the
// real time. Only the owner may set one: what a function does by its clock, such
// as letting something expire, is not for its callers to choose.
func clockOf(c *call) (*contract.Clock, error) {
	h := c.r.Header[contract.ClockHeader]
	switch {
	case len(h) == 0:
		return nil, nil
	case c.caller.Kind != auth.KindOwner:
		return nil, contract.Errorf(contract.Forbidden, "%s is the owner's to send", contract.ClockHeader)
	case len(h) > 1:
		return nil, contract.Errorf(contract.InvalidRequest, "send one %s", contract.ClockHeader)
	}
	return contract.ParseClock(h[0])
}
