//go:build soak

package platform_test

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"benchtop/backend/contract"
)

// TestSoakListingBesideLoops prints how long a list of functions takes while
// twenty functions loop for ever.
func TestSoakListingBesideLoops(t *testing.T) {
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	const loops = 20
	for i := range loops {
		c.declare("mia", "loop"+strconv.Itoa(i), `{"runtime":"js-v1","limits":{"wallMs":8000}}`, "export default async (ctx) => { for (;;) {} }")
	}
	list := func() time.Duration {
		begin := time.Now()
		c.must("GET", "/api/agents/mia/functions", nil, nil)
		return time.Since(begin)
	}
	var quiet []time.Duration
	for range 50 {
		quiet = append(quiet, list())
	}
	var running sync.WaitGroup
	codes := make([]contract.Code, loops)
	for i := range loops {
		running.Go(func() { codes[i] = c.invoke("mia", "loop"+strconv.Itoa(i), map[string]any{}).ErrorCode })
	}
	over := make(chan struct{})
	go func() { running.Wait(); close(over) }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	var beside []time.Duration
	for ended := false; !ended; {
		select {
		case <-over:
			ended = true
		case <-tick.C:
			beside = append(beside, list())
		}
	}
	for i, code := range codes {
		if code != contract.WallTimeout {
			t.Errorf("loop %d ended with %q", i, code)
		}
	}
	slices.Sort(quiet)
	slices.Sort(beside)
	t.Logf("a listing, nothing else running: median %v, worst %v", quiet[len(quiet)/2], quiet[len(quiet)-1])
	t.Logf("a listing beside %d loops, %d times: median %v, worst %v", loops, len(beside), beside[len(beside)/2], beside[len(beside)-1])
}
