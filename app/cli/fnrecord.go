package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/app/recorded"
	"benchtop/backend/contract"
)

// recording is what fn record prints with --json.
type recording struct {
	File   string   `json:"file"`
	Masked []string `json:"masked"` // what changed when the run was played again
	ToDo   []string `json:"todo"`   // what only the author knows
}

func fnRecordCommand(p *Program) *cobra.Command {
	var cn connection
	var name string
	var masks []string
	var replace bool
	cmd := &cobra.Command{
		Use: "record INVOCATION", Short: "Save a past run as a test of the project",
		Long: "Writes what went in, what the host calls gave and what came out of a past run to .benchtop/tests of the\n" +
			"project folder, and plays it once: values that come out differently, such as times, are masked and named.\n" +
			"The id of a run is at the end of its line in `benchtop fn logs`. Secrets are not in it. The history keeps no\n" +
			"bodies of fetches: they are to be written into the file. Check the tests with `benchtop test`.",
		Args:    takes(1, 1, "the id of an invocation"),
		Example: "  benchtop fn record 01a1f940-2b6f-7e1f-a225-6cf1ac44672a --name first-visit\n  benchtop fn record ID --mask result.id --mask 'logs.*.data.ms'",
		RunE: func(cmd *cobra.Command, args []string) error {
			var d contract.InvocationDetail
			var a contract.Agent
			err := p.with(cmd, &cn, func(ctx context.Context, l *link) error {
				if err := l.Get(ctx, "/api/local/invocations/"+url.PathEscape(args[0]), &d); err != nil {
					return err
				}
				return l.Get(ctx, client.Agent(d.AgentID), &a)
			})
			if err != nil {
				return err
			}
			if a.Folder == "" {
				return fmt.Errorf("the agent %s has no project folder to keep a test in", a.Username)
			}
			t, todo, err := recorded.Of(&d)
			if err != nil {
				return err
			}
			if t.Name = name; name == "" {
				t.Name = "run-" + d.ID[max(0, len(d.ID)-8):]
			}
			file := filepath.Join(recorded.Dir(a.Folder), t.Function, t.Name+".json")
			if _, err := os.Stat(file); err == nil && !replace {
				return fmt.Errorf("%s is there already; choose another --name, or --replace it", file)
			}
			t.Mask(masks...)
			out := recording{File: file, Masked: []string{}, ToDo: []string{}}
			out.ToDo = append(out.ToDo, todo...)
			if len(todo) == 0 {
				if out.Masked, err = p.settle(cmd.Context(), a.Folder, t); err != nil {
					return err
				}
			}
			if err := t.Save(a.Folder); err != nil {
				return err
			}
			return p.show(out, func(w io.Writer) {
				fmt.Fprintf(w, "wrote %s\n", out.File)
				for _, m := range out.Masked {
					fmt.Fprintf(w, "  masked %s: it came out differently when the run was played again\n", m)
				}
				for _, note := range out.ToDo {
					fmt.Fprintf(w, "  to do: %s\n", note)
				}
			})
		},
	}
	cn.bindData(cmd)
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "name of the test (default: run- and the end of the id)")
	f.StringArrayVar(&masks, "mask", nil, "path below expect that is not compared; may be repeated")
	f.BoolVar(&replace, "replace", false, "write over a test of this name")
	return cmd
}

// settle plays a new test and masks the values that come out differently. What
// is there only once cannot be masked: such a run does not play again.
func (p *Program) settle(ctx context.Context, dir string, t *recorded.Test) (masked []string, err error) {
	masked = []string{}
	err = p.offline(ctx, dir, func(ctx context.Context, s *stage) error {
		got, err := s.play(ctx, t)
		if err != nil {
			return err
		}
		var wrong []error
		for _, d := range append(t.Compare(got), s.player.Compare(t.Masks)...) {
			if d.Want == "" || d.Got == "" || d.Path == "ok" || d.Path == "errorCode" {
				wrong = append(wrong, errors.New("  "+d.String()))
				continue
			}
			masked = append(masked, d.Path)
		}
		if len(wrong) > 0 {
			wrong = append([]error{errors.New("the run does not come out the same offline, so it was not recorded (has the function changed since?)")}, wrong...)
			return withExit{errors.Join(wrong...), exitFailed}
		}
		return nil
	})
	t.Mask(masked...)
	return masked, err
}
