package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

// workerCommand runs functions for a platform that started it; it speaks frames
// over its pipes and is of no use to a person.
func workerCommand(p *Program) *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Run functions for a platform (started by it)",
		Hidden: true,
		Args:   noArgs,
		RunE: func(*cobra.Command, []string) error {
			if p.Worker == nil {
				return errors.New("this build is no worker; put benchtop-worker beside it")
			}
			return exitCode(p.Worker())
		},
	}
}
