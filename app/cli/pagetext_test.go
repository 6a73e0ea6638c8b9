package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pageText is the page of the documentation about the command line, as Markdown,
// made of the commands themselves.
func pageText() string {
	root := tree(&Program{Getenv: func(string) string { return "" }})
	root.InitDefaultCompletionCmd()
	var b strings.Builder
	b.WriteString("# Command line\n\n" + root.Long + "\n\n")
	b.WriteString("Every command takes `--json`: its result is JSON on stdout, an error is one JSON object on stderr. `benchtop COMMAND --help` " +
		"says what a command takes, and `benchtop completion --help` how a shell completes commands, flags and names of functions.\n\n")
	for _, t := range topics() {
		fmt.Fprintf(&b, "## %s\n\n```\n%s\n```\n\n", t.Short, strings.TrimSpace(t.Long))
	}
	b.WriteString("## Commands\n\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "%s\n\n", g.Title)
		for _, cmd := range root.Commands() {
			if cmd.GroupID == g.ID {
				fmt.Fprintf(&b, "- `%s`: %s\n", cmd.CommandPath(), cmd.Short)
			}
		}
		b.WriteString("\n")
	}
	describeCommand(&b, root)
	for _, g := range groups {
		for _, cmd := range root.Commands() {
			if cmd.GroupID == g.ID {
				walk(&b, cmd)
			}
		}
	}
	return b.String()
}

func walk(b *strings.Builder, cmd *cobra.Command) {
	describeCommand(b, cmd)
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			walk(b, below)
		}
	}
}

func describeCommand(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "### %s\n\n%s.\n\n", cmd.CommandPath(), strings.TrimSuffix(cmd.Short, "."))
	if cmd.Long != "" && cmd.HasParent() {
		fmt.Fprintf(b, "%s\n\n", strings.Join(strings.Fields(cmd.Long), " "))
	}
	if !cmd.HasAvailableSubCommands() || !cmd.HasParent() {
		fmt.Fprintf(b, "```\n%s\n```\n\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		var lines []string
		for line := range strings.Lines(cmd.Example) {
			lines = append(lines, strings.TrimPrefix(strings.TrimRight(line, "\n"), "  "))
		}
		fmt.Fprintf(b, "Examples:\n\n```\n%s\n```\n\n", strings.Join(lines, "\n"))
	}
	var rows []string
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "`--" + f.Name
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		if kind, _ := pflag.UnquoteUsage(f); kind != "" {
			name += " " + strings.ToUpper(kind)
		}
		line := "- " + name + "`: " + f.Usage
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" && d != "[]" && !strings.Contains(f.Usage, "default") {
			line += " (default `" + d + "`)"
		}
		rows = append(rows, line)
	})
	slices.Sort(rows)
	if len(rows) > 0 {
		b.WriteString(strings.Join(rows, "\n") + "\n\n")
	}
}
