// Command manyruns fills the history of a stopped platform for the tests of the
// page: it writes thousands of finished runs before and after one that a test
// made, through the store that the platform uses. Run it from the repository
// root:
//
//	go run ./frontend/e2e/manyruns -data DIR -agent ID -around 2026-11-22T05:00:00.000000Z -runs 99999
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/manyruns"
)

func main() {
	data := flag.String("data", "", "the data directory; no platform may run on it")
	agent := flag.String("agent", "", "the id of the agent whose runs they are")
	around := flag.String("around", "", "when the run began that they lie around")
	runs := flag.Int64("runs", 99_999, "how many runs to write")
	flag.Parse()
	if err := fill(*data, *agent, *around, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "manyruns:", err)
		os.Exit(1)
	}
}

func fill(data, agent, around string, runs int64) error {
	middle, err := time.Parse(contract.Timestamp, around)
	if err != nil {
		return fmt.Errorf("-around: %w", err)
	}
	if data == "" || agent == "" {
		return errors.New("-data and -agent are needed")
	}
	return manyruns.Write(context.Background(), data, agent, runs, func(n int64) manyruns.Run {
		return run(n+1, began(middle, n+1, runs))
	})
}

// began spreads the runs: three of five before the middle, over days, and the
// others after it, close together, because nothing may lie in the future.
func began(middle time.Time, n, runs int64) time.Time {
	older := runs * 3 / 5
	if n <= older {
		return middle.Add(-time.Duration(n) * 4 * time.Second)
	}
	return middle.Add(time.Duration(n-older) * 10 * time.Microsecond)
}

// run is the nth run. Most are fine, and what fails does so for another reason
// than an error in the function.
func run(n int64, at time.Time) manyruns.Run {
	r := manyruns.Run{Function: "greet", At: at, Took: time.Duration(300+n%40*100) * time.Microsecond}
	switch {
	case n%10 == 0:
		r.Function = "price"
	case n%5 == 0:
		r.Function = "visits"
	}
	switch {
	case n%70 == 0:
		r.Code, r.Message, r.Took = contract.WallTimeout, "The run took longer than 2000 ms.", 2*time.Second
	case n%210 == 1:
		r.Code, r.Message = contract.PermissionDenied, "kv.put needs permissions.kv"
	}
	return r
}
