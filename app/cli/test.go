package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/app/recorded"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

// tested is what test prints with --json.
type tested struct {
	Project string            `json:"project"`
	Tests   int               `json:"tests"`
	Failed  int               `json:"failed"`
	Results []recorded.Result `json:"results"`
}

func testCommand(p *Program) *cobra.Command {
	var accept bool
	var junit, function string
	cmd := &cobra.Command{
		Use: "test [DIR]", Short: "Check a project's recorded runs, offline",
		Long: "Plays the runs in .benchtop/tests of a project folder again and compares result, events, logs and host calls.\n" +
			"Nothing is reached: host calls and fetches get the recorded answers, the platform is one of its own that goes\n" +
			"at the end. Make a test of a run with `benchtop fn record`. Exit code 3: something differs.",
		Args: takes(0, 1, "a project folder or nothing"),
		Example: "  benchtop test\n  benchtop test ./mia --function quote\n  benchtop test --junit report.xml\n" +
			"  benchtop test --accept    # what comes out now is right",
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := filepath.Abs(strings.Join(args, ""))
			if err != nil {
				return err
			}
			if !project.Looks(dir) {
				return fmt.Errorf("%s is no project folder: it has neither AGENT.md nor functions/", dir)
			}
			tests, err := recorded.Load(dir, function)
			if err != nil {
				return err
			}
			out := tested{Project: dir, Tests: len(tests), Results: []recorded.Result{}}
			err = p.offline(cmd.Context(), dir, func(ctx context.Context, s *stage) error {
				for _, t := range tests {
					r, err := s.check(ctx, t, accept)
					if err != nil {
						return err
					}
					if !r.OK {
						out.Failed++
					}
					out.Results = append(out.Results, r)
				}
				return nil
			})
			if err != nil {
				return err
			}
			if junit != "" {
				text, err := recorded.JUnit(out.Results)
				if err = errors.Join(err, writeIn(junit, text)); err != nil {
					return err
				}
			}
			err = p.show(out, func(w io.Writer) { showTested(w, out) })
			if err == nil && out.Failed > 0 {
				return errFailed
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&accept, "accept", false, "write what comes out now into the tests that differ")
	f.StringVar(&junit, "junit", "", "file to write a JUnit report to")
	f.StringVar(&function, "function", "", "only the tests of this function")
	return cmd
}

func writeIn(path string, text []byte) error {
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return writeWhole(full, text)
}

func showTested(w io.Writer, out tested) {
	for _, r := range out.Results {
		verdict := "ok  "
		switch {
		case r.Accepted:
			verdict = "new "
		case !r.OK:
			verdict = "FAIL"
		}
		fmt.Fprintf(w, "%s %s/%s\n", verdict, r.Function, r.Name)
		if r.Error != "" {
			fmt.Fprintf(w, "     %s\n", r.Error)
		}
		for _, d := range r.Differences {
			fmt.Fprintf(w, "     %s\n", d)
		}
	}
	if out.Tests == 0 {
		fmt.Fprintln(w, "no tests yet; make one of a run with: benchtop fn record INVOCATION")
		return
	}
	fmt.Fprintf(w, "%s, %d failed\n", plural(out.Tests, "test"), out.Failed)
}

// stage is a platform of this process that has one project open and plays
// recorded worlds.
type stage struct {
	*link
	player *recorded.Player
	agent  contract.Agent
	broken map[string]string // functions that do not load, and why
}

// offline opens a stage for a project, runs do and takes it down.
func (p *Program) offline(ctx context.Context, dir string, do func(context.Context, *stage) error) error {
	s := &stage{player: &recorded.Player{}, broken: map[string]string{}}
	l, err := p.within(ctx, options{ephemeral: true, log: "text", executor: s.player.Before})
	if err != nil {
		return err
	}
	s.link = l
	err = func() error {
		if s.agent, err = (&connection{project: dir}).agentOf(ctx, l); err != nil {
			return err
		}
		var list contract.WorkList
		if err := l.Get(ctx, "/api/local/agents/"+s.agent.ID+"/functions", &list); err != nil {
			return err
		}
		for _, f := range list.Functions {
			if f.Broken && len(f.Errors) > 0 {
				s.broken[f.Name] = fmt.Sprintf("%s does not load: %s", f.Name, f.Errors[0].Message)
			}
		}
		return do(ctx, s)
	}()
	return errors.Join(err, l.Close(context.WithoutCancel(ctx)))
}

// play runs a test and gives what came out.
func (s *stage) play(ctx context.Context, t *recorded.Test) (recorded.Outcome, error) {
	if why, broken := s.broken[t.Function]; broken {
		return recorded.Outcome{}, errors.New(why)
	}
	s.player.Play(&t.World)
	res, _, err := s.Invoke(ctx, s.agent.ID, t.Function, t.Input, client.InvokeOptions{})
	if err != nil {
		return recorded.Outcome{}, err
	}
	var d contract.InvocationDetail
	if err := s.Get(ctx, "/api/local/invocations/"+url.PathEscape(res.InvocationID), &d); err != nil {
		return recorded.Outcome{}, err
	}
	return recorded.OutcomeOf(&d), nil
}

// check plays a test and compares. An error is the platform's; what keeps one
// test from running is in its result.
func (s *stage) check(ctx context.Context, t *recorded.Test, accept bool) (recorded.Result, error) {
	begun := time.Now()
	r := recorded.Result{Function: t.Function, Name: t.Name}
	got, err := s.play(ctx, t)
	r.Took = time.Since(begun)
	if err != nil {
		if ctx.Err() != nil {
			return r, err
		}
		r.Error = err.Error()
		return r, nil
	}
	r.Differences = append(t.Compare(got), s.player.Compare(t.Masks)...)
	r.OK = len(r.Differences) == 0
	if accept && !r.OK {
		t.Expect, t.World.Calls = got, s.player.Calls()
		if err := t.Save(s.agent.Folder); err != nil {
			return r, err
		}
		r.OK, r.Accepted = true, true
	}
	return r, nil
}
