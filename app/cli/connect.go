package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/platform"
)

// Where a running platform is and how to speak to it as its owner, in the
// environment: for a program that cannot read the data directory.
const (
	envURL = "BENCHTOP_URL"
	envKey = "BENCHTOP_KEY"
)

// connection says which platform, and which of its agents, a command is about.
type connection struct {
	data    string
	agent   string
	project string
}

func (cn *connection) bindData(cmd *cobra.Command) {
	cmd.Flags().StringVar(&cn.data, "data", "", "data directory of the platform (default: the user's data directory, benchtop/)")
}

// bind declares the flags of a command that is about one agent.
func (cn *connection) bind(cmd *cobra.Command) {
	cn.bindData(cmd)
	cmd.Flags().StringVarP(&cn.agent, "agent", "a", "", "id or username of the agent (default: the one of this folder, or the only one)")
	cmd.Flags().StringVarP(&cn.project, "project", "p", "", "project folder; it is opened when it is not open yet")
}

// link is a platform that answers. Close it.
type link struct {
	*client.Client
	server *Server // of a platform in this process; nil else
}

// Close ends the platform of this process; one that runs elsewhere goes on.
func (l *link) Close(ctx context.Context) error {
	if l.server == nil {
		return nil
	}
	return l.server.Close(ctx)
}

// named finds the platform that the environment names; nil when it names none.
func (p *Program) named(ctx context.Context) (*client.Client, error) {
	at, key := p.Getenv(envURL), p.Getenv(envKey)
	if at == "" && key == "" {
		return nil, nil
	}
	if at == "" || key == "" {
		return nil, usagef("%s and %s go together: one is set, the other is not", envURL, envKey)
	}
	url, err := client.Address(at)
	if err != nil {
		return nil, usagef("%s: %w", envURL, err)
	}
	if b, err := askBoot(ctx, url); err != nil || b.DataID == "" {
		return nil, withExit{fmt.Errorf("no platform answers at %s, which %s names", url, envURL), exitUnreachable}
	}
	return &client.Client{URL: url, Bearer: key}, nil
}

// running finds the running platform: in the data directory that was named,
// else at the address of the environment, else in the default data directory.
// The directory is given in any case.
func (p *Program) running(ctx context.Context, data string) (c *client.Client, dir string, err error) {
	if data == "" {
		if c, err = p.named(ctx); c != nil || err != nil {
			return c, "", err
		}
		if data, err = defaultDataDir(p.Getenv); err != nil {
			return nil, "", err
		}
	}
	if r, err := readRunning(data); err == nil && r.answers(ctx) {
		c, err = r.client()
		return c, data, err
	}
	return nil, data, nil
}

// owner is running for what makes no sense without a platform that runs.
func (p *Program) owner(ctx context.Context, data string) (*client.Client, error) {
	c, dir, err := p.running(ctx, data)
	if c == nil && err == nil {
		err = withExit{fmt.Errorf("no platform runs with the data directory %s; start one with `benchtop` or `benchtop serve`", dir), exitUnreachable}
	}
	return c, err
}

// connect gives the running platform or, where none runs, one in this process
// on the same data directory, under its lock.
func (p *Program) connect(ctx context.Context, cn *connection) (*link, error) {
	c, dir, err := p.running(ctx, cn.data)
	if err != nil {
		return nil, err
	}
	if c != nil {
		return &link{Client: c}, nil
	}
	if _, err := os.Stat(dir); err != nil && cn.project == "" {
		return nil, withExit{fmt.Errorf("no platform runs, and there is no data directory %s; start one with `benchtop`, or name a project folder with --project", dir), exitUnreachable}
	}
	l, err := p.within(ctx, options{data: dir, log: "text"})
	var slow *Running // it has the lock, and did not answer at first
	if errors.As(err, &slow) {
		if c, err = slow.client(); err == nil {
			return &link{Client: c}, nil
		}
	}
	return l, err
}

