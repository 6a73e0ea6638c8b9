// Command benchtop-worker runs functions for the platform, one at a time. It is
// started with two pipes for stdin and stdout and ends when stdin does.
package main

import (
	"os"

	"benchtop/backend/worker"
)

func main() {
	in, out := pipes()
	// Whatever prints by mistake must not get between the frames.
	os.Stdout = os.Stderr
	os.Exit(worker.Main(in, out))
}
