package storetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"benchtop/backend/kv"
)

var space = kv.Namespace{AgentID: "a", Function: "f", Scope: "fn"}

// Namespaces are those with something that has not expired, counted up to a number.
func testKVNamespaces(t *testing.T, s Stores) {
	for i := range 5 {
		must(t, s.KV.PutKV(ctx, space, kv.Item{Key: fmt.Sprint(i), Value: json.RawMessage("1")}))
	}
	for _, ns := range []kv.Namespace{{AgentID: "a", Scope: "agent"}, {AgentID: "a", Function: "f", Scope: "fn:visitor:v"}, {AgentID: "b", Function: "f", Scope: "fn"}} {
		must(t, s.KV.PutKV(ctx, ns, kv.Item{Key: "k", Value: json.RawMessage("1")}))
	}
	must(t, s.KV.PutKV(ctx, kv.Namespace{AgentID: "a", Function: "gone", Scope: "fn"}, kv.Item{Key: "k", Value: json.RawMessage("1"), ExpiresAt: epoch}))
	got, err := s.KV.KVNamespaces(ctx, "a", 3, epoch)
	must(t, err)
	want := []kv.Filled{
		{Namespace: kv.Namespace{AgentID: "a", Scope: "agent"}, Items: 1},
		{Namespace: space, Items: 3},
		{Namespace: kv.Namespace{AgentID: "a", Function: "f", Scope: "fn:visitor:v"}, Items: 1},
	}
	if !slices.Equal(got, want) {
		t.Errorf("namespaces\n got %+v\nwant %+v", got, want)
	}
	if none, err := s.KV.KVNamespaces(ctx, "nobody", 3, epoch); len(none) != 0 || err != nil {
		t.Errorf("of nobody: %+v, %v", none, err)
	}
}

func testKV(t *testing.T, s Stores) {
	others := []kv.Namespace{
		{AgentID: "b", Function: "f", Scope: "fn"}, {AgentID: "a", Function: "g", Scope: "fn"}, {AgentID: "a", Function: "f", Scope: "agent"},
	}
	put := func(key, value string, expires time.Time) {
		t.Helper()
		must(t, s.KV.PutKV(ctx, space, kv.Item{Key: key, Value: json.RawMessage(value), ExpiresAt: expires}))
	}
	put("plain", `{"a": [1, "ü\u0000"]}`, time.Time{})
	put("plain\x00", `"nul"`, time.Time{})
	put("short", `1`, epoch.Add(time.Second))

	s = s.Reopen(t)
	get := func(key string, now time.Time) string {
		t.Helper()
		it, err := s.KV.GetKV(ctx, space, key, now)
		must(t, err)
		if it == nil {
			return "absent"
		}
		return string(it.Value)
	}
	for _, c := range []struct {
		key  string
		now  time.Time
		want string
	}{
		{"plain", epoch, `{"a": [1, "ü\u0000"]}`},
		{"plain\x00", epoch, `"nul"`},
		{"short", epoch.Add(time.Second - time.Microsecond), "1"},
		{"short", epoch.Add(time.Second), "absent"},
		{"Plain", epoch, "absent"},
	} {
		if got := get(c.key, c.now); got != c.want {
			t.Errorf("%q at %v: %s, want %s", c.key, c.now, got, c.want)
		}
	}
	for _, ns := range others {
		if it, err := s.KV.GetKV(ctx, ns, "plain", epoch); it != nil || err != nil {
			t.Errorf("%+v sees %+v, %v", ns, it, err)
		}
		if items, err := s.KV.ListKV(ctx, ns, "", "", 10, true, epoch); len(items) > 0 || err != nil {
			t.Errorf("%+v lists %+v, %v", ns, items, err)
		}
		must(t, s.KV.DeleteKV(ctx, ns, "plain"))
	}
	if get("plain", epoch) == "absent" {
		t.Error("another namespace deleted the key")
	}
	if n, err := s.KV.SweepKV(ctx, epoch.Add(time.Hour), 10); n != 1 || err != nil {
		t.Errorf("swept %d, %v; want 1", n, err)
	}
	must(t, s.KV.DeleteKV(ctx, space, "plain"))
	must(t, s.KV.DeleteKV(ctx, space, "plain"))
	if got := get("plain", epoch); got != "absent" {
		t.Errorf("deleted, but %s", got)
	}
}

// modelKV is what a kv should be: a map, and a clock.
type modelKV struct {
	now   time.Time
	items map[string]kv.Item
}

func (m *modelKV) live(key string) (kv.Item, bool) {
	it, ok := m.items[key]
	return it, ok && (it.ExpiresAt.IsZero() || it.ExpiresAt.After(m.now))
}

func (m *modelKV) put(key string, value json.RawMessage, ttl time.Duration) {
	it := kv.Item{Key: key, Value: value}
	if ttl > 0 {
		it.ExpiresAt = m.now.Add(ttl.Truncate(time.Second))
	}
	m.items[key] = it
}

func (m *modelKV) keys(prefix string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m.items)), func(k string) bool {
		_, live := m.live(k)
		return !live || !strings.HasPrefix(k, prefix)
	})
}

