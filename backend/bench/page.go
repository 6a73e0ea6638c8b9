package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/manyruns"
)

// What measures the page (frontend/bench) needs of this program: a data
// directory with a long history, and something that happens all the time.

// fillHome leaves below home a project, and the data directory of a platform
// that has it open and has run its functions rows times.
func fillHome(home, program string, rows int) error {
	p, err := startIn(home, program, false)
	if err != nil {
		return err
	}
	defer p.stop()
	if err := writeProject(p.project); err != nil {
		return err
	}
	var opened struct{ AgentID string }
	if err := p.call("POST", "/api/local/projects", map[string]string{"path": p.project}, &opened); err != nil {
		return err
	}
	if opened.AgentID == "" {
		return fmt.Errorf("the platform did not say which agent %s is", p.project)
	}
	p.stop() // one program at a time has the database
	begin := time.Now().Add(-time.Duration(rows) * 2 * time.Second)
	return manyruns.Write(context.Background(), filepath.Join(home, "data"), opened.AgentID, int64(rows), func(n int64) manyruns.Run {
		return pastRun(n, begin.Add(time.Duration(n)*2*time.Second))
	})
}

// pastRun is the nth of many runs: of several functions, by several skills, a
// few of them failed or slow.
func pastRun(n int64, at time.Time) manyruns.Run {
	r := manyruns.Run{
		Function: []string{"hello", "store", "reload"}[n%3], Skill: []string{contract.SkillManual, contract.SkillHTTP, contract.SkillTools}[n/3%3],
		At: at, Took: time.Duration(300+n%700) * time.Microsecond, HostCalls: int(n % 4),
	}
	if n%97 == 0 {
		r.Took = 1500 * time.Millisecond
	}
	if n%41 == 0 {
		r.Code, r.Message = contract.JSRuntimeError, "TypeError: Cannot read properties of undefined (reading 'items')"
	}
	return r
}

// loadPlatform invokes hello evenly at a rate per second and prints, as JSON, how
// many of the calls were done and in how many ms. Each is two events at least.
func loadPlatform(url, key string, rate int, span time.Duration) error {
	p := &served{url: url, key: key}
	const callers = 32
	work := make(chan struct{}, rate) // a second's worth: what is later than that is not made up for
	var done, failed atomic.Int64
	var first atomic.Pointer[error]
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range work {
				if err := p.invoke("hello", args); err != nil {
					failed.Add(1)
					first.CompareAndSwap(nil, &err)
					continue
				}
				done.Add(1)
			}
		})
	}
	began := time.Now()
	tick := time.NewTicker(5 * time.Millisecond)
	for asked := 0; ; <-tick.C {
		gone := min(time.Since(began), span)
		for due := int(gone.Seconds() * float64(rate)); asked < due; asked++ {
			select {
			case work <- struct{}{}:
			default:
			}
		}
		if gone == span {
			break
		}
	}
	tick.Stop()
	close(work)
	wg.Wait()
	if err := first.Load(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", *err)
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"calls": done.Load(), "failed": failed.Load(), "ms": time.Since(began).Milliseconds(),
	})
}
