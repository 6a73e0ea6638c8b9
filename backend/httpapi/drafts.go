package httpapi

import (
	"context"
	"time"

	"benchtop/backend/contract"
)

// Drafts are the unsaved texts of editors.
type Drafts interface {
	List(ctx context.Context, agentID string) (contract.DraftList, error)
	Put(ctx context.Context, agentID, name, file string, req contract.DraftRequest) (time.Time, error)
	Drop(ctx context.Context, agentID, name, file string) error
}

func (a *api) listDrafts(c *call) error {
	list, err := a.deps.Drafts.List(c.r.Context(), c.agent.ID)
	if err != nil {
		return err
	}
	return c.ok(list)
}

func (a *api) putDraft(c *call) error {
	var req contract.DraftRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	at, err := a.deps.Drafts.Put(c.r.Context(), c.agent.ID, c.name(), c.r.PathValue("file"), req)
	if err != nil {
		return err
	}
	return c.ok(contract.DraftKept{OK: true, UpdatedAt: at})
}

// dropDraft is no error for a draft that is not there.
func (a *api) dropDraft(c *call) error {
	if err := a.deps.Drafts.Drop(c.r.Context(), c.agent.ID, c.name(), c.r.PathValue("file")); err != nil {
		return err
	}
	return c.ok(contract.OKResponse{OK: true})
}
