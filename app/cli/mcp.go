package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"benchtop/app/mcp"
	"benchtop/backend/contract"
)

// mcpCommand speaks to a coding agent over stdin and stdout.
func mcpCommand(p *Program) *cobra.Command {
	var cn connection
	cmd := &cobra.Command{
		Use: "mcp", Short: "Offer the platform to a coding agent over stdin and stdout", Args: noArgs,
		Long: "Speaks the Model Context Protocol over stdin and stdout, for a coding agent that starts it: listing, reading,\n" +
			"checking and running functions, the history, and the names of secrets. It uses the platform that runs or, while\n" +
			"none does, opens the data directory for each call. Put it into the agent's configuration as a command.",
		Example: "  benchtop mcp --project ~/Benchtop/hello\n" +
			"  {\"mcpServers\": {\"benchtop\": {\"command\": \"benchtop\", \"args\": [\"mcp\"]}}}",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if p.Stdin == nil {
				return errors.New("there is no stdin to speak over")
			}
			return mcp.Serve(cmd.Context(), mcp.Config{Version: p.Version, With: func(ctx context.Context, do func(context.Context, mcp.Platform) error) error {
				return p.using(ctx, &cn, func(ctx context.Context, l *link) error {
					return do(ctx, mcp.Platform{Client: l.Client, Agent: func(ctx context.Context, ref string) (contract.Agent, error) {
						named := cn
						if ref != "" {
							named = connection{agent: ref}
						}
						return named.agentOf(ctx, l)
					}})
				})
			}}, p.Stdin, p.Stdout)
		},
	}
	cn.bind(cmd)
	return cmd
}
