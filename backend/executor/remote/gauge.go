package remote

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

// sampleEvery is how often the load is looked at; a sample counts for about
// window.
const (
	sampleEvery = 250 * time.Millisecond
	window      = 5 * time.Second
)

// gauge knows how busy a server is and turns work away when it is too busy.
type gauge struct {
	cfg  ServerConfig
	stop chan struct{}
	gone chan struct{}

	mu       sync.Mutex
	load     float64 // share of the slots in use, averaged
	perSec   float64 // invocations that ended, averaged
	done     uint64
	sampled  uint64 // done at the last sample
	rejected uint64
}

func newGauge(cfg ServerConfig) *gauge {
	g := &gauge{cfg: cfg, stop: make(chan struct{}), gone: make(chan struct{})}
	go g.run()
	return g
}

func (g *gauge) run() {
	defer close(g.gone)
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case <-g.stop:
			return
		case <-tick.C:
			g.sample()
		}
	}
}

func (g *gauge) close() {
	close(g.stop)
	<-g.gone
}

// sample takes the present into the averages.
func (g *gauge) sample() {
	const weight = float64(sampleEvery) / float64(window)
	busy, slots := g.cfg.Load().Computing, g.cfg.Stats().Slots
	g.mu.Lock()
	defer g.mu.Unlock()
	g.load += weight * (float64(busy)/float64(max(1, slots)) - g.load)
	g.perSec += weight * (float64(g.done-g.sampled)/sampleEvery.Seconds() - g.perSec)
	g.sampled = g.done
}

// admit refuses work that would only wait: somebody waits already, and there has
// been no computing time to spare for a while. The queue itself refuses with
// POOL_SATURATED when it is full.
func (g *gauge) admit() *contract.Error {
	queued := g.cfg.Stats().Queued
	g.mu.Lock()
	defer g.mu.Unlock()
	if queued == 0 || g.load <= g.cfg.CPULimit {
		return nil
	}
	g.rejected++
	e := contract.Errorf(contract.CPUPressure, "%.0f %% of the executor's computing time is in use and %d invocations wait; try again shortly", 100*g.load, queued)
	e.RetryAfterSec = 1
	return e
}

func (g *gauge) ended(o invocation.Outcome) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done++
	if refused(o) {
		g.rejected++
	}
}

func (g *gauge) health() Health {
	stats, load := g.cfg.Stats(), g.cfg.Load()
	g.mu.Lock()
	defer g.mu.Unlock()
	return Health{
		Status: "ok", WorkersTotal: stats.Workers, WorkersBusy: stats.Busy, CPULoadPct: 100 * g.load,
		InvocationsInFlight: stats.InFlight, InvocationsPerSecond: g.perSec,
		AdmissionRejections: g.rejected, CacheHits: load.CacheHits, CacheMisses: load.CacheMisses,
	}
}

// metrics writes the same in Prometheus' text format.
func (g *gauge) metrics(w http.ResponseWriter) {
	h := g.health()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	for _, m := range []struct {
		name, kind, help string
		value            float64
	}{
		{"executor_workers_total", "gauge", "Worker processes.", float64(h.WorkersTotal)},
		{"executor_workers_busy", "gauge", "Worker processes that run something.", float64(h.WorkersBusy)},
		{"executor_cpu_load_pct", "gauge", "Share of the computing time in use, in percent.", h.CPULoadPct},
		{"executor_invocations_in_flight", "gauge", "Invocations accepted and not ended.", float64(h.InvocationsInFlight)},
		{"executor_invocations_per_second", "gauge", "Invocations that end in a second.", h.InvocationsPerSecond},
		{"executor_admission_rejections_total", "counter", "Invocations turned away.", float64(h.AdmissionRejections)},
		{"executor_sandbox_cache_hits_total", "counter", "Sources whose script was there.", float64(h.CacheHits)},
		{"executor_sandbox_cache_misses_total", "counter", "Sources that had to be compiled.", float64(h.CacheMisses)},
	} {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s %g\n", m.name, m.help, m.name, m.kind, m.name, m.value)
	}
}
