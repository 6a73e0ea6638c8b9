package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

// validated is what fn validate says of one function.
type validated struct {
	Name string `json:"name"`
	contract.ValidateResponse
}

func fnValidateCommand(p *Program) *cobra.Command {
	var cn connection
	var sourceFile, manifestFile string
	cmd := &cobra.Command{
		Use: "validate [NAME...]", Short: "Check functions without running them",
		Long: "Checks manifest and source of the functions as they are saved now: of all of them when none is named.\n" +
			"With --source or --manifest it checks these files under the given name. Exit code 3: there are errors.",
		Args:    takes(0, -1, "names of functions"),
		Example: "  benchtop fn validate\n  benchtop fn validate --project .\n  benchtop fn validate quote --source quote.js --manifest quote.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			files := sourceFile != "" || manifestFile != ""
			if files && len(args) != 1 {
				return usagef("--source and --manifest are of one function; name it")
			}
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				var all []validated
				if files {
					v, err := l.validateFiles(ctx, a, args[0], sourceFile, manifestFile)
					if err != nil {
						return err
					}
					all = []validated{v}
				} else if err := l.validateSaved(ctx, a, args, &all); err != nil {
					return err
				}
				failed := false
				err := p.show(all, func(w io.Writer) {
					for _, v := range all {
						verdict := "ok"
						if !v.OK {
							verdict = plural(len(v.Errors), "error")
						}
						fmt.Fprintf(w, "%s: %s\n", v.Name, verdict)
						problems(w, "error", v.Errors)
						problems(w, "warning", v.Warnings)
					}
				})
				for _, v := range all {
					failed = failed || !v.OK
				}
				if err == nil && failed {
					return errFailed
				}
				return err
			})
		},
	}
	cn.bind(cmd)
	cmd.Flags().StringVar(&sourceFile, "source", "", "file with the source to check")
	cmd.Flags().StringVar(&manifestFile, "manifest", "", "file with the manifest to check (JSON)")
	cmd.ValidArgsFunction = p.completeFunctions(&cn)
	return cmd
}

// validateFiles checks files; the part that is not given is the saved one.
func (l *link) validateFiles(ctx context.Context, a contract.Agent, name, sourceFile, manifestFile string) (validated, error) {
	v := validated{Name: name}
	var w contract.WorkFunction
	if sourceFile == "" || manifestFile == "" {
		if err := l.Get(ctx, client.LocalAgent(a.ID, "functions", name), &w); err != nil {
			return v, err
		}
	}
	texts := [2]string{}
	for i, part := range []struct {
		file  string
		saved *contract.WorkFile
	}{{sourceFile, w.Source}, {manifestFile, w.Manifest}} {
		switch {
		case part.file != "":
			b, err := os.ReadFile(part.file)
			if err != nil {
				return v, err
			}
			texts[i] = string(b)
		case part.saved == nil:
			return v, usagef("%s has no source and no manifest of its own; name both files with --source and --manifest", name)
		default:
			texts[i] = part.saved.Text
		}
	}
	err := l.validate(ctx, a, name, texts[1], texts[0], &v.ValidateResponse)
	return v, err
}

// validate asks the platform. What cannot even be posted is an error of the
// function and not of the call.
func (l *link) validate(ctx context.Context, a contract.Agent, name, manifest, source string, out *contract.ValidateResponse) error {
	body, unfit := client.Posted("", []byte(manifest), source)
	if unfit != nil {
		*out = contract.ValidateResponse{Errors: []contract.Problem{*unfit}, Warnings: []contract.Problem{}}
		return nil
	}
	return l.Post(ctx, client.Agent(a.ID, "functions", name, "validate"), body, out)
}

// validateSaved checks what is saved under the names, or under all.
func (l *link) validateSaved(ctx context.Context, a contract.Agent, names []string, all *[]validated) error {
	if len(names) == 0 {
		var list contract.WorkList
		if err := l.Get(ctx, client.LocalAgent(a.ID, "functions"), &list); err != nil {
			return err
		}
		for _, f := range list.Functions {
			names = append(names, f.Name)
		}
	}
	for _, name := range names {
		var w contract.WorkFunction
		if err := l.Get(ctx, client.LocalAgent(a.ID, "functions", name), &w); err != nil {
			return err
		}
		v := validated{Name: name, ValidateResponse: contract.ValidateResponse{OK: !w.Broken, Errors: w.Errors, Warnings: w.Warnings}}
		// Files that were saved a moment ago are checked as they are now. A
		// header or an entry of AGENT.md was read with the folder.
		if w.Manifest != nil && w.Source != nil && len(w.Source.Text) <= contract.MaxInlineSource {
			if err := l.validate(ctx, a, name, w.Manifest.Text, w.Source.Text, &v.ValidateResponse); err != nil {
				return err
			}
			for _, of := range w.Warnings {
				if of.Code == contract.ManifestDiffers {
					v.Warnings = append(v.Warnings, of)
				}
			}
		}
		*all = append(*all, v)
	}
	return nil
}
