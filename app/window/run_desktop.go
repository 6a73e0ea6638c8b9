//go:build desktop || dev || bindings

package window

import (
	"context"
	_ "embed"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/windows"
	native "github.com/wailsapp/wails/v2/pkg/runtime"
)

// Available says that this build can open a window.
const Available = true

//go:embed icon.png
var icon []byte

// Run opens the window and blocks until it is closed, by the owner or by
// SIGTERM or SIGINT; the platform behind it is closed then too. Its error is
// what kept the platform from starting or from closing in order.
func Run(cfg Config) error {
	cfg = cfg.withDefaults()
	if err := needDisplay(runtime.GOOS, os.Getenv); err != nil {
		return err
	}
	h := &host{cfg: cfg, session: newSession(cfg.Start), up: make(chan struct{})}
	opened, err := loadState(cfg.StateFile)
	if err != nil {
		cfg.Log.Warn("window: where it last stood is unknown", "err", err)
	}
	h.opened = opened

	start := options.Normal
	if opened.Maximised {
		start = options.Maximised
	}
	if err := wails.Run(&options.App{
		Title:              cfg.Title,
		Width:              opened.Width,
		Height:             opened.Height,
		MinWidth:           minWidth,
		MinHeight:          minHeight,
		WindowStartState:   start,
		AssetServer:        &assetserver.Options{Assets: cfg.Assets, Middleware: middleware(h.session, cfg.Log)},
		Menu:               h.menu(),
		Bind:               []any{h.native()},
		OnStartup:          h.startup,
		OnDomReady:         h.domReady,
		OnBeforeClose:      h.beforeClose,
		OnShutdown:         h.shutdown,
		Logger:             wailsLog{cfg.Log},
		LogLevelProduction: logger.WARNING,
		// Without an explicit policy these options would switch the GPU on,
		// which leaves the window blank with some drivers.
		Linux:   &linux.Options{Icon: icon, ProgramName: "benchtop", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		Windows: &windows.Options{Theme: windows.SystemDefault},
	}); err != nil {
		return err
	}
	return h.closed
}

func (c Config) withDefaults() Config {
	if c.Title == "" {
		c.Title = "Benchtop"
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// host ties one window to its session.
type host struct {
	cfg     Config
	session *session
	opened  state     // how the window was asked to stand
	placed  sync.Once // the page can load more than once

	up     chan struct{}   // closed when ctx is set
	wails  context.Context // of Wails; use ctx()
	closed error           // set in shutdown, read when wails.Run has returned
}

// ctx is what Wails' functions need. It waits for startup: a menu can be
// clicked before.
func (h *host) ctx() context.Context {
	<-h.up
	return h.wails
}

func (h *host) startup(ctx context.Context) {
	h.wails = ctx
	close(h.up)
	if h.cfg.Expose != nil {
		h.cfg.Expose(h.focus)
	}
	err := h.session.run()
	switch {
	case errors.Is(err, ErrElsewhere):
		// Quit is lost before the window system's loop runs. It answers
		// questions only when it does.
		if _, err := native.ScreenGetAll(ctx); err != nil {
			h.cfg.Log.Warn("window: the screen's size is unknown", "err", err)
		}
		native.Quit(ctx)
	case err != nil:
		h.cfg.Log.Error("window: the platform did not start", "err", err)
	}
}

// domReady puts the window where it stood, now that there is a screen to ask.
func (h *host) domReady(ctx context.Context) {
	h.placed.Do(func() {
		if h.opened.Maximised {
			return
		}
		screens, err := native.ScreenGetAll(ctx)
		if err != nil {
			h.cfg.Log.Warn("window: the screen's size is unknown", "err", err)
			return
		}
		for _, screen := range screens {
			if !screen.IsCurrent {
				continue
			}
			want := h.opened.clamp(screen.Size.Width, screen.Size.Height)
			if want.Width != h.opened.Width || want.Height != h.opened.Height {
				native.WindowSetSize(ctx, want.Width, want.Height)
			}
			if h.opened.Placed {
				native.WindowSetPosition(ctx, want.X, want.Y)
			}
		}
	})
}

// beforeClose keeps how the window stands. It never prevents closing: that
// would swallow SIGTERM too. A maximised window keeps the size and place it
// had before. A window that never showed the page leaves the file alone: it
// may be that of the window it gave way to.
func (h *host) beforeClose(ctx context.Context) (prevent bool) {
	if !h.session.isUp() {
		return false
	}
	now := h.opened
	now.Maximised = native.WindowIsMaximised(ctx)
	if native.WindowIsNormal(ctx) {
		now.Width, now.Height = native.WindowGetSize(ctx)
		now.X, now.Y = native.WindowGetPosition(ctx)
		now.Placed = true
	}
	if err := saveState(h.cfg.StateFile, now); err != nil {
		h.cfg.Log.Warn("window: where it stands is not kept", "err", err)
	}
	return false
}

func (h *host) shutdown(context.Context) {
	if h.closed = h.session.stop(); h.closed != nil && !errors.Is(h.closed, ErrElsewhere) {
		h.cfg.Log.Error("window: the platform did not close in order", "err", h.closed)
	}
}

func (h *host) focus() {
	native.WindowShow(h.ctx())
	native.WindowUnminimise(h.ctx()) // on Linux this also raises it
}

func (h *host) native() *Native {
	return &Native{
		openFolder: h.chooseFolder,
		browse:     func(url string) { native.BrowserOpenURL(h.ctx(), url) },
		reveal:     func(path string) *exec.Cmd { return revealCommand(runtime.GOOS, path) },
		quit:       func() { native.Quit(h.ctx()) },
	}
}

func (h *host) chooseFolder() (string, error) {
	return native.OpenDirectoryDialog(h.ctx(), native.OpenDialogOptions{
		Title:                "Open a project folder",
		DefaultDirectory:     projectsFolder(os.UserHomeDir),
		CanCreateDirectories: true,
	})
}

// tell shows a message. The text is a printf format on Linux.
func (h *host) tell(kind native.DialogType, title, text string) {
	if runtime.GOOS == "linux" {
		text = strings.ReplaceAll(text, "%", "%%")
	}
	if _, err := native.MessageDialog(h.ctx(), native.MessageDialogOptions{Type: kind, Title: title, Message: text}); err != nil {
		h.cfg.Log.Error("window: show a message", "title", title, "err", err)
	}
}
