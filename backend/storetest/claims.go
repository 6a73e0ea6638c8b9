package storetest

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"benchtop/backend/invocation"
)

func testClaims(t *testing.T, s Stores) {
	claim := invocation.Claim{AgentID: "a", Function: "f", Key: "once", BodySHA256: "b1", InvocationID: "i1", ClaimedAt: epoch}
	since := epoch.Add(-24 * time.Hour)
	if old, err := s.Claims.ClaimKey(ctx, claim, since); old != nil || err != nil {
		t.Fatalf("first claim: %+v, %v", old, err)
	}
	second := claim
	second.InvocationID, second.BodySHA256 = "i2", "b2"
	if old, err := s.Claims.ClaimKey(ctx, second, since); err != nil || old == nil || !reflect.DeepEqual(*old, claim) {
		t.Fatalf("second claim gives %+v, %v; want %+v", old, err, claim)
	}
	for _, other := range []invocation.Claim{{AgentID: "b", Function: "f", Key: "once"}, {AgentID: "a", Function: "g", Key: "once"}} {
		other.ClaimedAt = epoch
		if old, err := s.Claims.ClaimKey(ctx, other, since); old != nil || err != nil {
			t.Fatalf("the key of another function: %+v, %v", old, err)
		}
	}
	must(t, s.Claims.ReleaseKey(ctx, second)) // not the one that holds it
	done := claim
	done.Done, done.Status, done.Answer = true, 200, []byte(`{"ok":true}`)
	must(t, s.Claims.CompleteKey(ctx, done))
	must(t, s.Claims.ReleaseKey(ctx, done)) // done stays

	s = s.Reopen(t)
	if old, err := s.Claims.ClaimKey(ctx, second, since); err != nil || old == nil || !reflect.DeepEqual(*old, done) {
		t.Fatalf("after a restart %+v, %v; want %+v", old, err, done)
	}
	// Older than the window: the key is free again.
	second.ClaimedAt = epoch.Add(25 * time.Hour)
	if old, err := s.Claims.ClaimKey(ctx, second, epoch.Add(time.Microsecond)); old != nil || err != nil {
		t.Fatalf("after the window: %+v, %v", old, err)
	}
	must(t, s.Claims.ReleaseKey(ctx, second))
	if old, err := s.Claims.ClaimKey(ctx, claim, since); old != nil || err != nil {
		t.Fatalf("after the release: %+v, %v", old, err)
	}
	must(t, s.Claims.DropKeys(ctx, epoch.Add(time.Second)))
	if old, err := s.Claims.ClaimKey(ctx, claim, since); old != nil || err != nil {
		t.Fatalf("after dropping: %+v, %v", old, err)
	}
}

func testClaimsModel(t *testing.T, s Stores) {
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		agent := fmt.Sprint("agent", run)
		now := epoch
		const window = time.Minute
		model := map[string]invocation.Claim{}
		next := 0
		key := rapid.SampledFrom([]string{"a", "b", "c"})
		t.Repeat(map[string]func(*rapid.T){
			"claim": func(t *rapid.T) {
				next++
				c := invocation.Claim{AgentID: agent, Function: "f", Key: key.Draw(t, "key"), BodySHA256: fmt.Sprint(next % 2), InvocationID: fmt.Sprint(next), ClaimedAt: now}
				since := now.Add(-window)
				old, err := s.Claims.ClaimKey(ctx, c, since)
				must(t, err)
				want, there := model[c.Key]
				if there = there && !want.ClaimedAt.Before(since); there != (old != nil) || (there && !reflect.DeepEqual(*old, want)) {
					t.Fatalf("claim of %s gives %+v, want %+v, %v", c.Key, old, want, there)
				}
				if old == nil {
					model[c.Key] = c
				}
			},
			"complete": func(t *rapid.T) {
				k := key.Draw(t, "key")
				if c, ok := model[k]; ok && !c.Done {
					c.Done, c.Status, c.Answer = true, 200, []byte(k)
					must(t, s.Claims.CompleteKey(ctx, c))
					model[k] = c
				}
			},
			"release": func(t *rapid.T) {
				k := key.Draw(t, "key")
				if c, ok := model[k]; ok {
					must(t, s.Claims.ReleaseKey(ctx, c))
					if !c.Done {
						delete(model, k)
					}
				}
			},
			"time": func(t *rapid.T) {
				now = now.Add(rapid.SampledFrom([]time.Duration{time.Second, window, window + time.Microsecond}).Draw(t, "passes"))
			},
		})
	})
}

func testClaimsByMany(t *testing.T, s Stores) {
	for round := range 20 {
		var won atomic.Int64
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				c := invocation.Claim{AgentID: "a", Function: "f", Key: fmt.Sprint("k", round), InvocationID: fmt.Sprint(i), ClaimedAt: epoch}
				old, err := s.Claims.ClaimKey(ctx, c, epoch.Add(-time.Hour))
				if err != nil {
					t.Error(err)
				}
				if old == nil {
					won.Add(1)
				}
			})
		}
		group.Wait()
		if won.Load() != 1 {
			t.Fatalf("round %d: %d claims won", round, won.Load())
		}
	}
}
