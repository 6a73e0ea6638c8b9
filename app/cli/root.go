package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchtop/backend/contract"
)

// rootCommand is the bare `benchtop`: the window where this build has one, else
// the console in a browser.
func rootCommand(p *Program) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "benchtop",
		Short: "A local platform for agents and their functions",
		Long: "Benchtop runs the agent platform on this machine: write functions, call them, see what happened.\n" +
			"Without a command it opens the console.",
		Example: "  benchtop\n  benchtop --project ~/Benchtop/hello\n  benchtop fn invoke greet name=Ada",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(cmd); err != nil {
				return err
			}
			if p.Window != nil {
				return p.openWindow(o)
			}
			return p.serveAndShow(cmd.Context(), o)
		},
	}
	o.bind(cmd)
	cmd.PersistentFlags().BoolVar(&p.asJSON, "json", false, "print JSON instead of text; errors are JSON on stderr")
	return cmd
}

// serveAndShow serves and opens the browser. When the platform runs already,
// the browser is opened on that.
func (p *Program) serveAndShow(ctx context.Context, o options) error {
	s, err := p.start(ctx, o, nil)
	var running *Running
	if errors.As(err, &running) {
		fmt.Fprintf(p.Stderr, "benchtop: %v\n", err)
		c, err := running.client()
		if err != nil {
			return err
		}
		return p.showConsole(ctx, c)
	}
	if err != nil {
		return err
	}
	p.announce(s)
	// Its own code: the printed one still works for somebody else's browser.
	if err := p.browse(s.LoginURL()); err != nil {
		fmt.Fprintf(p.Stderr, "benchtop: %v; open the console's address above\n", err)
	}
	return s.run(ctx)
}

// openWindow opens the window; the platform starts when the window system is up.
func (p *Program) openWindow(o options) error {
	dir := o.data
	if dir == "" && !o.ephemeral {
		var err error
		if dir, err = defaultDataDir(p.Getenv); err != nil {
			return err
		}
	}
	state := "" // an ephemeral window stands where windows stand
	if dir != "" {
		state = filepath.Join(dir, "window.json")
	}
	return p.Window(WindowOptions{
		Start: func(ctx context.Context, focus func()) (*Server, error) {
			s, err := p.start(ctx, o, focus)
			var running *Running
			if errors.As(err, &running) {
				fmt.Fprintf(p.Stderr, "benchtop: %v\n", err)
				return nil, errors.Join(err, p.showRunning(ctx, running))
			}
			if err == nil {
				p.announce(s)
			}
			return s, err
		},
		Assets: p.Assets, Version: p.Version, StateFile: state, Log: p.logger(o.log),
	})
}

// showRunning brings a running platform before the owner's eyes: its window
// or, when it has none, the browser.
func (p *Program) showRunning(ctx context.Context, r *Running) error {
	c, err := r.client()
	if err != nil {
		return err
	}
	var seen contract.FocusResponse
	if err := c.Post(ctx, "/api/local/focus", nil, &seen); err != nil || seen.Focused {
		return err
	}
	return p.showConsole(ctx, c)
}

// announce prints the two lines that tell where the platform is.
func (p *Program) announce(s *Server) {
	if p.asJSON {
		_ = p.showLine(map[string]string{"url": s.URL(), "console": s.LoginURL()}) // who reads no stdout has the ready file
		return
	}
	fmt.Fprintf(p.Stdout, "benchtop: listening on %s\nconsole: %s\n", s.URL(), s.LoginURL())
}
