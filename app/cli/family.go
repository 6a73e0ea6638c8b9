package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

// family is a command that only has others below it.
func family(use, short, long string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(below...)
	return cmd
}

// takes wants from least to most arguments; what names them, for the message.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return usagef("%s takes %s: %s", cmd.CommandPath(), what, cmd.UseLine())
		}
		return nil
	}
}

// completeFunctions offers the names of functions at the first argument. Only a
// platform that runs is asked: a key press starts nothing.
func (p *Program) completeFunctions(cn *connection) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), bootPatience)
		defer cancel()
		c, _, err := p.running(ctx, cn.data)
		if c == nil || err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		l := &link{Client: c}
		a, err := cn.agentOf(ctx, l)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		list, err := l.functions(ctx, a)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		for _, f := range list {
			names = append(names, cobra.CompletionWithDesc(f.Name, f.Declaration.Description))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

func (l *link) functions(ctx context.Context, a contract.Agent) ([]contract.FunctionInfo, error) {
	var list contract.FunctionList
	err := l.Get(ctx, client.Agent(a.ID, "functions"), &list)
	return list.Functions, err
}

// secretsOf are the secrets of one function, or of all when it is empty.
func (l *link) secretsOf(ctx context.Context, a contract.Agent, function string) (contract.SecretList, error) {
	var list contract.SecretList
	if err := l.Get(ctx, client.LocalAgent(a.ID, "secrets"), &list); err != nil || function == "" {
		return list, err
	}
	kept := []contract.SecretInfo{}
	for _, s := range list.Secrets {
		if s.Function == function {
			kept = append(kept, s)
		}
	}
	list.Secrets = kept
	return list, nil
}

// moment writes a time of the platform for a person of this machine.
func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

func momentOf(stamp string) string {
	t, err := time.Parse(contract.Timestamp, stamp)
	if err != nil {
		return stamp
	}
	return moment(t)
}

// orDash is a text, or a dash for none.
func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// oneLine keeps a text from breaking a table.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// errFailed says that what ran, or was looked at, is bad; it was said already.
var errFailed = exitCode(exitFailed)

// is reports whether a platform refused with this code.
func is(err error, code contract.Code) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Code == code
}

// usedBy names the consumers of a function in a few words.
func usedBy(list []contract.UsedBy) string {
	var all []string
	for _, u := range list {
		all = append(all, fmt.Sprintf("%s/%s", u.Skill, u.EntryID))
	}
	return orDash(strings.Join(all, " "))
}
