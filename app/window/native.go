package window

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Native is everything the page may ask of the window, as
// window.go.window.Native. It is small and harmless on purpose: a hostile
// frame could call it, so it can show things to the owner and nothing more.
type Native struct {
	openFolder func() (string, error)
	browse     func(url string)
	reveal     func(path string) *exec.Cmd
	quit       func()
}

// OpenFolder asks the owner for a folder and gives its absolute path, or ""
// when the dialog was cancelled. It opens nothing by itself.
func (n *Native) OpenFolder() (string, error) { return n.openFolder() }

// OpenExternal opens an http or https address in the system's browser.
func (n *Native) OpenExternal(address string) error {
	clean, err := externalURL(address)
	if err != nil {
		return err
	}
	n.browse(clean)
	return nil
}

// RevealInFolder shows an existing file or folder, named by its absolute path,
// in the system's file manager.
func (n *Native) RevealInFolder(path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("cannot show %q: the path must be absolute", path)
	}
	path = filepath.Clean(path)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("cannot show %s in the file manager: %w", path, err)
	}
	cmd := n.reveal(path)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start the file manager: %w; open %s yourself", err, path)
	}
	go cmd.Wait() //nolint:errcheck // only so that it leaves no zombie
	return nil
}

// Quit closes the window and ends the program as the menu's Quit does.
func (n *Native) Quit() { n.quit() }

// externalURL checks an address the page wants opened outside. What the
// address may contain literally differs between systems' openers, so the
// characters a shell could read are percent-encoded, which means the same.
func externalURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("not an address: " + address)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("only http and https addresses are opened outside, not %q", address)
	}
	if u.Host == "" || u.User != nil {
		return "", fmt.Errorf("%q needs a host and must not carry a user name", address)
	}
	return shellSafe.Replace(u.String()), nil
}

var shellSafe = strings.NewReplacer(
	";", "%3B", "|", "%7C", "`", "%60", "$", "%24", `\`, "%5C", "<", "%3C", ">", "%3E", "*", "%2A",
	"{", "%7B", "}", "%7D", "(", "%28", ")", "%29", "~", "%7E", "!", "%21", " ", "%20",
)

// revealCommand is the file manager's command line for a path. On Linux the
// folder is opened, never the file: opening a file would run its program.
func revealCommand(goos, path string) *exec.Cmd {
	switch goos {
	case "darwin":
		return exec.Command("open", "-R", path)
	case "windows":
		return exec.Command("explorer.exe", "/select,"+path)
	default:
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			path = filepath.Dir(path)
		}
		return exec.Command("xdg-open", path)
	}
}

// projectsFolder is where the folder dialog begins: where samples are made
// once there is one, else at home. It may be empty, never missing.
func projectsFolder(homeDir func() (string, error)) string {
	home, err := homeDir()
	if err != nil {
		return ""
	}
	for _, folder := range []string{filepath.Join(home, "Benchtop"), home} {
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			return folder
		}
	}
	return ""
}