// within opens a platform in this process. It listens nowhere and fires no
// schedules.
func (p *Program) within(ctx context.Context, o options) (_ *link, err error) {
	dir, err := p.openDataDir(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, failed: make(chan error, 1), version: p.Version, endStreams: func() {}, url: "http://127.0.0.1"}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close(context.WithoutCancel(ctx)))
		}
	}()
	worker, err := p.FindWorker()
	if err != nil {
		return nil, err
	}
	home, err := samplesDir(o, dir)
	if err != nil {
		return nil, err
	}
	s.platform, err = platform.Open(ctx, platform.Config{
		DataDir: dir.path, Version: p.Version, Ephemeral: o.ephemeral, Projects: o.projects, Worker: worker, Assets: p.Assets,
		Home: home, NoSchedules: true, ValidationsPerMinute: -1, Executor: o.executor,
		Log: slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		return nil, err
	}
	key, err := auth.OwnerKey(dir.path)
	if err != nil {
		return nil, err
	}
	return &link{Client: &client.Client{URL: s.url, Bearer: key, HTTP: client.Direct(s.platform.Handler())}, server: s}, nil
}

// with connects, runs do and takes the connection down again.
func (p *Program) with(cmd *cobra.Command, cn *connection, do func(ctx context.Context, l *link) error) error {
	return p.using(cmd.Context(), cn, do)
}

// using is with, outside of a command.
func (p *Program) using(ctx context.Context, cn *connection, do func(ctx context.Context, l *link) error) error {
	l, err := p.connect(ctx, cn)
	if err != nil {
		return err
	}
	return errors.Join(do(ctx, l), l.Close(context.WithoutCancel(ctx)))
}

// withAgent is with for a command that is about one agent.
func (p *Program) withAgent(cmd *cobra.Command, cn *connection, do func(ctx context.Context, l *link, a contract.Agent) error) error {
	return p.with(cmd, cn, func(ctx context.Context, l *link) error {
		a, err := cn.agentOf(ctx, l)
		if err != nil {
			return err
		}
		return do(ctx, l, a)
	})
}

// agentOf finds the agent: the one that is named, the one of the project folder,
// the one whose folder we stand in, the only one.
func (cn *connection) agentOf(ctx context.Context, l *link) (a contract.Agent, err error) {
	ref := cn.agent
	if cn.project != "" {
		if ref != "" {
			return a, usagef("--agent and --project both name an agent; give one")
		}
		dir, err := filepath.Abs(cn.project)
		if err != nil {
			return a, err
		}
		var opened contract.Project
		if err = l.Post(ctx, "/api/local/projects", contract.OpenProjectRequest{Path: dir}, &opened); err != nil {
			return a, err
		}
		ref = opened.AgentID
	}
	if ref != "" {
		err = l.Get(ctx, client.Agent(ref), &a)
		return a, err
	}
	var all []contract.Agent
	if err := l.Get(ctx, "/api/agents", &all); err != nil {
		return a, err
	}
	if here, err := os.Getwd(); err == nil {
		if found, ok := inFolder(all, here); ok {
			return found, nil
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	if len(all) == 0 {
		return a, withExit{errors.New("the platform has no agent; open a project folder with --project"), exitNotFound}
	}
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = one.Username
	}
	return a, usagef("which agent? Name one with --agent: %s", strings.Join(names, ", "))
}

// inFolder gives the agent whose folder is dir or around it.
func inFolder(all []contract.Agent, dir string) (found contract.Agent, ok bool) {
	dir = resolved(dir)
	for _, a := range all {
		if a.Folder == "" || len(a.Folder) < len(found.Folder) {
			continue
		}
		rel, err := filepath.Rel(resolved(a.Folder), dir)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			found, ok = a, true
		}
	}
	return found, ok
}

func resolved(dir string) string {
	if r, err := filepath.EvalSymlinks(dir); err == nil {
		return r
	}
	return dir
}
