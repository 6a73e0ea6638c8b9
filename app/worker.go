//go:build !(desktop || dev || bindings)

package app

import (
	"os"

	"benchtop/backend/worker"
)

// runWorker makes the static program its own worker. The window build is never
// one: it links a browser engine (decisions.md 13).
var runWorker = func() int { return worker.Main(os.Stdin, os.Stdout) }
