package cli

import "github.com/spf13/cobra"

// serveCommand runs the platform until it is told to stop.
func serveCommand(p *Program) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the platform without a window",
		Long: "Runs the platform until SIGINT or SIGTERM. Prints its address and a one-time address of the\n" +
			"console on stdout; the log goes to stderr.",
		Args: noArgs, Example: "  benchtop serve --project ./mia\n  benchtop serve --ephemeral --addr 127.0.0.1:0 --ready-file ready.json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(cmd); err != nil {
				return err
			}
			s, err := p.start(cmd.Context(), o, nil)
			if err != nil {
				return err
			}
			p.announce(s)
			return s.run(cmd.Context())
		},
	}
	o.bind(cmd)
	return cmd
}
