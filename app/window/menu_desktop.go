//go:build desktop || dev || bindings

package window

import (
	"runtime"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"
	native "github.com/wailsapp/wails/v2/pkg/runtime"
)

// menu is the window's menu. Its keys are none of the page's: a menu would
// take them before the page sees them.
func (h *host) menu() *menu.Menu {
	m := menu.NewMenu()
	if runtime.GOOS == "darwin" {
		m.Append(menu.AppMenu())
	}
	file := m.AddSubmenu("File")
	file.AddText("Open Folder…", keys.CmdOrCtrl("o"), func(*menu.CallbackData) { go h.openFolder() })
	file.AddSeparator()
	file.AddText("Quit", keys.CmdOrCtrl("q"), func(*menu.CallbackData) { go native.Quit(h.ctx()) })
	if runtime.GOOS == "darwin" {
		m.Append(menu.EditMenu()) // copy and paste do not work there without it
	}
	help := m.AddSubmenu("Help")
	help.AddText("About Benchtop", nil, func(*menu.CallbackData) {
		go h.tell(native.InfoDialog, "About Benchtop", "Benchtop "+h.cfg.Version+"\nA workbench for the functions of agents.")
	})
	return m
}

// openFolder is the menu's Open Folder: ask, then have the platform open it.
func (h *host) openFolder() {
	path, err := h.chooseFolder()
	if err == nil && path == "" {
		return // cancelled
	}
	served, serr := h.session.wait(h.ctx())
	if err == nil {
		err = serr
	}
	if err == nil {
		err = openProject(h.ctx(), served, path)
	}
	if err != nil {
		h.tell(native.ErrorDialog, "The folder was not opened", err.Error())
	}
}
