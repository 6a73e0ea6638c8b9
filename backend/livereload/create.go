package livereload

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
	"benchtop/backend/samples"
)

const mostCopies = 99

// Create makes a project from a sample and opens it. Without a path it goes to
// <Home>/<sample>; the project made there before is opened again, and beside
// anything else of that name the copy gets a number. A path with something in it
// answers PROJECT_EXISTS.
func (p *Projects) Create(ctx context.Context, sample, path string) (contract.Project, error) {
	p.changing.Lock()
	defer p.changing.Unlock()
	if !samples.Has(sample) {
		return contract.Project{}, contract.Errorf(contract.NotFound, "there is no sample %.80q", sample)
	}
	if path != "" {
		if full, err := occupied(path); err != nil || full {
			return contract.Project{}, contract.Errorf(contract.ProjectExists, "%s is there already and is not empty; open it, or choose another folder", path)
		}
		return p.copyTo(ctx, sample, path)
	}
	for n := 1; n <= mostCopies; n++ {
		path := filepath.Join(p.cfg.Home, numbered(sample, n))
		full, err := occupied(path)
		if err != nil {
			continue
		}
		if !full {
			return p.copyTo(ctx, sample, path)
		}
		if u, err := project.Read(path); err == nil && u.Agent.File != nil && u.Agent.Name == numbered(sample, n) {
			return p.openLocked(ctx, path)
		}
	}
	return contract.Project{}, contract.Errorf(contract.ProjectExists, "%s has %d folders named after this sample; choose a path", p.cfg.Home, mostCopies)
}

func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, n)
}

// occupied reports whether something is at path that is no empty folder.
func occupied(path string) (bool, error) {
	entries, err := os.ReadDir(path)
	if os.IsNotExist(err) {
		return false, nil
	}
	return len(entries) > 0, err
}

// copyTo writes the sample and opens it. Its name in AGENT.md follows the
// folder's when the folder has a number or the sample's own name is taken.
func (p *Projects) copyTo(ctx context.Context, sample, path string) (contract.Project, error) {
	if err := samples.Copy(sample, path); err != nil {
		if contract.AsError(err) != nil {
			return contract.Project{}, err
		}
		return contract.Project{}, contract.Errorf(contract.ProjectInvalid, "the sample cannot be written to %s: %s", path, reason(err))
	}
	name := sample
	if base := filepath.Base(path); base != sample && agents.CheckUsername(base) == nil {
		name = base
	}
	for n := 2; n <= mostCopies; n++ {
		if _, taken := p.cfg.Agents.Resolve(name); !taken {
			break
		}
		name = numbered(sample, n)
	}
	if name != sample {
		folder, err := project.OpenFolder(path)
		if err != nil {
			return contract.Project{}, err
		}
		defer folder.Close()
		if err := folder.UpdateAgent(func(text string) (string, bool) { return project.Rename(text, name) }); err != nil {
			return contract.Project{}, err
		}
	}
	return p.openLocked(ctx, path)
}

func gone(dir string) bool {
	_, err := os.Stat(dir)
	return err != nil
}
