package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"benchtop/backend/contract"
)

// tokenCommand is the family around portal tokens.
func tokenCommand(p *Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Issue portal tokens of the running platform",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(tokenIssueCommand(p))
	return cmd
}

// tokenIssueCommand issues a portal token. The token alone goes to stdout, so
// that a script can take it from there.
func tokenIssueCommand(p *Program) *cobra.Command {
	var data string
	var req contract.PortalTokenRequest
	var expires time.Duration
	cmd := &cobra.Command{
		Use:   "issue",
		Short: "Issue a portal token and print it",
		Long: "Issues a portal token of the platform that runs, and prints it: it is shown this once. The platform is the\n" +
			"one of the data directory, or the one at " + envURL + " whose owner key is in " + envKey + ".",
		Example: "  benchtop token issue --agent mia --scope read,invoke --expires 1h",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if expires%time.Second != 0 || expires < 0 || expires == 0 && cmd.Flags().Changed("expires") {
				return usageError{fmt.Errorf("--expires is a time of whole seconds, such as 1h or 90s, not %s", expires)}
			}
			req.ExpiresInSeconds = int64(expires / time.Second)
			c, err := p.owner(cmd.Context(), data)
			if err != nil {
				return err
			}
			var res contract.PortalTokenResponse
			if err := c.Post(cmd.Context(), "/api/local/tokens", req, &res); err != nil {
				return err
			}
			return p.show(res, func(w io.Writer) { fmt.Fprintln(w, res.Token) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&data, "data", "", "data directory of the platform (default: the user's data directory, benchtop/)")
	f.StringVar(&req.Agent, "agent", "", "id or username of the agent that the token is bound to (default: none)")
	f.StringSliceVar(&req.Scopes, "scope", nil, "what the token permits: read, write and invoke (default: all of them)")
	f.DurationVar(&expires, "expires", 0, "how long it counts, such as 1h (default 24h)")
	return cmd
}
