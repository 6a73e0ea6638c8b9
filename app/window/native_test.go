package window

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestOnlyWebAddressesAreOpenedOutside(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/a?b=c#d":        "https://example.com/a?b=c#d",
		"http://127.0.0.1:4780/":             "http://127.0.0.1:4780/",
		"https://example.com/~ann/x(1)!*;$y": "https://example.com/%7Eann/x%281%29%21%2A%3B%24y",
		"HTTPS://example.com":                "https://example.com",
		"file:///etc/passwd":                 "",
		"javascript:alert(1)":                "",
		"data:text/html,x":                   "",
		"ftp://example.com/":                 "",
		"//example.com/":                     "",
		"https://":                           "",
		"https:example.com":                  "",
		"https://user:pw@example.com/":       "",
		"--help":                             "",
		"":                                   "",
		"https://exa\nmple.com":              "",
	} {
		var opened string
		n := &Native{browse: func(url string) { opened = url }}
		err := n.OpenExternal(address)
		if (err == nil) != (want != "") || opened != want {
			t.Errorf("OpenExternal(%q) opened %q, error %v; want %q", address, opened, err, want)
		}
	}
}

func TestRevealShowsFoldersAndRunsNoFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "run-me.sh")
	if err := os.WriteFile(file, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		file: {"xdg-open", dir},
		dir:  {"xdg-open", dir},
	} {
		if got := revealCommand("linux", path).Args; !slices.Equal(got, want) {
			t.Errorf("reveal %s on linux = %q, want %q", path, got, want)
		}
	}
	if got := revealCommand("darwin", file).Args; !slices.Equal(got, []string{"open", "-R", file}) {
		t.Errorf("reveal on darwin = %q", got)
	}
	if got := revealCommand("windows", file).Args; !slices.Equal(got, []string{"explorer.exe", "/select," + file}) {
		t.Errorf("reveal on windows = %q", got)
	}
}

func TestRevealRefusesWhatIsNotThere(t *testing.T) {
	n := &Native{reveal: func(string) *exec.Cmd {
		t.Error("the file manager was started")
		return exec.Command("true")
	}}
	for _, path := range []string{"", "relative/file", filepath.Join(t.TempDir(), "gone")} {
		if err := n.RevealInFolder(path); err == nil {
			t.Errorf("RevealInFolder(%q) = nil", path)
		}
	}
}

func TestRevealStartsTheFileManager(t *testing.T) {
	dir := t.TempDir()
	var asked string
	n := &Native{reveal: func(path string) *exec.Cmd {
		asked = path
		return exec.Command("true")
	}}
	if err := n.RevealInFolder(dir); err != nil || asked != dir {
		t.Errorf("RevealInFolder = %v, asked for %q", err, asked)
	}
}

// The page may ask for these and no more: any frame could call them.
func TestTheBoundSurfaceIsTiny(t *testing.T) {
	want := []string{"OpenExternal", "OpenFolder", "Quit", "RevealInFolder"}
	var got []string
	native := reflect.TypeFor[*Native]()
	for i := range native.NumMethod() {
		got = append(got, native.Method(i).Name)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("bound methods = %v, want %v", got, want)
	}
	if native.Elem().Name() != "Native" || !strings.HasSuffix(native.Elem().PkgPath(), "/window") {
		t.Fatal("the page calls window.go.window.Native")
	}
}

func TestNoWindowWithoutADisplay(t *testing.T) {
	env := func(vars map[string]string) func(string) string {
		return func(name string) string { return vars[name] }
	}
	if err := needDisplay("linux", env(nil)); err == nil || !strings.Contains(err.Error(), "benchtop serve") {
		t.Errorf("needDisplay without a display = %v, want what to do instead", err)
	}
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY"} {
		if err := needDisplay("linux", env(map[string]string{name: ":1"})); err != nil {
			t.Errorf("needDisplay with %s = %v", name, err)
		}
	}
	if err := needDisplay("darwin", env(nil)); err != nil {
		t.Errorf("needDisplay on darwin = %v", err)
	}
}

func TestTheFolderDialogBeginsWhereProjectsAre(t *testing.T) {
	home := t.TempDir()
	at := func() (string, error) { return home, nil }
	if got := projectsFolder(at); got != home {
		t.Errorf("without projects: %q, want %q", got, home)
	}
	want := filepath.Join(home, "Benchtop")
	if err := os.Mkdir(want, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := projectsFolder(at); got != want {
		t.Errorf("with projects: %q, want %q", got, want)
	}
	gone := func() (string, error) { return filepath.Join(home, "gone"), nil }
	if got := projectsFolder(gone); got != "" {
		t.Errorf("a home that is not there: %q", got)
	}
	if got := projectsFolder(func() (string, error) { return "", os.ErrNotExist }); got != "" {
		t.Errorf("no home: %q", got)
	}
}
