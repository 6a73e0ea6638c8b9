package httpapi

import (
	"net/http"

	"benchtop/backend/contract"
)

// hostCall is the network door of the host bridge, spec 4.3 and contract.md
// 4.4. The bridge checks the token itself; every answer, a refusal too, is a
// HostReply, because the executor reads nothing else.
func (a *api) hostCall(c *call) error {
	var req contract.HostRequest
	token, err := bearerOf(c.r)
	if err == nil && token == "" {
		err = contract.Errorf(contract.InvalidInvocation, "an invocation token is needed here")
	}
	if err == nil {
		err = c.decode(&req)
	}
	if err != nil {
		e, status := c.describe(err)
		return c.json(status, contract.HostReply{Error: &contract.HostFailed{Code: e.Code, Message: e.Message}})
	}
	status, reply := a.deps.Bridge.ServeToken(c.r.Context(), token, c.r.Header.Get("Idempotency-Key"), req)
	if status == 0 {
		status = http.StatusOK
	}
	return c.json(status, reply)
}
