package platform

import (
	"context"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/tasks"
	"benchtop/backend/transports/a2a"
)

// openA2A makes the agent-to-agent transport over the tasks that are stored.
func (p *Platform) openA2A(ctx context.Context) error {
	all, err := tasks.New(ctx, tasks.Config{Store: p.db, Now: time.Now})
	if err != nil {
		return err
	}
	p.a2a = a2a.New(a2a.Config{
		Turner: p.model, Tasks: all, Tools: p.invoker.Tools, BaseURL: p.URL, Version: p.cfg.Version,
		Legacy: func() bool { return p.settings.Get().A2ALegacy },
		NewID:  uuid.NewString, Log: p.cfg.Log,
	})
	return nil
}
