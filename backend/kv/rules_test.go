package kv

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"benchtop/backend/contract"
)

func FuzzCursor(f *testing.F) {
	for _, seed := range []string{"", "a", "kq", makeCursor("visits"), makeCursor("é\x00"), "!!", "a2", "a3", "azA9", makeCursor("k") + "="} {
		f.Add(seed, "")
	}
	f.Add(makeCursor("visits"), "vis")
	f.Fuzz(func(t *testing.T, cursor, prefix string) {
		after, err := parseCursor(cursor, prefix)
		if err != nil {
			if e := contract.AsError(err); e == nil || e.Code != contract.InvalidRequest || after != "" {
				t.Fatalf("%q: %q, %v", cursor, after, err)
			}
			return
		}
		if cursor != "" && (makeCursor(after) != cursor || !strings.HasPrefix(after, prefix) || checkKey(after) != nil) {
			t.Fatalf("%q of prefix %q reads as %q", cursor, prefix, after)
		}
	})
}

func FuzzKey(f *testing.F) {
	for _, seed := range []string{"", "a", "\xff", strings.Repeat("k", 1024), strings.Repeat("k", 1025), strings.Repeat("é", 512), "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		ok := len(key) >= 1 && len(key) <= 1024 && utf8.ValidString(key)
		if err := checkKey(key); (err == nil) != ok {
			t.Fatalf("%q: %v", key, err)
		}
		if !ok {
			return
		}
		if after, err := parseCursor(makeCursor(key), ""); err != nil || after != key {
			t.Fatalf("the cursor after %q reads as %q, %v", key, after, err)
		}
	})
}

func TestExpiresAt(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 999, time.UTC)
	for ttl, want := range map[time.Duration]time.Duration{
		time.Second: time.Second, 1999 * time.Millisecond: time.Second, time.Hour: time.Hour,
	} {
		if got, err := expiresAt(now, ttl); err != nil || got.Sub(now.Truncate(time.Microsecond)) != want {
			t.Errorf("%v: %v, %v", ttl, got, err)
		}
	}
	if got, err := expiresAt(now, 0); err != nil || !got.IsZero() {
		t.Errorf("never: %v, %v", got, err)
	}
	for _, ttl := range []time.Duration{time.Millisecond, 999 * time.Millisecond, -time.Second} {
		if _, err := expiresAt(now, ttl); contract.AsError(err) == nil {
			t.Errorf("%v was accepted", ttl)
		}
	}
}

// script is a Store that answers lists from a slice and notes what it is asked.
type script struct {
	Store
	items  []Item
	asked  []int
	swept  []int
	remain int
}

func (s *script) ListKV(_ context.Context, _ Namespace, prefix, after string, limit int, values bool, _ time.Time) (found []Item, err error) {
	s.asked = append(s.asked, limit)
	for _, it := range s.items {
		if strings.HasPrefix(it.Key, prefix) && it.Key > after && len(found) < limit {
			found = append(found, it)
		}
	}
	return found, nil
}

func (s *script) PutKV(context.Context, Namespace, Item) error { return nil }

func (s *script) SweepKV(_ context.Context, _ time.Time, limit int) (int, error) {
	n := min(limit, s.remain)
	s.remain -= n
	s.swept = append(s.swept, n)
	return n, nil
}

// A page of large values is short, but never empty, and nothing is lost.
func TestPagesOfLargeValues(t *testing.T) {
	s := &script{}
	big := json.RawMessage(`"` + strings.Repeat("x", 3<<20) + `"`)
	for _, key := range []string{"a", "b", "c"} {
		s.items = append(s.items, Item{Key: key, Value: big})
	}
	for i := range 40 {
		s.items = append(s.items, Item{Key: "d" + string(rune('A'+i)), Value: json.RawMessage("1")})
	}
	k := New(Config{Store: s})
	var got []string
	pages := 0
	for q := (ListQuery{Values: true}); ; pages++ {
		page, err := k.List(context.Background(), Namespace{}, q)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, it := range page.Items {
			got = append(got, it.Key)
			size += len(it.Value)
		}
		if len(page.Items) == 0 || size > maxPageBytes {
			t.Fatalf("a page of %d items, %d bytes", len(page.Items), size)
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			break
		}
	}
	if len(got) != len(s.items) || pages != 2 {
		t.Errorf("%d of %d items on %d pages: %v", len(got), len(s.items), pages+1, got)
	}
}

func TestListLimits(t *testing.T) {
	for _, c := range []struct {
		limit  int
		values bool
		want   int
	}{
		{0, false, DefaultList}, {-1, false, 1}, {7, false, 7}, {5000, false, MaxList}, {5000, true, MaxListValues},
	} {
		s := &script{}
		for i := range 2000 {
			s.items = append(s.items, Item{Key: string(rune(0x4e00 + i)), Value: json.RawMessage("1")})
		}
		page, err := New(Config{Store: s}).List(context.Background(), Namespace{}, ListQuery{Limit: c.limit, Values: c.values})
		if err != nil || len(page.Items) != c.want || page.Cursor == "" {
			t.Errorf("%+v: %d items, %v", c, len(page.Items), err)
		}
	}
	k := New(Config{Store: &script{}})
	for _, q := range []ListQuery{{Prefix: "\xff"}, {Prefix: strings.Repeat("p", 1025)}, {Cursor: "?"}, {Prefix: "a", Cursor: makeCursor("b")}} {
		if _, err := k.List(context.Background(), Namespace{}, q); contract.AsError(err) == nil {
			t.Errorf("%+v was accepted", q)
		}
	}
	for _, value := range []string{"", "{", "undefined", "1 2"} {
		if err := k.Put(context.Background(), Namespace{}, "k", json.RawMessage(value), 0); contract.AsError(err) == nil {
			t.Errorf("the value %q was accepted", value)
		}
	}
}

// The sweep runs once a minute, and goes on with the next write while it finds
// a full load.
func TestSweep(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	s := &script{remain: sweepMost + 3}
	k := New(Config{Store: s, Now: func() time.Time { return now }})
	put := func() {
		t.Helper()
		if err := k.Put(context.Background(), Namespace{}, "k", json.RawMessage("1"), 0); err != nil {
			t.Fatal(err)
		}
	}
	put()
	now = now.Add(sweepEvery)
	for range 4 {
		put()
	}
	if len(s.swept) != 2 || s.swept[0] != sweepMost || s.swept[1] != 3 {
		t.Errorf("swept %v, want %d and 3", s.swept, sweepMost)
	}
	now = now.Add(sweepEvery - time.Second)
	put()
	if len(s.swept) != 2 {
		t.Errorf("swept before a minute had passed: %v", s.swept)
	}
}
