//go:build unix

package executor

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/executor/exectest"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
)

const many = 64

// nested answers every host call by running the same job one level deeper,
// down to the deepest level that is allowed.
func nested(l *Local, j invocation.Job, ran *atomic.Int32) *host {
	return &host{call: func(ctx context.Context, _ int, _ string, _ contract.RawJSON) contract.HostReply {
		ran.Add(1)
		if j.Depth == contract.MaxChainDepth {
			return contract.HostReply{OK: true, Result: contract.RawJSON(`"bottom"`)}
		}
		child := j
		child.Depth++
		o := l.Run(ctx, child, nested(l, child, ran))
		if o.Code != "" {
			return contract.HostReply{Error: &contract.HostFailed{Code: o.Code, Message: o.Message}}
		}
		return contract.HostReply{OK: true, Result: o.Value}
	}}
}

// 64 parents, each four levels deep, all at the same time: everybody holds a
// process and waits for somebody who needs one more.
func TestManyParentsFourLevelsDeep(t *testing.T) {
	l := newLocal(t, Config{Worker: exectest.Worker(t)})
	j := benchJob(`export default async (ctx) => await ctx.kv.get('k')`)
	j.Limits.WallMs = contract.MaxWallMs
	var ran atomic.Int32
	var together sync.WaitGroup
	together.Add(many)
	var left sync.WaitGroup
	for range many {
		left.Go(func() {
			inner := nested(l, j, &ran)
			first := &host{call: func(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply {
				together.Done()
				together.Wait() // all 64 roots are running now
				return inner.call(ctx, n, method, args)
			}}
			if o := l.Run(t.Context(), j, first); o.Code != "" || string(o.Value) != `"bottom"` {
				t.Errorf("got %+v", o)
			}
		})
	}
	left.Wait()
	if n := ran.Load(); n != many*(contract.MaxChainDepth+1) {
		t.Errorf("%d calls were made, want %d", n, many*(contract.MaxChainDepth+1))
	}
}

// The same under pressure: few places, few slots, more parents than places.
func TestNestedCallsWithFewPlaces(t *testing.T) {
	l := newLocal(t, Config{Slots: 1, MaxWorkers: 2, Warm: 1})
	j := job("call x")
	var ran atomic.Int32
	var left sync.WaitGroup
	for range 3 * many {
		left.Go(func() {
			if o := l.Run(t.Context(), j, nested(l, j, &ran)); o.Code != "" {
				t.Errorf("got %+v", o)
			}
		})
	}
	left.Wait()
	if s := l.Stats(); s.Workers > 2+(levels-1)*keptPlaces {
		t.Errorf("%d workers", s.Workers)
	}
}

// 64 functions that wait for a slow server need 64 processes and hardly any
// CPU. The server answers nobody before all have asked.
func TestManyFetchesAtTheSameTime(t *testing.T) {
	var asked sync.WaitGroup
	asked.Add(many)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Done()
		asked.Wait()
		_, _ = fmt.Fprint(w, "all here")
	}))
	defer server.Close()
	l := newLocal(t, Config{Worker: exectest.Worker(t)})
	j := benchJob(fmt.Sprintf(`export default async (ctx) => await (await ctx.fetch(%q)).text()`, server.URL))
	j.Permissions = manifest.Permissions{Fetch: []string{server.URL}}
	j.Limits.WallMs = contract.MaxWallMs
	var left sync.WaitGroup
	for range many {
		left.Go(func() {
			h := &host{}
			if o := l.Run(t.Context(), j, h); string(o.Value) != `"all here"` {
				t.Errorf("got %+v", o)
			} else if len(h.fetches) != 1 || o.IngressBytes == 0 {
				t.Errorf("fetches %+v, %d bytes", h.fetches, o.IngressBytes)
			}
		})
	}
	left.Wait()
}

