package kv

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// Sizes of lists and of the sweep.
const (
	DefaultList   = 100
	MaxList       = 1000
	MaxListValues = 250 // contract.md 2.9: with values at most 250 a page

	// MaxCount is where the items of a namespace are no longer counted.
	MaxCount = 1000

	// maxPageBytes ends a page of values early, so that no answer holds more
	// than a few large ones.
	maxPageBytes = 4 * contract.MB
	valueChunk   = 16

	sweepEvery = time.Minute
	sweepMost  = 500
)

// Config is what New needs. Now defaults to time.Now.
type Config struct {
	Store Store
	Now   func() time.Time
}

// KV is the key-value store of all functions.
type KV struct {
	cfg       Config
	nextSweep atomic.Int64 // microseconds since 1970
}

// New makes a KV over a store.
func New(cfg Config) *KV {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	k := &KV{cfg: cfg}
	k.nextSweep.Store(cfg.Now().Add(sweepEvery).UnixMicro())
	return k
}

// Get gives the JSON value of a key, and whether there is one.
func (k *KV) Get(ctx context.Context, ns Namespace, key string) (json.RawMessage, bool, error) {
	if err := checkKey(key); err != nil {
		return nil, false, err
	}
	it, err := k.cfg.Store.GetKV(ctx, ns, key, k.cfg.Now())
	if it == nil || err != nil {
		return nil, false, err
	}
	return it.Value, true, nil
}

// Item gives a key with its value and expiry, nil when there is none.
func (k *KV) Item(ctx context.Context, ns Namespace, key string) (*Item, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return k.cfg.Store.GetKV(ctx, ns, key, k.cfg.Now())
}

// Namespaces gives the namespaces of an agent that hold something, by function
// and scope; of each it counts up to MaxCount items.
func (k *KV) Namespaces(ctx context.Context, agentID string) ([]Filled, error) {
	return k.cfg.Store.KVNamespaces(ctx, agentID, MaxCount, k.cfg.Now())
}

// Put stores a JSON value; ttl 0 keeps it for good, parts of a second do not
// count. It is on the disk when Put returns.
func (k *KV) Put(ctx context.Context, ns Namespace, key string, value json.RawMessage, ttl time.Duration) error {
	now := k.cfg.Now()
	it, err := item(now, key, value, ttl)
	if err != nil {
		return err
	}
	if err := k.cfg.Store.PutKV(ctx, ns, it); err != nil {
		return err
	}
	k.sweep(ctx, now)
	return nil
}

// PutIfAbsent stores a value only when the key is absent or expired, atomically.
func (k *KV) PutIfAbsent(ctx context.Context, ns Namespace, key string, value json.RawMessage, ttl time.Duration) (won bool, err error) {
	now := k.cfg.Now()
	it, err := item(now, key, value, ttl)
	if err != nil {
		return false, err
	}
	if won, err = k.cfg.Store.ClaimKV(ctx, ns, it, now); err != nil {
		return false, err
	}
	k.sweep(ctx, now)
	return won, nil
}

// Replace stores a value only where the key still has the one that an edit was
// based on, atomically; won is false when it has another, or is gone.
func (k *KV) Replace(ctx context.Context, ns Namespace, key string, was, value json.RawMessage, ttl time.Duration) (won bool, err error) {
	now := k.cfg.Now()
	it, err := item(now, key, value, ttl)
	if err != nil {
		return false, err
	}
	if won, err = k.cfg.Store.SwapKV(ctx, ns, it, was, now); err != nil {
		return false, err
	}
	k.sweep(ctx, now)
	return won, nil
}

func item(now time.Time, key string, value json.RawMessage, ttl time.Duration) (Item, error) {
	if err := checkKey(key); err != nil {
		return Item{}, err
	}
	if err := checkValue(value); err != nil {
		return Item{}, err
	}
	expires, err := expiresAt(now, ttl)
	return Item{Key: key, Value: value, ExpiresAt: expires}, err
}

// Delete removes a key; an absent one is no error.
func (k *KV) Delete(ctx context.Context, ns Namespace, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	return k.cfg.Store.DeleteKV(ctx, ns, key)
}

// sweep removes expired items now and then, a bounded number at a time, on the
// back of a write. Nobody sees them in between. What was written stays written
// when it fails: the next one tries again.
func (k *KV) sweep(ctx context.Context, now time.Time) {
	due := k.nextSweep.Load()
	if now.UnixMicro() < due || !k.nextSweep.CompareAndSwap(due, now.Add(sweepEvery).UnixMicro()) {
		return
	}
	n, err := k.cfg.Store.SweepKV(context.WithoutCancel(ctx), now, sweepMost)
	if err == nil && n == sweepMost { // there is more: go on with the next write
		k.nextSweep.Store(now.UnixMicro())
	}
}

// ListQuery asks for a page of keys. Limit 0 is the default of 100; more than
// 1,000 (250 with Values) is held there.
type ListQuery struct {
	Prefix string
	Cursor string // of the page before, empty for the first
	Limit  int
	Values bool
}

// Page is one page in byte order of keys. An empty Cursor ends the list.
type Page struct {
	Items  []Item
	Cursor string
}

// List gives a page of what is there now. Keys that come or go between two
// pages are seen or not; all others are seen exactly once.
func (k *KV) List(ctx context.Context, ns Namespace, q ListQuery) (Page, error) {
	if len(q.Prefix) > contract.MaxKVKeyBytes || !utf8.ValidString(q.Prefix) {
		return Page{}, contract.Errorf(contract.InvalidRequest, "kv: the prefix is longer than a key can be, or not valid UTF-8")
	}
	after, err := parseCursor(q.Cursor, q.Prefix)
	if err != nil {
		return Page{}, err
	}
	most := MaxList
	if q.Values {
		most = MaxListValues
	}
	if q.Limit == 0 {
		q.Limit = DefaultList
	}
	limit := min(max(q.Limit, 1), most)
	now := k.cfg.Now()

	page := Page{Items: []Item{}}
	for bytes := 0; ; {
		ask := limit + 1 - len(page.Items) // one more tells whether there is another page
		if q.Values {
			ask = min(ask, valueChunk)
		}
		items, err := k.cfg.Store.ListKV(ctx, ns, q.Prefix, after, ask, q.Values, now)
		if err != nil {
			return Page{}, err
		}
		for _, it := range items {
			if len(page.Items) == limit || (len(page.Items) > 0 && bytes+len(it.Value) > maxPageBytes) {
				page.Cursor = makeCursor(page.Items[len(page.Items)-1].Key)
				return page, nil
			}
			page.Items = append(page.Items, it)
			bytes += len(it.Value)
			after = it.Key
		}
		if len(items) < ask {
			return page, nil
		}
	}
}
