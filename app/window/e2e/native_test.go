//go:build e2e

package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// brightness reads an rgb() colour as 0 (black) to 1 (white).
func brightness(t *testing.T, colour string) float64 {
	t.Helper()
	var r, g, b float64
	if _, err := fmt.Sscanf(colour, "rgb(%f, %f, %f)", &r, &g, &b); err != nil {
		t.Fatalf("colour %q: %v", colour, err)
	}
	return (r + g + b) / 3 / 255
}

func TestASecondStartShowsTheFirst(t *testing.T) {
	home := t.TempDir()
	a := start(t, home)
	_, err := a.find(a.ctx, sampleCard)
	a.must(err)
	first := a.window()

	second := exec.CommandContext(a.ctx, program(t))
	second.Env = a.env
	out, err := second.CombinedOutput()
	if err != nil {
		t.Fatalf("the second start failed: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), "already running") {
		t.Errorf("the second start said %q, want that it is already running", out)
	}
	if got := a.windows(); len(got) != 1 || got[0] != first {
		t.Errorf("windows %v are open, want only the first, %s", got, first)
	}
	a.terminate()
}

func TestAFolderIsChosenInTheSystemsDialog(t *testing.T) {
	a := start(t, t.TempDir())
	folder := filepath.Join(a.home, "Benchtop") // where the dialog begins
	if err := os.MkdirAll(filepath.Join(folder, "functions"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"AGENT.md":           "---\nname: robot\n---\nYou are a robot.\n",
		"functions/sound.js": "/**\n * @runtime js-v1\n */\nexport default async () => ({ sound: 'beep' });\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a.click(`//button[contains(., 'Choose a folder')]`)
	dialog := strings.Fields(a.xdotool("search", "--sync", "--onlyvisible", "--name", "^Open a project folder$"))
	screenshot(t, "window-dialog")
	a.xdotool("windowfocus", "--sync", dialog[0], "key", "alt+o")
	a.choose("sound")
	a.click(run)
	a.results(`"beep"`)
	a.terminate()
}

// The system's opener is a program of ours that tells what it was given.
func TestLinksOpenOutsideAndFoldersInTheFileManager(t *testing.T) {
	home := t.TempDir()
	bin, told := filepath.Join(home, "bin"), filepath.Join(home, "told")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(told, 0o600); err != nil {
		t.Fatal(err)
	}
	opener := "#!/bin/sh\necho \"$1\" >'" + told + "'\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(opener), 0o755); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(told, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if err := pipe.SetReadDeadline(time.Now().Add(limit)); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(pipe)

	a := start(t, home, "PATH="+bin+":"+os.Getenv("PATH"))
	dir := a.makeSample()
	for call, want := range map[string]string{
		`OpenExternal("https://example.com/~ann?q=1")`:         "https://example.com/%7Eann?q=1",
		`RevealInFolder(` + fmt.Sprintf("%q", dir) + `)`:       dir,
		`RevealInFolder("` + filepath.Join(dir, "AGENT.md\")"): dir,
	} {
		a.must(a.eval(a.ctx, `return window.go.window.Native.`+call, nil))
		got, err := lines.ReadString('\n')
		if err != nil || strings.TrimSpace(got) != want {
			t.Errorf("%s opened %q, %v, want %s", call, got, err, want)
		}
	}
	var refused string
	a.must(a.eval(a.ctx, `return window.go.window.Native.OpenExternal('file:///etc/passwd').then(() => 'opened', e => String(e))`, &refused))
	if !strings.Contains(refused, "only http and https") {
		t.Errorf("OpenExternal of a file = %s", refused)
	}
	a.terminate()
}
