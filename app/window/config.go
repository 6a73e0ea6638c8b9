package window

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"

	"benchtop/backend/contract"
)

// ErrElsewhere is what Start returns, wrapped or bare, when another process
// already serves this data directory and was brought to the front: the window
// closes at once and Run returns the error.
var ErrElsewhere = errors.New("benchtop is already running")

// Config says what the window shows and how the platform behind it starts.
type Config struct {
	// Start opens the platform. It is called once, when the window system is
	// up and not before: tools that only inspect the program run main() too,
	// and must not open a database or a port by it. The context ends when the
	// window closes.
	Start func(ctx context.Context) (Served, error)

	// Expose, when set, is called just before Start with a function that
	// brings the window to the front. It may be called from any goroutine.
	Expose func(focus func())

	Assets    fs.FS        // the built page, index.html at its root
	Title     string       // of the window, "Benchtop" when empty
	Version   string       // for the About dialog
	StateFile string       // where size and position are kept; empty: nowhere
	Log       *slog.Logger // nil: discarded
}

// Served is a platform that answers.
type Served struct {
	URL   string        // http://127.0.0.1:PORT
	Token string        // owner token of this run, put into /boot.json
	Boot  contract.Boot // Mode, API and Token are filled in by the window

	// Close ends the platform: running invocations finish or are cancelled
	// before the context's deadline. May be nil.
	Close func(context.Context) error
}

// needDisplay refuses to open a window where there is nowhere to open it; GTK
// would end the program with a stack trace instead.
func needDisplay(goos string, env func(string) string) error {
	if goos == "linux" && env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == "" {
		return errors.New("no display: neither DISPLAY nor WAYLAND_DISPLAY is set; " +
			"run `benchtop serve` and open the address it prints in a browser")
	}
	return nil
}
