package main

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

var args = []byte(`{"args":{"name":"Ada"}}`)

// percentile of sorted durations.
func percentile(d []time.Duration, p float64) time.Duration {
	return d[min(len(d)-1, int(float64(len(d))*p))]
}

func bareCall(url string) func() error {
	return func() error {
		req, err := http.NewRequest("POST", url, bytes.NewReader(args))
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer x")
		req.Header.Set("Content-Type", "application/json")
		var out struct{ OK bool }
		return do(req, &out)
	}
}

// alternate times the calls in turn, round by round, so that a machine that
// changes its speed changes it for all of them.
func alternate(rounds, each int, calls ...func() error) ([][]time.Duration, error) {
	out := make([][]time.Duration, len(calls))
	for round := range rounds + 1 {
		for i, call := range calls {
			for range each {
				t := time.Now()
				if err := call(); err != nil {
					return nil, err
				}
				if round > 0 { // the first one warms up
					out[i] = append(out[i], time.Since(t))
				}
			}
		}
	}
	for _, d := range out {
		slices.Sort(d)
	}
	return out, nil
}

func latencies(p *served, bare string, calls int) error {
	d, err := alternate(20, calls/20, bareCall(bare),
		func() error { return p.invoke("hello", args) },
		func() error { return p.invoke("store", args) })
	if err != nil {
		return err
	}
	base := percentile(d[0], .5)
	fmt.Println("one caller                      p50        p95        p99   of bare (p50)")
	for i, name := range []string{"bare net/http hello", "invoke hello", "invoke kv put and get"} {
		fmt.Printf("  %-24s %8.1fµs %8.1fµs %8.1fµs   %6.2f\n", name, us(percentile(d[i], .5)), us(percentile(d[i], .95)),
			us(percentile(d[i], .99)), float64(percentile(d[i], .5))/float64(base))
	}
	return nil
}

func us(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
func ms(d time.Duration) float64 { return us(d) / 1000 }

// perSecond runs a call from several callers for a while.
func perSecond(callers int, span time.Duration, call func() error) (float64, error) {
	var n atomic.Int64
	var wg sync.WaitGroup
	var failed atomic.Pointer[error]
	begin := time.Now()
	for range callers {
		wg.Go(func() {
			for time.Since(begin) < span {
				if err := call(); err != nil {
					failed.CompareAndSwap(nil, &err)
					return
				}
				n.Add(1)
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64(n.Load()) / time.Since(begin).Seconds(), nil
}

func throughput(p *served, bare string, _ int) error {
	var rates [2]float64
	for range 3 { // in turn, the best of each
		for i, call := range []func() error{bareCall(bare), func() error { return p.invoke("hello", args) }} {
			r, err := perSecond(32, time.Second, call)
			if err != nil {
				return err
			}
			rates[i] = max(rates[i], r)
		}
	}
	fmt.Printf("\n32 callers                calls/s   of bare\n")
	fmt.Printf("  %-20s %10.0f\n", "bare net/http hello", rates[0])
	fmt.Printf("  %-20s %10.0f   %6.1f %%\n", "invoke hello", rates[1], 100*rates[1]/rates[0])
	return nil
}

// neighbour times hello while another function loops or hoards memory without
// a pause.
func neighbour(p *served, _ string, calls int) error {
	hello := func() error { return p.invoke("hello", args) }
	quiet, err := alternate(5, calls/20, hello)
	if err != nil {
		return err
	}
	fmt.Printf("\nhello beside a neighbour        p50        p95   of quiet (p50)\n")
	base := percentile(quiet[0], .5)
	fmt.Printf("  %-24s %8.1fµs %8.1fµs\n", "quiet", us(base), us(percentile(quiet[0], .95)))
	for _, bad := range []string{"spin", "hoard"} {
		stop, stopped := make(chan struct{}), make(chan struct{})
		begun := make(chan struct{})
		go func() {
			defer close(stopped)
			close(begun)
			for {
				select {
				case <-stop:
					return
				default:
					_ = p.invoke(bad, []byte(`{}`)) // its failure is its purpose
				}
			}
		}()
		<-begun
		d, err := alternate(5, calls/20, hello)
		close(stop)
		<-stopped
		if err != nil {
			return err
		}
		fmt.Printf("  %-24s %8.1fµs %8.1fµs   %6.2f\n", bad, us(percentile(d[0], .5)), us(percentile(d[0], .95)),
			float64(percentile(d[0], .5))/float64(base))
	}
	return nil
}
