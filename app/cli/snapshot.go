package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"benchtop/backend/auth"
	"benchtop/backend/platform"
	"benchtop/backend/secrets"
	"benchtop/backend/snapshot"
)

const snapshotLong = "A snapshot is a copy of all that the platform knows: agents, functions with their versions, history, kv,\n" +
	"content, money, keys and tokens as they counted then. It stays in the data directory, under snapshots/.\n" +
	"Folders of projects are not in it. Secrets are in it as they are stored, encrypted; the key is not, so that\n" +
	"they can be read in this data directory only."

func snapshotCommand(p *Program) *cobra.Command {
	return family("snapshot", "Keep copies of the platform's data and put them back", snapshotLong,
		snapshotSaveCommand(p), snapshotListCommand(p), snapshotLoadCommand(p), snapshotRemoveCommand(p))
}

// snapshots gives those of a data directory of this machine, and its path.
func (p *Program) snapshots(data string) (*snapshot.Snapshots, string, error) {
	if data == "" {
		if p.Getenv(envURL) != "" {
			return nil, "", usagef("a snapshot is of a data directory of this machine and not of %s; name it with --data", envURL)
		}
		var err error
		if data, err = defaultDataDir(p.Getenv); err != nil {
			return nil, "", err
		}
	}
	if _, err := os.Stat(data); err != nil {
		return nil, "", withExit{fmt.Errorf("there is no data directory %s", data), exitNotFound}
	}
	return snapshot.New(snapshot.Config{Dir: data, Now: time.Now, Log: p.logger("text"), Keys: func() (secrets.KeySource, error) {
		id, err := auth.DataID(data)
		return platform.KeySource(data, id, false), err
	}}), data, nil
}

// alone runs do while no platform can use the data directory.
func (p *Program) alone(ctx context.Context, dir string, do func() error) error {
	d, err := p.openDataDir(ctx, options{data: dir})
	var running *Running
	if errors.As(err, &running) {
		return withExit{fmt.Errorf("%w; stop it first", err), exitUnreachable}
	}
	if err != nil {
		return err
	}
	return errors.Join(do(), d.close())
}

func snapshotSaveCommand(p *Program) *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use: "save [NAME]", Short: "Save a snapshot, also while the platform runs", Long: snapshotLong,
		Args:    takes(0, 1, "a name or nothing"),
		Example: "  benchtop snapshot save before-the-demo",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, _, err := p.snapshots(data)
			if err != nil {
				return err
			}
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			info, err := s.Save(cmd.Context(), name)
			if err != nil {
				return err
			}
			return p.show(info, func(w io.Writer) { fmt.Fprintf(w, "saved %s (%d bytes)\n", info.Name, info.Bytes) })
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "data directory (default: the user's data directory, benchtop/)")
	return cmd
}

func snapshotListCommand(p *Program) *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the snapshots, the newest first", Args: noArgs,
		Example: "  benchtop snapshot list",
		RunE: func(*cobra.Command, []string) error {
			s, _, err := p.snapshots(data)
			if err != nil {
				return err
			}
			all, err := s.List()
			if err != nil {
				return err
			}
			return p.show(all, func(w io.Writer) {
				rows := make([][]string, len(all))
				for i, one := range all {
					rows[i] = []string{one.Name, moment(one.At), strconv.FormatInt(one.Bytes, 10)}
				}
				table(w, []string{"NAME", "OF", "BYTES"}, rows)
			})
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "data directory (default: the user's data directory, benchtop/)")
	return cmd
}

func snapshotLoadCommand(p *Program) *cobra.Command {
	var data string
	var drop bool
	cmd := &cobra.Command{
		Use: "load NAME", Short: "Put a snapshot in the place of the platform's data",
		Long: "Puts a snapshot in the place of the platform's data, at once: all of it or nothing. The platform must not run.\n" +
			"What is there now becomes a snapshot, which undoes it. Keys and tokens that were ended since count again.\n" +
			"Secrets that the key of this data directory does not open keep a snapshot from being loaded; with\n" +
			"--drop-secrets it is loaded without them.",
		Args:    takes(1, 1, "the name of a snapshot"),
		Example: "  benchtop snapshot load before-the-demo",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, dir, err := p.snapshots(data)
			if err != nil {
				return err
			}
			return p.alone(cmd.Context(), dir, func() error {
				done, err := s.Load(cmd.Context(), args[0], drop)
				if err != nil {
					return err
				}
				return p.show(done, func(w io.Writer) {
					fmt.Fprintf(w, "loaded %s\n", done.Name)
					for _, x := range done.Dropped {
						fmt.Fprintf(w, "  dropped the secret %s of %s: set it again\n", x.Binding, x.Function)
					}
					if done.Before != "" {
						fmt.Fprintf(w, "undo: benchtop snapshot load %s\n", done.Before)
					}
				})
			})
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "data directory (default: the user's data directory, benchtop/)")
	cmd.Flags().BoolVar(&drop, "drop-secrets", false, "leave secrets out that cannot be opened here")
	return cmd
}

func snapshotRemoveCommand(p *Program) *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use: "rm NAME", Aliases: []string{"remove"}, Short: "Remove a snapshot for good",
		Args:    takes(1, 1, "the name of a snapshot"),
		Example: "  benchtop snapshot rm before-the-demo",
		RunE: func(_ *cobra.Command, args []string) error {
			s, _, err := p.snapshots(data)
			if err != nil {
				return err
			}
			if err := s.Remove(args[0]); err != nil {
				return err
			}
			return p.show(map[string]string{"removed": args[0]}, func(w io.Writer) { fmt.Fprintf(w, "removed %s\n", args[0]) })
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "data directory (default: the user's data directory, benchtop/)")
	return cmd
}

func resetCommand(p *Program) *cobra.Command {
	var data string
	var yes bool
	cmd := &cobra.Command{
		Use: "reset", Short: "Begin anew: forget agents, functions, history and secrets",
		Long: "Takes all that the platform knows away, so that the next start is a first one. What was there becomes a\n" +
			"snapshot, which undoes it. The platform must not run. Folders of projects and the owner's key stay.",
		Args:    noArgs,
		Example: "  benchtop reset --yes\n  benchtop snapshot load before-reset-20260102-150405.000    # undo",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, dir, err := p.snapshots(data)
			if err != nil {
				return err
			}
			if !yes {
				return usagef("this takes away all that the platform of %s knows; say --yes to do it (it can be undone)", dir)
			}
			return p.alone(cmd.Context(), dir, func() error {
				before, err := s.Reset(cmd.Context())
				if err != nil {
					return err
				}
				return p.show(map[string]string{"before": before}, func(w io.Writer) {
					if before == "" {
						fmt.Fprintln(w, "there was nothing to forget")
						return
					}
					fmt.Fprintf(w, "the next start is a first one\nundo: benchtop snapshot load %s\n", before)
				})
			})
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "data directory (default: the user's data directory, benchtop/)")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	return cmd
}
