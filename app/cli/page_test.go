package cli

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"benchtop/backend/docs"
)

var update = flag.Bool("update", false, "write the generated pages")

// The page in the documentation is what the commands say of themselves.
func TestPage(t *testing.T) {
	want := pageText()
	if *update {
		if err := os.WriteFile("../../backend/docs/command-line.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := docs.FS.ReadFile("command-line.md")
	if err != nil || string(got) != want {
		t.Errorf("backend/docs/command-line.md is not what the commands say (%v); write it with: go test ./app/cli -run TestPage -update", err)
	}
}

// Every command says what it is in one line and, when it does something, shows
// how it is used; its words fit a terminal.
func TestHelp(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.IsAdditionalHelpTopicCommand() && !cmd.HasAvailableSubCommands() {
			return
		}
		if cmd.Short == "" || len(cmd.Short) > 75 || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: %q is no short line", cmd.CommandPath(), cmd.Short)
		}
		if !cmd.HasAvailableSubCommands() && !strings.Contains(cmd.Example, "benchtop") {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Long) {
			if len(line) > 122 {
				t.Errorf("%s: a line of %d characters: %s", cmd.CommandPath(), len(line), line)
			}
		}
		if cmd.HasParent() && cmd.Parent() == cmd.Root() && cmd.GroupID == "" {
			t.Errorf("%s stands under no heading", cmd.CommandPath())
		}
		for _, below := range cmd.Commands() {
			look(below)
		}
	}
	look(tree(&Program{Getenv: func(string) string { return "" }}))
}
