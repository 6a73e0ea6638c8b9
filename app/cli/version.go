package cli

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
)

func versionCommand(p *Program) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Args:    noArgs,
		Example: "  benchtop version",
		RunE: func(*cobra.Command, []string) error {
			build := "static"
			if p.Window != nil {
				build = "window"
			}
			v := map[string]string{"version": p.Version, "build": build, "os": runtime.GOOS, "arch": runtime.GOARCH, "go": runtime.Version()}
			return p.show(v, func(w io.Writer) {
				fmt.Fprintf(w, "benchtop %s (%s build, %s/%s, %s)\n", p.Version, build, runtime.GOOS, runtime.GOARCH, runtime.Version())
			})
		},
	}
}
