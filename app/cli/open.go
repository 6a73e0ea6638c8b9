package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

// openCommand opens the console of the platform that runs.
func openCommand(p *Program) *cobra.Command {
	var data string
	var only bool
	cmd := &cobra.Command{
		Use:     "open",
		Short:   "Open the console of the running platform in a browser",
		Example: "  benchtop open\n  benchtop open --print",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.owner(cmd.Context(), data)
			if err != nil {
				return err
			}
			if !only {
				return p.showConsole(cmd.Context(), c)
			}
			url, err := loginURL(cmd.Context(), c)
			if err != nil {
				return err
			}
			return p.show(map[string]string{"console": url}, func(w io.Writer) { fmt.Fprintln(w, url) })
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "data directory of the platform (default: the user's data directory, benchtop/)")
	cmd.Flags().BoolVar(&only, "print", false, "print the one-time address and open nothing")
	return cmd
}

// showConsole opens the console of a running platform, or prints its address
// where there is no browser.
func (p *Program) showConsole(ctx context.Context, c *client.Client) error {
	url, err := loginURL(ctx, c)
	if err != nil {
		return err
	}
	if err := p.browse(url); err != nil {
		fmt.Fprintf(p.Stderr, "benchtop: %v; open this address\n", err)
		fmt.Fprintln(p.Stdout, url)
	}
	return nil
}

func loginURL(ctx context.Context, c *client.Client) (string, error) {
	var link contract.LoginLink
	err := c.Post(ctx, "/api/local/login-code", nil, &link)
	return link.URL, err
}
