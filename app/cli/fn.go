package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

// fnCommand is the family around functions.
func fnCommand(p *Program) *cobra.Command {
	return family("fn", "Write, check and run functions",
		"Works on the functions of one agent: that of --agent, that of the project folder you stand in, or the only one.",
		fnNewCommand(p), fnListCommand(p), fnShowCommand(p), fnValidateCommand(p), fnInvokeCommand(p), fnLogsCommand(p),
		fnRemoveCommand(p), fnVersionsCommand(p), fnRecordCommand(p))
}

func fnListCommand(p *Program) *cobra.Command {
	var cn connection
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the functions of an agent", Args: noArgs,
		Example: "  benchtop fn list\n  benchtop fn list --agent mia --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				list, err := l.functions(ctx, a)
				if err != nil {
					return err
				}
				return p.show(contract.FunctionList{Functions: list}, func(w io.Writer) {
					if len(list) == 0 {
						fmt.Fprintf(w, "%s has no functions; make one with: benchtop fn new NAME\n", a.Username)
						return
					}
					rows := make([][]string, len(list))
					for i, f := range list {
						rows[i] = []string{f.Name, f.Declaration.Runtime, usedBy(f.UsedBy), oneLine(f.Declaration.Description)}
					}
					table(w, []string{"NAME", "RUNTIME", "USED BY", "DESCRIPTION"}, rows)
				})
			})
		},
	}
	cn.bind(cmd)
	return cmd
}

// shown is what fn show prints: the function and its source.
type shown struct {
	contract.FunctionDetail
	Source string `json:"source"`
}

func fnShowCommand(p *Program) *cobra.Command {
	var cn connection
	var source bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show a function: manifest, consumers, missing secrets, source",
		Args:    takes(1, 1, "the name of a function"),
		Example: "  benchtop fn show greet\n  benchtop fn show greet --source > greet.js",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				var out shown
				var src contract.FunctionSource
				if err := l.Get(ctx, client.Agent(a.ID, "functions", args[0]), &out.FunctionDetail); err != nil {
					return err
				}
				if err := l.Get(ctx, client.Agent(a.ID, "functions", args[0], "source"), &src); err != nil {
					return err
				}
				out.Source = src.Source
				if source && !p.asJSON {
					_, err := io.WriteString(p.Stdout, src.Source)
					return err
				}
				return p.show(out, func(w io.Writer) { describe(w, a, out) })
			})
		},
	}
	cn.bind(cmd)
	cmd.Flags().BoolVar(&source, "source", false, "print the source and nothing else")
	cmd.ValidArgsFunction = p.completeFunctions(&cn)
	return cmd
}

func describe(w io.Writer, a contract.Agent, f shown) {
	fmt.Fprintf(w, "%s of %s, version %d of %s\n", f.Name, a.Username, f.Version, moment(f.UpdatedAt))
	if f.Declaration.Description != "" {
		fmt.Fprintf(w, "%s\n", oneLine(f.Declaration.Description))
	}
	fmt.Fprintf(w, "used by: %s\n", usedBy(f.UsedBy))
	for _, todo := range f.RequiresUserAction {
		fmt.Fprintf(w, "to do: set the secret %s (benchtop secret set %s %s)\n", todo.Binding, f.Name, todo.Binding)
	}
	fmt.Fprintf(w, "\nmanifest:\n%s\n\nsource:\n%s", pretty(f.Manifest), f.Source)
	if !strings.HasSuffix(f.Source, "\n") {
		fmt.Fprintln(w)
	}
}

func fnRemoveCommand(p *Program) *cobra.Command {
	var cn connection
	cmd := &cobra.Command{
		Use: "rm NAME...", Aliases: []string{"remove"}, Short: "Remove functions and detach what uses them",
		Long: "Removes functions and detaches every consumer entry that uses them. The files of a project folder go to\n" +
			".benchtop/trash, from where they can be moved back; versions and history stay.",
		Args:    takes(1, -1, "names of functions"),
		Example: "  benchtop fn rm greet",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				var all []contract.RemoveResponse
				for _, name := range args {
					var res contract.RemoveResponse
					if err := l.Delete(ctx, client.Agent(a.ID, "functions", name), &res); err != nil {
						return err
					}
					all = append(all, res)
				}
				return p.show(all, func(w io.Writer) {
					for _, res := range all {
						fmt.Fprintf(w, "removed %s\n", res.Name)
						for _, d := range res.Detached {
							fmt.Fprintf(w, "  detached %s/%s\n", d.Skill, d.EntryID)
						}
					}
				})
			})
		},
	}
	cn.bind(cmd)
	cmd.ValidArgsFunction = p.completeFunctions(&cn)
	return cmd
}