// Functions that compute for ever hold up their neighbours for moments only.
func TestHogsLendTheirSlots(t *testing.T) {
	l := newLocal(t, Config{Slots: 1, Warm: 2})
	ctx, stop := context.WithCancel(t.Context())
	var hogs sync.WaitGroup
	for range 3 {
		hogs.Go(func() {
			if o := l.Run(ctx, job("spin"), nil); o.Code != contract.InvocationCancelled {
				t.Errorf("a hog ended with %+v", o)
			}
		})
	}
	waitFor(t, func() bool { return l.Stats().InFlight == 3 })
	for range 3 {
		if o := l.Run(t.Context(), job("return 1"), nil); string(o.Value) != "1" || o.DurationUs == 0 {
			t.Errorf("got %+v", o)
		}
	}
	stop()
	hogs.Wait()
}

func TestQueueIsBounded(t *testing.T) {
	l := newLocal(t, Config{Slots: 1, MaxWorkers: 1, MaxQueued: 3})
	started, release := make(chan struct{}), make(chan struct{})
	h := &host{call: callOf(func() contract.HostReply {
		started <- struct{}{}
		<-release
		return contract.HostReply{OK: true}
	})}
	// The script is compiled already: only starts queue.
	if o := l.Run(t.Context(), job("return 1"), nil); o.Code != "" {
		t.Fatalf("got %+v", o)
	}
	var left sync.WaitGroup
	left.Go(func() { l.Run(t.Context(), job("call wait"), h) })
	<-started
	for n := range 3 {
		left.Go(func() {
			if o := l.Run(t.Context(), job("return 1"), nil); o.Code != "" {
				t.Errorf("a queued run ended with %+v", o)
			}
		})
		waitFor(t, func() bool { return l.Stats().Queued == n+1 })
	}
	o := l.Run(t.Context(), job("return 1"), nil)
	if o.Code != contract.PoolSaturated || o.RetryAfterSec <= 0 {
		t.Errorf("got %+v", o)
	}
	close(release)
	left.Wait()
}

// Waiting for a worker is no part of a function's time.
func TestWaitingIsNotCounted(t *testing.T) {
	clock, skip := movable()
	l := newLocal(t, Config{Slots: 1, MaxWorkers: 1, Now: clock})
	if o := l.Run(t.Context(), job("return 1"), nil); o.Code != "" {
		t.Fatalf("got %+v", o)
	}
	started, release := make(chan struct{}), make(chan struct{})
	h := &host{call: callOf(func() contract.HostReply {
		close(started)
		<-release
		return contract.HostReply{OK: true}
	})}
	var left sync.WaitGroup
	left.Go(func() {
		j := job("call wait")
		j.Limits.WallMs = contract.MaxWallMs
		if o := l.Run(t.Context(), j, h); o.Code != "" {
			t.Errorf("the first run ended with %+v", o)
		}
	})
	<-started
	left.Go(func() {
		j := job("return 1")
		j.Limits.WallMs = 1
		if o := l.Run(t.Context(), j, nil); string(o.Value) != "1" || o.DurationUs > 10_000_000 {
			t.Errorf("the run that waited ended with %+v", o)
		}
	})
	waitFor(t, func() bool { return l.Stats().Queued == 1 })
	skip(20 * time.Second)
	close(release)
	left.Wait()
}

// movable is a clock that can be put forward.
func movable() (now func() time.Time, skip func(time.Duration)) {
	var ahead atomic.Int64
	return func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }, func(d time.Duration) { ahead.Add(int64(d)) }
}

// After a burst the processes beyond the warm ones leave.
func TestPoolShrinks(t *testing.T) {
	clock, skip := movable()
	l := newLocal(t, Config{Slots: 2, Warm: 1, Now: clock})
	var together, left sync.WaitGroup
	together.Add(8)
	h := &host{call: callOf(func() contract.HostReply {
		together.Done()
		together.Wait()
		return contract.HostReply{OK: true}
	})}
	for range 8 {
		left.Go(func() { l.Run(t.Context(), job("call x"), h) })
	}
	left.Wait()
	if n := l.Stats().Workers; n < 8 {
		t.Fatalf("%d workers for 8 runs at the same time", n)
	}
	skip(idleFor)
	l.pool.shrink()
	waitFor(t, func() bool { return l.Stats().Workers == 1 })
}
