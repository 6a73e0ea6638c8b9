package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

func fnLogsCommand(p *Program) *cobra.Command {
	var cn connection
	var follow, failed bool
	var limit int
	cmd := &cobra.Command{
		Use: "logs [NAME]", Short: "Show what ran and what it logged",
		Long: "Shows the last invocations of a function, or of all functions of the agent, the oldest first, each with its\n" +
			"log. With --follow it goes on with what happens until it is interrupted. With --json every line is an object.",
		Args:    takes(0, 1, "the name of a function or nothing"),
		Example: "  benchtop fn logs greet\n  benchtop fn logs --follow\n  benchtop fn logs greet --errors -n 100 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 || limit > contract.MaxPage {
				return usagef("--limit is a number from 0 to %d", contract.MaxPage)
			}
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				t := &tail{p: p, l: l, agent: a, failed: failed}
				if len(args) == 1 {
					t.function = args[0]
					if err := l.known(ctx, a, args[0]); err != nil {
						return err
					}
				}
				if follow && l.server != nil {
					return errors.New("no platform runs, so there is nothing to follow; start one with `benchtop`")
				}
				if follow {
					return t.follow(ctx, limit)
				}
				return t.past(ctx, limit)
			})
		},
	}
	cn.bind(cmd)
	f := cmd.Flags()
	f.BoolVarP(&follow, "follow", "f", false, "go on with what happens until interrupted")
	f.IntVarP(&limit, "limit", "n", 20, "how many invocations of the past to show")
	f.BoolVar(&failed, "errors", false, "only those that failed")
	cmd.ValidArgsFunction = p.completeFunctions(&cn)
	return cmd
}

// known wants a function that is there or has a history.
func (l *link) known(ctx context.Context, a contract.Agent, function string) error {
	return l.Get(ctx, client.Agent(a.ID, "functions", function, "invocations")+"?limit=1", nil)
}

// tail prints invocations, the past ones and those to come.
type tail struct {
	p        *Program
	l        *link
	agent    contract.Agent
	function string
	failed   bool
	seen     map[string]bool // printed with the past
}

// past prints the last invocations.
func (t *tail) past(ctx context.Context, limit int) error {
	if limit == 0 {
		return nil
	}
	q := url.Values{"agent": {t.agent.ID}, "limit": {strconv.Itoa(limit)}, "include": {"logs"}}
	if t.function != "" {
		q.Set("function", t.function)
	}
	if t.failed {
		q.Set("status", contract.StatusError)
	}
	var page contract.InvocationSearch
	if err := t.l.Get(ctx, "/api/local/invocations?"+q.Encode(), &page); err != nil {
		return err
	}
	for _, row := range slices.Backward(page.Invocations) {
		if row.Status == contract.StatusRunning {
			continue
		}
		if t.seen != nil {
			t.seen[row.ID] = true
		}
		if err := t.row(row); err != nil {
			return err
		}
	}
	return nil
}

// row prints one invocation with its log.
func (t *tail) row(row contract.InvocationItem) error {
	if t.p.asJSON {
		return t.p.showLine(row)
	}
	if err := t.head(row.InvocationRow); err != nil {
		return err
	}
	for _, line := range row.Logs {
		if _, err := fmt.Fprintln(t.p.Stdout, "  "+logLine(line)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tail) head(row contract.InvocationRow) error {
	if row.SourceSkill == contract.SkillAuthoring {
		_, err := fmt.Fprintf(t.p.Stdout, "%s  %s  %s by %s\n", momentOf(row.StartedAt), row.FunctionName, row.AuthoringAction, orDash(row.AuthoringSurface))
		return err
	}
	end := row.Status
	if row.ErrorCode != "" {
		end += " " + string(row.ErrorCode) + ": " + oneLine(row.ErrorMessage)
	}
	_, err := fmt.Fprintf(t.p.Stdout, "%s  %s  %s  %.1f ms  %s  %s\n", momentOf(row.StartedAt), row.FunctionName, row.SourceSkill, row.DurationMs, row.ID, end)
	return err
}

// follow prints the past and then what happens. The stream is open before the
// past is read, so that nothing falls in between.
func (t *tail) follow(ctx context.Context, limit int) error {
	t.seen = map[string]bool{}
	var pastErr error
	err := t.l.Events(ctx, func() { pastErr = t.past(ctx, limit) }, func(ev client.Event) error {
		if pastErr != nil {
			return pastErr
		}
		return t.event(ctx, ev)
	})
	if errors.Is(err, context.Canceled) {
		return nil // the way to end it
	}
	if err == nil && pastErr == nil {
		err = errors.New("the platform ended")
	}
	return errors.Join(pastErr, err)
}

func (t *tail) event(ctx context.Context, ev client.Event) error {
	switch contract.EventName(ev.Name) {
	case contract.EvInvocationFinished:
		var row contract.InvocationRow
		if err := json.Unmarshal(ev.Data, &row); err != nil {
			return err
		}
		if !t.wants(row.AgentID, row.FunctionName) || t.seen[row.ID] || t.failed && row.Status != contract.StatusError {
			return nil
		}
		var d contract.InvocationDetail
		if err := t.l.Get(ctx, "/api/local/invocations/"+url.PathEscape(row.ID), &d); err != nil {
			return err
		}
		return t.row(contract.InvocationItem{InvocationRow: row, Logs: d.Logs})
	case contract.EvGap:
		_, err := fmt.Fprintln(t.p.Stderr, "benchtop: the platform sent more than could be read; some invocations are not shown")
		return err
	}
	return nil
}

func (t *tail) wants(agentID, function string) bool {
	return agentID == t.agent.ID && (t.function == "" || t.function == function)
}
