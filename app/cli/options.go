package cli

import (
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchtop/backend/invocation"
)

// options are the flags of a start.
type options struct {
	addr        string
	addrGiven   bool
	data        string
	projects    []string
	ephemeral   bool
	readyFile   string
	validations int
	log         string
	remote      remoteOptions

	// executor stands before the worker processes; nil for the plain ones.
	executor func(invocation.Executor) invocation.Executor
}

// bind declares the flags on a command.
func (o *options) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.addr, "addr", defaultAddr, "loopback address to listen on; port 0 takes any free one")
	f.StringVar(&o.data, "data", "", "data directory (default: the user's data directory, benchtop/)")
	f.StringArrayVar(&o.projects, "project", nil, "project folder to open; may be repeated")
	f.BoolVar(&o.ephemeral, "ephemeral", false, "use a temporary data directory and remove it at the end")
	f.StringVar(&o.readyFile, "ready-file", "", "file to write {url, pid, data} to as soon as the platform answers")
	f.IntVar(&o.validations, "validations-per-minute", 0, "validations an agent may ask for in a minute; -1 does not limit (default 60, or what is set in the console)")
	f.StringVar(&o.log, "log", "text", "format of the log on stderr: text or json")
	o.remote.bind(cmd)
}

// complete checks the flags and makes paths absolute. Nothing is opened before.
func (o *options) complete(cmd *cobra.Command) (err error) {
	o.addrGiven = cmd.Flags().Changed("addr")
	if err := o.remote.complete(); err != nil {
		return err
	}
	if o.addr, err = loopback(o.addr); err != nil {
		return err
	}
	if o.log != "text" && o.log != "json" {
		return usageError{fmt.Errorf("--log is text or json, not %q", o.log)}
	}
	if o.ephemeral && o.data != "" {
		return usageError{fmt.Errorf("--ephemeral makes a data directory of its own; leave --data away")}
	}
	paths := []*string{&o.data, &o.readyFile}
	for i := range o.projects {
		paths = append(paths, &o.projects[i])
	}
	for _, p := range paths {
		if *p == "" {
			continue
		}
		if *p, err = filepath.Abs(*p); err != nil {
			return err
		}
	}
	return nil
}

func (p *Program) logger(format string) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(p.Stderr, nil))
	}
	return slog.New(slog.NewTextHandler(p.Stderr, nil))
}