// The noun over the store behaves like a map, whatever is done in which order.
func testKVModel(t *testing.T, s Stores) {
	run := 0
	key := rapid.OneOf(rapid.StringMatching(`[ab]{1,3}`), rapid.SampledFrom([]string{"a\x00", "a\U0010ffff", "é", "a%", "a_", "A"}))
	prefix := rapid.OneOf(rapid.Just(""), key)
	value := rapid.Map(rapid.IntRange(0, 9), func(n int) json.RawMessage { return json.RawMessage(fmt.Sprint(n)) })
	ttl := rapid.SampledFrom([]time.Duration{0, 0, time.Second, 2500 * time.Millisecond, time.Minute, 10 * time.Minute})
	rapid.Check(t, func(t *rapid.T) {
		run++
		m := &modelKV{now: epoch, items: map[string]kv.Item{}}
		ns := kv.Namespace{AgentID: "model", Function: fmt.Sprint("f", run), Scope: "fn"}
		store := kv.New(kv.Config{Store: s.KV, Now: func() time.Time { return m.now }})
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				k, v, d := key.Draw(t, "key"), value.Draw(t, "value"), ttl.Draw(t, "ttl")
				must(t, store.Put(ctx, ns, k, v, d))
				m.put(k, v, d)
			},
			"claim": func(t *rapid.T) {
				k, v, d := key.Draw(t, "key"), value.Draw(t, "value"), ttl.Draw(t, "ttl")
				won, err := store.PutIfAbsent(ctx, ns, k, v, d)
				must(t, err)
				if _, there := m.live(k); won == there {
					t.Fatalf("claim of %q: won %v, but it was there: %v", k, won, there)
				}
				if won {
					m.put(k, v, d)
				}
			},
			"replace": func(t *rapid.T) {
				k, was, v, d := key.Draw(t, "key"), value.Draw(t, "was"), value.Draw(t, "value"), ttl.Draw(t, "ttl")
				won, err := store.Replace(ctx, ns, k, was, v, d)
				must(t, err)
				if now, there := m.live(k); won != (there && bytes.Equal(now.Value, was)) {
					t.Fatalf("replace of %q: won %v, but it was %s (%v) and should be %s", k, won, now.Value, there, was)
				}
				if won {
					m.put(k, v, d)
				}
			},
			"delete": func(t *rapid.T) {
				k := key.Draw(t, "key")
				must(t, store.Delete(ctx, ns, k))
				delete(m.items, k)
			},
			"get": func(t *rapid.T) {
				k := key.Draw(t, "key")
				v, ok, err := store.Get(ctx, ns, k)
				must(t, err)
				if want, there := m.live(k); ok != there || (ok && !bytes.Equal(v, want.Value)) {
					t.Fatalf("get %q: %s, %v; want %s, %v", k, v, ok, want.Value, there)
				}
			},
			"time": func(*rapid.T) { m.now = m.now.Add(ttl.Draw(t, "passes")) },
			"list": func(t *rapid.T) {
				q := kv.ListQuery{Prefix: prefix.Draw(t, "prefix"), Limit: rapid.IntRange(1, 4).Draw(t, "limit"), Values: rapid.Bool().Draw(t, "values")}
				var got []string
				for {
					page, err := store.List(ctx, ns, q)
					must(t, err)
					if len(page.Items) > q.Limit {
						t.Fatalf("%d items on a page of %d", len(page.Items), q.Limit)
					}
					for _, it := range page.Items {
						got = append(got, it.Key)
						if want, _ := m.live(it.Key); q.Values && !bytes.Equal(it.Value, want.Value) {
							t.Fatalf("list gives %q: %s, want %s", it.Key, it.Value, want.Value)
						}
					}
					if q.Cursor = page.Cursor; q.Cursor == "" {
						break
					}
				}
				if want := m.keys(q.Prefix); !slices.Equal(got, want) {
					t.Fatalf("list of %q: %q, want %q", q.Prefix, got, want)
				}
			},
		})
	})
}

// Of many that claim a key at once, one wins, and its value is what is stored.
func testKVClaim(t *testing.T, s Stores) {
	for round := range 20 {
		key := fmt.Sprint("round", round)
		const many = 8
		var wins sync.Map
		var group sync.WaitGroup
		for i := range many {
			group.Go(func() {
				it := kv.Item{Key: key, Value: json.RawMessage(fmt.Sprint(i))}
				won, err := s.KV.ClaimKV(ctx, space, it, epoch)
				if err != nil {
					t.Error(err)
				}
				if won {
					wins.Store(i, true)
				}
			})
		}
		group.Wait()
		var winners []any
		wins.Range(func(i, _ any) bool { winners = append(winners, i); return true })
		it, err := s.KV.GetKV(ctx, space, key, epoch)
		must(t, err)
		if len(winners) != 1 || it == nil || string(it.Value) != fmt.Sprint(winners[0]) {
			t.Fatalf("%s: winners %v, stored %+v", key, winners, it)
		}
	}
}
