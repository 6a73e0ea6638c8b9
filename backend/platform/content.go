package platform

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/agents"
	"benchtop/backend/content"
	"benchtop/backend/functions"
)

// openDirs names, in the environment, the directories outside of projects that
// functions may bind as folders; separated as in PATH, none by default. Only
// absolute ones count.
const openDirs = "BENCHTOP_FOLDERS"

func (p *Platform) openContent(ag *agents.Agents, fns *functions.Functions) *content.Content {
	var open []string
	for _, dir := range filepath.SplitList(os.Getenv(openDirs)) {
		if filepath.IsAbs(dir) {
			open = append(open, filepath.Clean(dir))
		} else if dir != "" {
			p.cfg.Log.Warn(openDirs+" has a directory that is not absolute; it is left out", "directory", dir)
		}
	}
	return content.New(content.Config{
		Store: p.db, Open: open, Now: time.Now, NewID: uuid.NewString,
		Home: func(agentID string) string {
			agent, _ := ag.Resolve(agentID)
			return agent.Folder
		},
		Source: func(ctx context.Context, agentID, id string) (*content.Source, error) {
			f, err := fns.ByContent(ctx, agentID, id)
			if f == nil || err != nil {
				return nil, err
			}
			return &content.Source{Function: f.Name, Version: f.Version, File: f.File, Text: f.Source, CreatedAt: f.CreatedAt}, nil
		},
	})
}
