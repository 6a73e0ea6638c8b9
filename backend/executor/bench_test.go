//go:build unix

package executor

import (
	"context"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/executor/exectest"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
)

const (
	helloSource = `export default async (ctx) => ({ hello: ctx.toolCall.args.name })`
	kvSource    = `export default async (ctx) => {
	await ctx.kv.put('n', 1);
	return { n: await ctx.kv.get('n') };
}`
)

func benchJob(source string) invocation.Job {
	j := job(source)
	j.Context = contract.RawJSON(`{"source":{"skill":"manual","entryId":"m"},"toolCall":{"toolName":"hello","args":{"name":"you"}},` +
		`"auth":{"agentId":"a"},"limits":{"wallMs":10000,"memoryMb":256}}`)
	j.Permissions = manifest.Permissions{KV: manifest.KV{Self: manifest.ModeRW}}
	return j
}

// memoryKV answers as fast as a host can.
func memoryKV() *host {
	var mu sync.Mutex
	var value contract.RawJSON
	return &host{call: func(_ context.Context, _ int, method string, args contract.RawJSON) contract.HostReply {
		mu.Lock()
		defer mu.Unlock()
		if method == "kv.put" {
			value = contract.RawJSON("1")
			return contract.HostReply{OK: true}
		}
		return contract.HostReply{OK: true, Result: value}
	}}
}

func BenchmarkRunHello(b *testing.B) {
	for _, c := range []struct {
		name, source string
		callers      int
	}{
		{"one", helloSource, 1}, {"32", helloSource, 32}, {"kv/one", kvSource, 1}, {"kv/32", kvSource, 32},
	} {
		b.Run(c.name, func(b *testing.B) {
			l := newLocal(b, Config{Worker: exectest.Worker(b)})
			j := benchJob(c.source)
			run := func() {
				if o := l.Run(context.Background(), j, memoryKV()); o.Code != "" {
					b.Error(o.Code, o.Message)
				}
			}
			run()
			b.ReportAllocs()
			ours, theirs := cpuTimes(l)
			b.ResetTimer()
			var left sync.WaitGroup
			for i := range c.callers {
				left.Go(func() {
					for n := i; n < b.N; n += c.callers {
						run()
					}
				})
			}
			left.Wait()
			oursNow, theirsNow := cpuTimes(l)
			b.ReportMetric(float64((oursNow-ours).Microseconds())/float64(b.N), "own-cpu-µs/op")
			b.ReportMetric(float64((theirsNow-theirs).Microseconds())/float64(b.N), "worker-cpu-µs/op")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
			b.ReportMetric(float64(l.Stats().Workers), "workers")
		})
	}
}

// cpuTimes is the processor time of this process and of the workers so far: on
// a machine that does other things too it says more than the clock.
func cpuTimes(l *Local) (ours, workers time.Duration) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err == nil {
		ours = time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	for _, w := range l.pool.all {
		workers += w.gauge.cpu()
	}
	return ours, workers
}

// BenchmarkStart is the time from nothing to the first answer.
func BenchmarkStart(b *testing.B) {
	worker := exectest.Worker(b)
	for b.Loop() {
		l, err := New(Config{Worker: worker})
		if err != nil {
			b.Fatal(err)
		}
		if o := l.Run(context.Background(), benchJob(helloSource), &host{}); o.Code != "" {
			b.Fatal(o.Code, o.Message)
		}
		b.StopTimer()
		if err := l.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkNeighbour is the median of a hello alone, and beside functions that
// do their worst without a pause.
func BenchmarkNeighbour(b *testing.B) {
	for _, c := range []struct{ name, source string }{
		{"quiet", ""},
		{"loop", handler(`for (;;) {}`)},
		{"memory", handler(`const a = []; for (;;) a.push([1, 2, 3])`)},
		{"regex", handler(`return /^(?=a)(a+)+$/.test('a'.repeat(60) + 'b')`)},
	} {
		b.Run(c.name, func(b *testing.B) {
			l := newLocal(b, Config{Worker: exectest.Worker(b)})
			ctx, stop := context.WithCancel(context.Background())
			var bad sync.WaitGroup
			if c.source != "" {
				bad.Go(func() {
					for ctx.Err() == nil {
						l.Run(ctx, benchJob(c.source), &host{})
					}
				})
			}
			hello := benchJob(helloSource)
			l.Run(ctx, hello, &host{})
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if o := l.Run(ctx, hello, &host{}); o.Code != "" {
					b.Fatal(o.Code, o.Message)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
			stop()
			bad.Wait()
		})
	}
}

// BenchmarkPipe is the executor's own share: a worker that has nothing to do.
func BenchmarkPipe(b *testing.B) {
	l := newLocal(b, Config{})
	j := job("return 1")
	l.Run(context.Background(), j, &host{})
	b.ReportAllocs()
	for b.Loop() {
		if o := l.Run(context.Background(), j, nil); o.Code != "" {
			b.Fatal(o.Code, o.Message)
		}
	}
}
