package livereload

import (
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

// lookAtCalls publishes that the saved calls are others than at the last look.
func (w *watched) lookAtCalls() {
	now := project.CallsMark(w.path)
	if w.calls != nil && *w.calls != now {
		w.p.cfg.Publish(contract.EvCallsChanged, contract.CallsChange{AgentID: w.agentID})
	}
	w.calls = &now
}
