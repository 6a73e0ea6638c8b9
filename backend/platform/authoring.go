package platform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/authoring"
	"benchtop/backend/consumers"
	"benchtop/backend/content"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/invocation"
	"benchtop/backend/livereload"
)

// openAuthoring joins the flows over a function's life outside its runs.
func (p *Platform) openAuthoring(ag *agents.Agents, fns *functions.Functions, cons *consumers.Consumers, hist *history.History, items *content.Content) (*authoring.Authoring, *livereload.Projects, error) {
	author := authoring.New(authoring.Config{
		Functions: fns, Agents: ag, Checker: p.check, History: hist, Secrets: p.secrets, Consumers: cons, Contents: items,
		Endpoints: p.endpoints, Routes: p.routes(ag), Script: p.model.Load,
		Publish: p.bus.Publish, Now: time.Now, Log: p.cfg.Log,
	})
	projects, err := livereload.New(livereload.Config{
		Agents: ag, Loader: author, Store: p.db, Home: p.cfg.Home,
		Publish: p.bus.Publish, Now: time.Now, Log: p.cfg.Log,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("watch project folders: %w", err)
	}
	return author, projects, nil
}

// check has the executor compile a source and look for its handler.
func (p *Platform) check(ctx context.Context, file, source, entrypoint string) (errors, warnings []contract.Problem) {
	sum := sha256.Sum256([]byte(source))
	c := p.runner.Check(ctx, invocation.Source{Name: file, Text: source, SHA256: hex.EncodeToString(sum[:])}, entrypoint)
	return c.Errors, c.Warnings
}
