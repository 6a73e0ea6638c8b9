package cli

import (
	"errors"
	"os/exec"
	"runtime"
	"strings"
)

// browse opens an address in the owner's browser. The address is an argument of
// the browser's process, as browsers want it; a login code in it is worth one
// session, once, and this browser takes it at once.
func (p *Program) browse(url string) error {
	argv := p.browser()
	if argv == nil {
		return errors.New("there is no browser to open")
	}
	cmd := exec.Command(argv[0], append(argv[1:], url)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // how it ends is its own affair
	return nil
}

// browser gives the command that opens an address: the one of BROWSER, else the
// system's. nil when there is none, or no display to open it on.
func (p *Program) browser() []string {
	if b := strings.Fields(p.Getenv("BROWSER")); len(b) > 0 {
		return b
	}
	switch runtime.GOOS {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case "darwin":
		return []string{"open"}
	}
	if p.Getenv("DISPLAY") == "" && p.Getenv("WAYLAND_DISPLAY") == "" && p.Getenv("WSL_DISTRO_NAME") == "" {
		return nil
	}
	for _, name := range []string{"xdg-open", "wslview", "x-www-browser"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}
		}
	}
	return nil
}
