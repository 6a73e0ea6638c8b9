package model

import (
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// Admit says whether somebody may talk to an agent over its transports: anybody
// when AGENT.md says visibility: public, else the owner, an admin, and whoever
// has a token of the owner's or a key of the agent itself. A credential that
// does not hold is unauthorized, another one forbidden (spec 5 rule 5).
func Admit(a agents.Agent, c auth.Caller) error {
	if a.Settings.Visibility == agents.VisibilityPublic {
		return nil
	}
	switch {
	case c.Kind == auth.KindOwner, c.Kind == auth.KindAdmin:
		return nil
	case (c.Kind == auth.KindPortal || c.Kind == auth.KindAgent) && (c.AgentID == "" || c.AgentID == a.ID) && c.Has(contract.ScopeInvoke):
		return nil
	case c.Refused:
		return contract.Errorf(contract.Unauthorized, "the credential is not valid here; agent %s is its owner's alone", a.Username)
	}
	return contract.Errorf(contract.Forbidden, `agent %s is its owner's alone; "visibility: public" in AGENT.md opens it to everybody`, a.Username)
}
