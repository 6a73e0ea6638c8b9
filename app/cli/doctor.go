package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"benchtop/backend/executor"
	"benchtop/backend/secrets"
)

// finding is one line of the doctor's.
type finding struct {
	What string `json:"what"`
	// Verdict is ok, note (it works, with less) or fail.
	Verdict string `json:"verdict"`
	Says    string `json:"says"`
}

// doctorCommand looks at everything that a start needs. It changes nothing.
func doctorCommand(p *Program) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine offers the platform, and what is missing",
		Long: "Looks at the worker program, the walls around it, the keychain, the data directory, the port and the\n" +
			"display. Nothing is changed. Exit code 0: the platform can start; 1: something that it needs is missing.",
		Args: noArgs, Example: "  benchtop doctor",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(cmd); err != nil {
				return err
			}
			found, failed := p.examine(cmd.Context(), o), false
			for _, f := range found {
				failed = failed || f.Verdict == "fail"
			}
			err := p.show(found, func(w io.Writer) {
				for _, f := range found {
					fmt.Fprintf(w, "%-5s %-15s %s\n", f.Verdict, f.What, f.Says)
				}
			})
			if err == nil && failed {
				return exitCode(exitError)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&o.addr, "addr", defaultAddr, "the address that the platform would listen on")
	cmd.Flags().StringVar(&o.data, "data", "", "the data directory that it would use")
	o.log = "text"
	return cmd
}

func (p *Program) examine(ctx context.Context, o options) []finding {
	out := p.examineWorker()
	return append(out, p.examineKeychain(ctx), p.examineData(ctx, o), p.examinePort(ctx, o), p.examineDisplay())
}

// examineWorker starts a worker: it is found, it gets ready, and it says which
// walls are around it.
func (p *Program) examineWorker() []finding {
	argv, err := p.FindWorker()
	if err != nil {
		return []finding{{"worker", "fail", err.Error()}}
	}
	probed, err := executor.Probe(argv)
	if err != nil {
		return []finding{{"worker", "fail", err.Error()}}
	}
	out := []finding{{"worker", "ok", fmt.Sprintf("%s, ready after %.1f ms", strings.Join(argv, " "), float64(probed.Ready)/float64(time.Millisecond))}}
	if says := probed.Missing(); says != "" {
		return append(out, finding{"worker's walls", "note", says})
	}
	return append(out, finding{"worker's walls", "ok",
		fmt.Sprintf("Landlock %d, no new privileges, resource limits: no files, no programs, no signals", probed.Landlock)})
}

func (p *Program) examineKeychain(ctx context.Context) finding {
	const instead = "secrets are encrypted under a key in a file of the data directory that only you can read"
	if p.Getenv("BENCHTOP_KEYCHAIN") == "off" {
		return finding{"keychain", "note", "switched off by BENCHTOP_KEYCHAIN; " + instead}
	}
	if err := secrets.ProbeKeychain(ctx); err != nil {
		return finding{"keychain", "note", err.Error() + "; " + instead}
	}
	return finding{"keychain", "ok", "it answers"}
}

func (p *Program) examineData(ctx context.Context, o options) finding {
	path := o.data
	if path == "" {
		var err error
		if path, err = defaultDataDir(p.Getenv); err != nil {
			return finding{"data directory", "fail", err.Error()}
		}
	}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return examineParent(path)
	case err != nil:
		return finding{"data directory", "fail", err.Error()}
	case !st.IsDir():
		return finding{"data directory", "fail", path + " is no directory; name another one with --data"}
	}
	if r, err := readRunning(path); err == nil && r.answers(ctx) {
		return finding{"data directory", "ok", fmt.Sprintf("%s, in use by the platform at %s (process %d)", path, r.URL, r.PID)}
	}
	if err := writable(path); err != nil {
		return finding{"data directory", "fail", fmt.Sprintf("%s cannot be written: %v", path, err)}
	}
	if st.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return finding{"data directory", "note", path + " can be read by others; a start closes it"}
	}
	return finding{"data directory", "ok", path}
}

// examineParent looks at the nearest directory that is there.
func examineParent(path string) finding {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		st, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
			continue
		}
		if err == nil && !st.IsDir() {
			err = errors.New("it is no directory")
		}
		if err == nil {
			err = writable(dir)
		}
		if err != nil {
			return finding{"data directory", "fail", fmt.Sprintf("%s is not there and cannot be made in %s: %v", path, dir, err)}
		}
		return finding{"data directory", "ok", path + " (made at the first start)"}
	}
}

// writable tries, with a file that is gone at once.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func (p *Program) examinePort(ctx context.Context, o options) finding {
	ln, err := net.Listen("tcp", o.addr)
	if err == nil {
		ln.Close()
		return finding{"port", "ok", o.addr + " is free"}
	}
	if !taken(err) {
		return finding{"port", "fail", err.Error()}
	}
	held := o.addr + " is taken" + byHolder(ctx, o.addr)
	if o.addrGiven {
		return finding{"port", "fail", held}
	}
	return finding{"port", "note", held + "; a start takes the next free one"}
}

func (p *Program) examineDisplay() finding {
	where := "a window"
	if p.Window == nil {
		where = "the console in a browser (this build has no window)"
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return finding{"display", "ok", where}
	}
	for _, name := range []string{"WAYLAND_DISPLAY", "DISPLAY"} {
		if v := p.Getenv(name); v != "" {
			return finding{"display", "ok", fmt.Sprintf("%s=%s: %s", name, v, where)}
		}
	}
	return finding{"display", "note", "neither DISPLAY nor WAYLAND_DISPLAY is set: benchtop serve works, a window does not open"}
}