func fnVersionsCommand(p *Program) *cobra.Command {
	var cn connection
	var one int
	cmd := &cobra.Command{
		Use: "versions NAME", Short: "List the versions of a function, or print the source of one",
		Args:    takes(1, 1, "the name of a function"),
		Example: "  benchtop fn versions greet\n  benchtop fn versions greet --show 3",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				if cmd.Flags().Changed("show") {
					var v contract.FunctionVersionDetail
					if err := l.Get(ctx, client.LocalAgent(a.ID, "functions", args[0], "versions", strconv.Itoa(one)), &v); err != nil {
						return err
					}
					return p.show(v, func(w io.Writer) { fmt.Fprint(w, v.Source) })
				}
				var list contract.FunctionVersions
				if err := l.Get(ctx, client.LocalAgent(a.ID, "functions", args[0], "versions"), &list); err != nil {
					return err
				}
				return p.show(list, func(w io.Writer) {
					rows := make([][]string, len(list.Versions))
					for i, v := range list.Versions {
						serving := ""
						if v.Version == list.Serving {
							serving = "serves"
						}
						rows[i] = []string{strconv.Itoa(v.Version), moment(v.CreatedAt), strconv.Itoa(v.Bytes), v.Surface, v.SHA256[:min(12, len(v.SHA256))], serving}
					}
					table(w, []string{"VERSION", "SINCE", "BYTES", "BY", "SHA-256", ""}, rows)
				})
			})
		},
	}
	cn.bind(cmd)
	cmd.Flags().IntVar(&one, "show", 0, "print the source of this version")
	cmd.ValidArgsFunction = p.completeFunctions(&cn)
	return cmd
}

// starter is the source of a new function.
const starter = `// A function exports one async handler and gets everything from ctx. What the
// manifest beside it does not grant, it cannot do.

export default async function handler(ctx) {
  const { name = 'world' } = ctx.toolCall?.params ?? {};
  ctx.log.info('called', { name });
  return { ok: true, message: ` + "`Hello, ${name}!`" + ` };
}
`

func starterManifest(description string) string {
	text, err := json.Marshal(description)
	if err != nil { // a text always has a JSON form
		text = []byte(`""`)
	}
	return `{
  "description": ` + string(text) + `,
  "runtime": "js-v1",
  "permissions": {},
  "parameters": {
    "type": "object",
    "properties": {
      "name": { "type": "string", "description": "Who is greeted" }
    },
    "additionalProperties": false
  }
}
`
}

func fnNewCommand(p *Program) *cobra.Command {
	var cn connection
	var description, sourceFile, manifestFile string
	cmd := &cobra.Command{
		Use: "new NAME", Short: "Make a function",
		Long: "Makes a function that greets, or one of the given files. In a project folder that is functions/NAME/ with\n" +
			"index.js and manifest.json; it serves at once, and every save after that does, too.",
		Args:    takes(1, 1, "the name of the new function"),
		Example: "  benchtop fn new quote --description \"Price a job\"\n  benchtop fn new quote --source quote.js --manifest quote.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			source, manifest := starter, starterManifest(description)
			for _, f := range []struct {
				file string
				to   *string
			}{{sourceFile, &source}, {manifestFile, &manifest}} {
				if f.file == "" {
					continue
				}
				b, err := os.ReadFile(f.file)
				if err != nil {
					return err
				}
				*f.to = string(b)
			}
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				path := client.LocalAgent(a.ID, "functions", args[0])
				var w contract.WorkFunction
				switch err := l.Get(ctx, path, &w); {
				case err == nil:
					return fmt.Errorf("%s has a function %s already; look at it with: benchtop fn show %s", a.Username, args[0], args[0])
				case !is(err, contract.FnNotFound):
					return err
				}
				if err := l.Do(ctx, "PUT", path, contract.SaveRequest{Source: &source, Manifest: &manifest}, &w); err != nil {
					return err
				}
				err := p.show(w, func(out io.Writer) {
					where := "on the platform"
					if w.Source != nil && w.Source.Path != "" {
						where = "in " + w.Source.Path
					}
					fmt.Fprintf(out, "made %s of %s %s\n", w.Name, a.Username, where)
					problems(out, "error", w.Errors)
					problems(out, "warning", w.Warnings)
				})
				if err == nil && w.Broken {
					return errFailed
				}
				return err
			})
		},
	}
	cn.bind(cmd)
	f := cmd.Flags()
	f.StringVar(&description, "description", "Greets somebody", "what the function does, in a few words")
	f.StringVar(&sourceFile, "source", "", "file to take the source from")
	f.StringVar(&manifestFile, "manifest", "", "file to take the manifest from (JSON)")
	return cmd
}

func problems(w io.Writer, kind string, list []contract.Problem) {
	for _, one := range list {
		fmt.Fprintf(w, "  %s %s: %s%s\n", kind, one.Code, client.Place(one), one.Message)
	}
}
