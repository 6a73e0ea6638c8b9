// Package app is where the program begins: it decides what this process is (a
// worker, a command line, a window) and gives the command line its
// surroundings.
package app

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"benchtop/app/cli"
	"benchtop/app/window"
	"benchtop/backend/executor"
	"benchtop/frontend"
)

// version is set by the linker.
var version = "dev"

// Main runs the program and gives its exit code. args are those of the process,
// its name first.
func Main(args []string) int {
	// A worker is started often and must be there at once: nothing else of the
	// program is set up for it.
	if len(args) == 2 && args[1] == "worker" && runWorker != nil {
		return runWorker()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal begins an orderly end, a second one ends at once.
	context.AfterFunc(ctx, stop)

	p := &cli.Program{
		Args: args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		Version: version, Assets: frontend.Dist(),
		FindWorker: executor.FindWorker, Worker: runWorker,
	}
	if window.Available {
		p.Window = openWindow
	}
	return cli.Run(ctx, p)
}
