package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"

	"github.com/spf13/cobra"
)

// Program is what surrounds the command line.
type Program struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Version string
	Assets  fs.FS // the built page

	// FindWorker gives the command line of a worker process.
	FindWorker func() ([]string, error)
	// Worker is the worker itself; nil in a build that cannot be one.
	Worker func() int
	// Window opens the desktop window and returns when it is closed; nil in a
	// build without one.
	Window func(WindowOptions) error

	asJSON bool // --json
}

// WindowOptions is what the window needs of the command line.
type WindowOptions struct {
	// Start starts the platform. focus, which may be nil, brings the window to
	// the front. A *Running error means that another process serves this data
	// directory and has been shown to the owner already.
	Start func(ctx context.Context, focus func()) (*Server, error)

	Assets    fs.FS
	Version   string
	StateFile string
	Log       *slog.Logger
}

// Run runs one command line and gives the exit code of the program.
func Run(ctx context.Context, p *Program) int {
	root := tree(p)
	root.SetArgs(p.Args)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })

	err := root.ExecuteContext(ctx)
	code := exitOf(ctx, err)
	p.report(err, code)
	return code
}

// tree is the whole command line.
func tree(p *Program) *cobra.Command {
	root := rootCommand(p)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.ID, Title: g.Title})
	}
	for _, c := range commands {
		cmd := c.make(p)
		cmd.GroupID = c.group
		root.AddCommand(cmd)
	}
	for _, t := range topics() {
		root.AddCommand(t)
	}
	return root
}

// noArgs refuses arguments, as a mistake of usage.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("%s takes no argument, and there is no command %q", cmd.CommandPath(), args[0])}
}
