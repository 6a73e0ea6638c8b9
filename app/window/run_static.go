//go:build !(desktop || dev || bindings)

package window

import "errors"

// Available says that this build can open a window.
const Available = false

// Run says that this is the static build. It starts nothing.
func Run(Config) error {
	return errors.New("this is the static build of Benchtop, which has no window: " +
		"run `benchtop serve` and open the address it prints, or use benchtop-desktop")
}
