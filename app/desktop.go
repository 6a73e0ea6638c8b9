package app

import (
	"context"
	"errors"
	"fmt"

	"benchtop/app/cli"
	"benchtop/app/window"
)

// openWindow joins the command line to the window without either knowing the
// other.
func openWindow(o cli.WindowOptions) error {
	var focus func()
	err := window.Run(window.Config{
		Expose: func(f func()) { focus = f },
		Start: func(ctx context.Context) (window.Served, error) {
			s, err := o.Start(ctx, focus)
			var running *cli.Running
			switch {
			case errors.As(err, &running):
				return window.Served{}, fmt.Errorf("%w: %w", window.ErrElsewhere, err)
			case err != nil:
				return window.Served{}, err
			}
			return window.Served{URL: s.URL(), Token: s.Token(), Boot: s.Boot(), Close: s.Close}, nil
		},
		Assets: o.Assets, Version: o.Version, StateFile: o.StateFile, Log: o.Log,
	})
	if errors.Is(err, window.ErrElsewhere) {
		return nil // the owner sees the one that runs
	}
	return err
}
