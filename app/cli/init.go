package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"benchtop/backend/samples"
)

// initCommand makes a project folder from a sample.
func initCommand(p *Program) *cobra.Command {
	var sample string
	var list bool
	var names []string
	for _, s := range samples.List() {
		names = append(names, s.Name)
	}
	known := strings.Join(names, ", ")
	cmd := &cobra.Command{
		Use:     "init DIR",
		Short:   "Make a project folder from a sample",
		Example: "  benchtop init --list\n  benchtop init ./hello --sample hello",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && !list {
				return usageError{errors.New("init takes one argument, the folder to make")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if list {
				return p.show(samples.List(), func(w io.Writer) {
					var rows [][]string
					for _, s := range samples.List() {
						rows = append(rows, []string{s.Name, s.Title, s.Description})
					}
					table(w, []string{"SAMPLE", "TITLE", "WHAT IT SHOWS"}, rows)
				})
			}
			if !samples.Has(sample) {
				return usageError{fmt.Errorf("there is no sample %q; there is %s", sample, known)}
			}
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			if err := mustBeEmpty(dir); err != nil {
				return err
			}
			if err := samples.Copy(sample, dir); err != nil {
				return err
			}
			return p.show(map[string]string{"folder": dir, "sample": sample}, func(w io.Writer) {
				fmt.Fprintf(w, "made %s from the sample %s\nopen it with: benchtop --project %q\n", dir, sample, dir)
			})
		},
	}
	cmd.Flags().StringVar(&sample, "sample", "hello", "what to start from")
	cmd.Flags().BoolVar(&list, "list", false, "list the samples and make nothing")
	return cmd
}

// mustBeEmpty refuses a folder with something in it; a fresh repository counts
// as empty.
func mustBeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != ".git" {
			return fmt.Errorf("%s is there already and is not empty; choose another folder", dir)
		}
	}
	return nil
}
