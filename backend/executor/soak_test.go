//go:build unix && soak

package executor

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/executor/exectest"
)

// TestSoakHostile runs the whole hostile set and prints what became of it.
func TestSoakHostile(t *testing.T) {
	site := newCanary(t)
	all := hostileSources(t, site)
	if len(all) < 120 {
		t.Fatalf("only %d sources", len(all))
	}
	l := newLocal(t, Config{Worker: exectest.Worker(t)})
	type tally struct{ n, exact, escaped, hung int }
	groups := map[string]*tally{}
	var overshoots []time.Duration
	var worst int64
	var worstOf string
	for _, h := range all {
		if groups[h.group] == nil {
			groups[h.group] = &tally{}
		}
		g := groups[h.group]
		peak := watchPeak(l)
		begin := time.Now()
		o := l.Run(t.Context(), h.job(), &host{})
		took := time.Since(begin)
		high := peak() - int64(h.limits.MemoryMb)<<20
		if high > worst {
			worst, worstOf = high, h.group+"/"+h.name
		}
		g.n++
		wall := time.Duration(h.limits.WallMs) * time.Millisecond
		switch {
		case !h.contained(o):
			g.escaped++
			t.Errorf("%s/%s: %q %q (value %.100s), want %s", h.group, h.name, o.Code, o.Message, o.Value, h)
		case h.exact(o):
			g.exact++
		default:
			t.Logf("inexact: %s/%s: %s, want %s: %.200s", h.group, h.name, o.Code, h, o.Message)
		}
		if took > wall+time.Second {
			g.hung++
			t.Errorf("%s/%s took %v, its limit is %v", h.group, h.name, took, wall)
		}
		if o.Code == contract.WallTimeout {
			overshoots = append(overshoots, took-wall)
		}
	}
	var sum tally
	for _, name := range []string{"codegen", "loops", "memory", "fetch"} {
		g := groups[name]
		t.Logf("%-8s %3d sources, %3d exact codes, %d escapes, %d hangs", name, g.n, g.exact, g.escaped, g.hung)
		sum = tally{sum.n + g.n, sum.exact + g.exact, sum.escaped + g.escaped, sum.hung + g.hung}
	}
	slices.Sort(overshoots)
	t.Logf("%d sources: escapes %d, requests that arrived %d, hangs beyond wall + 1 s %d, platform deaths 0", sum.n, sum.escaped, site.hits.Load(), sum.hung)
	t.Logf("exact codes %.1f %%", 100*float64(sum.exact)/float64(sum.n))
	t.Logf("overshoot of the wall limit over %d runs: median %v, worst %v", len(overshoots), overshoots[len(overshoots)/2], overshoots[len(overshoots)-1])
	t.Logf("worst worker size: its limit + %d MB (%s)", worst>>20, worstOf)
	if site.hits.Load() > 0 || sum.exact*100 < 95*sum.n || worst > 256<<20 {
		t.Error("a promise is broken, see above")
	}
}

// watchPeak notes the largest resident size of any worker until the returned
// function is called. It looks every millisecond, and asks the kernel for the
// high-water mark of whoever is still alive in the end.
func watchPeak(l *Local) func() int64 {
	stop := make(chan struct{})
	var done sync.WaitGroup
	var most int64
	seen := map[*worker]bool{}
	done.Go(func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			for _, t := range l.pool.busy(nil) {
				seen[t.w] = true
				most = max(most, t.w.gauge.resident())
			}
		}
	})
	return func() int64 {
		close(stop)
		done.Wait()
		for w := range seen {
			if w.ended() {
				if usage, ok := w.state.SysUsage().(*syscall.Rusage); ok {
					most = max(most, beyondOurs(usage.Maxrss<<10))
				}
				continue
			}
			most = max(most, highWater(w.cmd.Process.Pid))
		}
		return most
	}
}

// beyondOurs leaves out a size that may be the parent's own: the kernel counts
// what a process was before it became another program.
func beyondOurs(size int64) int64 {
	if size <= highWater(os.Getpid())+1<<20 {
		return 0
	}
	return size
}

func highWater(pid int) int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, ok := strings.Cut(string(text), "VmHWM:")
	fields := strings.Fields(rest)
	if !ok || len(fields) == 0 {
		return 0
	}
	kb, _ := strconv.ParseInt(fields[0], 10, 64)
	return kb << 10
}
