//go:build unix

package executor

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/executor/exectest"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
)

// handler wraps statements into a function.
func handler(body string) string { return "export default async (ctx) => {\n" + body + "\n}" }

// sample is every how manieth of the hostile sources TestHostile runs; the
// soak runs all of them.
const sample = 9

// TestHostile runs functions that try to stop, outgrow, crash or leave whoever
// runs them. Each must end as its first line says, while neighbours are served.
func TestHostile(t *testing.T) {
	site := newCanary(t)
	all := hostileSources(t, site)
	for _, n := range []int{64_000, 250_000} { // esbuild's stack
		all = append(all, hostile{group: "codegen", name: strconv.Itoa(n) + " parentheses", source: strings.Repeat("(", n),
			want: []contract.Code{contract.JSCompileError}, limits: manifest.Limits{WallMs: 30_000, MemoryMb: 128}})
	}
	l := newLocal(t, Config{Worker: exectest.Worker(t)})
	hello := benchJob(helloSource)
	for i, c := range all {
		if i%sample != 0 && !strings.Contains(c.name, "parentheses") && c.name != "text-of-itself" {
			continue
		}
		t.Run(c.group+"/"+c.name, func(t *testing.T) {
			ended := make(chan invocation.Outcome, 1)
			go func() { ended <- l.Run(t.Context(), c.job(), &host{}) }()
			for answered := 0; ; answered++ {
				if o := l.Run(t.Context(), hello, &host{}); o.Code != "" {
					t.Fatalf("a neighbour ended with %s %s", o.Code, o.Message)
				}
				select {
				case o := <-ended:
					if !c.contained(o) {
						t.Errorf("got %q %q (value %.80s), want %s", o.Code, o.Message, o.Value, c)
					}
					t.Logf("%s after %d ms, %d neighbours answered: %.150s", o.Code, o.DurationUs/1000, answered, o.Message)
				default:
					continue
				}
				break
			}
			if o := l.Run(t.Context(), hello, &host{}); o.Code != "" {
				t.Errorf("the next call ended with %s %s", o.Code, o.Message)
			}
		})
	}
	if n := site.hits.Load(); n > 0 {
		t.Errorf("%d requests arrived where none may", n)
	}
}

func TestCheckOfHostileSources(t *testing.T) {
	l := newLocal(t, Config{Worker: exectest.Worker(t)})
	for _, c := range []struct {
		name, source string
		want         contract.Code
	}{
		{"parentheses", strings.Repeat("(", 250_000), contract.JSCompileError},
		{"syntax", "export default (", contract.JSCompileError},
		{"no handler", "export const n = 1", contract.JSNoHandler},
		{"endless load", "for (;;) {}", contract.WallTimeout},
		{"eats at load", "const a = []; for (;;) a.push([1, 2, 3])", contract.MemoryLimitExceeded},
	} {
		if l.checkWall = checkWall; c.want == contract.WallTimeout {
			l.checkWall = 300 * time.Millisecond
		}
		got := l.Check(t.Context(), job(c.source).Source, "")
		if len(got.Errors) == 0 || got.Errors[0].Code != c.want || got.Errors[0].Message == "" || got.Errors[0].File == "" {
			t.Errorf("%s: got %+v, want %s", c.name, got.Errors, c.want)
		}
	}
	if got := l.Check(t.Context(), job(helloSource).Source, ""); len(got.Errors) != 0 {
		t.Errorf("a good source: %+v", got.Errors)
	}
}

// A worker that somebody kills from outside loses its run, and only that.
func TestKilledFromOutsideInTheMiddle(t *testing.T) {
	l := newLocal(t, Config{Worker: exectest.Worker(t)})
	var once sync.Once
	h := &host{}
	h.call = callOf(func() contract.HostReply {
		once.Do(func() {
			for _, task := range l.pool.busy(nil) {
				if err := syscall.Kill(task.w.cmd.Process.Pid, syscall.SIGKILL); err != nil {
					t.Error(err)
				}
			}
		})
		return contract.HostReply{OK: true}
	})
	o := l.Run(t.Context(), benchJob(kvSource), h)
	if o.Code != contract.ExecutorInternal || !strings.Contains(o.Message, "killed from outside") || o.DurationUs <= 0 {
		t.Errorf("got %+v", o)
	}
	for range 4 {
		if o := l.Run(t.Context(), benchJob(helloSource), h); o.Code != "" {
			t.Errorf("the next call ended with %s %s", o.Code, o.Message)
		}
	}
}

// A source is compiled once, whoever asks at the same time, and each name has
// its own script.
func TestCompiledOnce(t *testing.T) {
	l := newLocal(t, Config{Worker: exectest.Worker(t)})
	var left sync.WaitGroup
	for i := range 40 {
		left.Go(func() {
			j := benchJob(handler("throw new Error('here')"))
			j.Source.Name = "functions/f" + strconv.Itoa(i%2) + ".js"
			o := l.Run(t.Context(), j, &host{})
			if o.At == nil || o.At.File != j.Source.Name || o.At.Line != 2 {
				t.Errorf("got %+v", o)
			}
		})
	}
	left.Wait()
	if n := l.cache.used.Len(); n != 2 {
		t.Errorf("%d scripts are kept, want 2", n)
	}
}

func TestCacheIsBounded(t *testing.T) {
	l := newLocal(t, Config{})
	for i := range cacheEntries + 100 {
		if o := l.Run(t.Context(), job(fmt.Sprintf("return %d", i)), nil); string(o.Value) != strconv.Itoa(i) {
			t.Fatalf("run %d gives %+v", i, o)
		}
	}
	size := 0
	for e := l.cache.used.Front(); e != nil; e = e.Next() {
		size += e.Value.(*script).size
	}
	if n := l.cache.used.Len(); n != cacheEntries || n != len(l.cache.byKey) || size != l.cache.bytes {
		t.Errorf("%d scripts, %d keys, %d bytes counted, %d there", n, len(l.cache.byKey), l.cache.bytes, size)
	}
}
