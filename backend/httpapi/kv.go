package httpapi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/kv"
)

// KV is what functions keep by key.
type KV interface {
	Namespaces(ctx context.Context, agentID string) ([]kv.Filled, error)
	List(ctx context.Context, ns kv.Namespace, q kv.ListQuery) (kv.Page, error)
	Item(ctx context.Context, ns kv.Namespace, key string) (*kv.Item, error)
	Put(ctx context.Context, ns kv.Namespace, key string, value json.RawMessage, ttl time.Duration) error
	PutIfAbsent(ctx context.Context, ns kv.Namespace, key string, value json.RawMessage, ttl time.Duration) (won bool, err error)
	Replace(ctx context.Context, ns kv.Namespace, key string, was, value json.RawMessage, ttl time.Duration) (won bool, err error)
	Delete(ctx context.Context, ns kv.Namespace, key string) error
}

const (
	kvScopeFn    = "fn"
	kvScopeAgent = "agent"
	// kvVisitor follows a scope: the part of one visitor.
	kvVisitor = ":visitor:"
	// maxTTLSeconds is a hundred years.
	maxTTLSeconds = 100 * 365 * 24 * 3600
)

// listNamespaces answers the namespaces that hold something, and those that the
// agent's functions have.
func (a *api) listNamespaces(c *call) error {
	filled, err := a.deps.KV.Namespaces(c.r.Context(), c.agent.ID)
	if err != nil {
		return err
	}
	out := make([]contract.KVNamespace, 0, len(filled))
	for _, f := range filled {
		out = append(out, contract.KVNamespace{Function: f.Function, Scope: f.Scope, Keys: f.Items})
	}
	for _, f := range a.deps.Functions.List(c.agent.ID) {
		own := contract.KVNamespace{Function: f.Name, Scope: kvScopeFn}
		if !slices.ContainsFunc(out, func(n contract.KVNamespace) bool { return n.Function == own.Function && n.Scope == own.Scope }) {
			out = append(out, own)
		}
	}
	slices.SortFunc(out, func(x, y contract.KVNamespace) int {
		return cmp.Or(cmp.Compare(x.Function, y.Function), cmp.Compare(x.Scope, y.Scope))
	})
	return c.ok(contract.KVNamespaces{Namespaces: out})
}

// namespace addresses a store of the agent: a function's own, or one of a scope.
func (c *call) namespace(function, scope string) (kv.Namespace, error) {
	ns := kv.Namespace{AgentID: c.agent.ID, Function: function, Scope: cmp.Or(scope, kvScopeFn)}
	base, visitor, ofVisitor := strings.Cut(ns.Scope, kvVisitor)
	switch {
	case len(function) > maxCode || len(ns.Scope) > maxCode:
		return ns, contract.Errorf(contract.InvalidRequest, "function and scope have %d bytes at most", maxCode)
	case ofVisitor && visitor == "" || base != kvScopeFn && base != kvScopeAgent:
		return ns, contract.Errorf(contract.InvalidRequest, `scope must be fn or agent, with ":visitor:<id>" behind it for the part of a visitor`)
	case base == kvScopeFn && function == "":
		return ns, contract.Errorf(contract.InvalidRequest, "function is missing: the scope fn is that of one function")
	case base == kvScopeAgent && function != "":
		return ns, contract.Errorf(contract.InvalidRequest, "the scope agent is that of no function; leave function out")
	}
	return ns, nil
}

func (c *call) namespaceIn(q url.Values) (kv.Namespace, error) {
	return c.namespace(q.Get("function"), q.Get("scope"))
}

// listKV answers a page of keys: function, scope, prefix, cursor, limit, and
// values=true for the values too.
func (a *api) listKV(c *call) error {
	q := c.r.URL.Query()
	ns, err := c.namespaceIn(q)
	if err != nil {
		return err
	}
	ask := kv.ListQuery{Prefix: q.Get("prefix"), Cursor: q.Get("cursor"), Values: q.Get("values") == "true"}
	if ask.Limit, err = limitIn(q, kv.MaxList); err != nil {
		return err
	}
	page, err := a.deps.KV.List(c.r.Context(), ns, ask)
	if err != nil {
		return err
	}
	out := contract.KVPage{Items: make([]contract.KVItem, 0, len(page.Items))}
	for i := range page.Items {
		out.Items = append(out.Items, kvItem(&page.Items[i]))
	}
	if page.Cursor != "" {
		out.NextCursor = &page.Cursor
	}
	return c.ok(out)
}

// limitIn reads ?limit=; 0 is the default of what it asks for.
func limitIn(q url.Values, most int) (int, error) {
	text := q.Get("limit")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, contract.Errorf(contract.InvalidRequest, "limit must be a whole number from 1 to %d", most)
	}
	return min(n, most), nil
}

func kvItem(it *kv.Item) contract.KVItem {
	out := contract.KVItem{Key: it.Key, Value: it.Value}
	if !it.ExpiresAt.IsZero() {
		at := it.ExpiresAt.UTC()
		out.ExpiresAt = &at
	}
	return out
}

func (a *api) getKV(c *call) error {
	q := c.r.URL.Query()
	ns, err := c.namespaceIn(q)
	if err != nil {
		return err
	}
	it, err := a.deps.KV.Item(c.r.Context(), ns, q.Get("key"))
	if err == nil && it == nil {
		err = contract.Errorf(contract.NotFound, "there is no key %.80q, or it has expired", q.Get("key"))
	}
	if err != nil {
		return err
	}
	return c.ok(versioned(it))
}

// versioned is an item with the version of its value.
func versioned(it *kv.Item) contract.KVItem {
	out, sum := kvItem(it), sha256.Sum256(it.Value)
	out.Version = hex.EncodeToString(sum[:])
	return out
}

// putKV stores items, in place of those with their keys or beside them. All are
// looked at before the first is stored.
func (a *api) putKV(c *call) error {
	var req contract.KVWrite
	if err := c.decode(&req); err != nil {
		return err
	}
	ns, err := c.namespace(req.Function, req.Scope)
	if err != nil {
		return err
	}
	if len(req.Items) == 0 || len(req.Items) > contract.MaxKVWrite {
		return contract.Errorf(contract.InvalidRequest, "items has %d entries; it takes 1 to %d", len(req.Items), contract.MaxKVWrite)
	}
	for i, it := range req.Items {
		switch {
		case it.Key == "" || len(it.Key) > contract.MaxKVKeyBytes:
			return contract.Errorf(contract.InvalidRequest, "items[%d].key has %d bytes; a key has 1 to %d", i, len(it.Key), contract.MaxKVKeyBytes)
		case len(it.Value) == 0:
			return contract.Errorf(contract.InvalidRequest, "items[%d].value is missing", i)
		case len(it.Key)+len(it.Value) > contract.MaxKVPutBytes:
			return contract.Errorf(contract.BodyTooLarge, "items[%d] has %d bytes; key and value together have %d at most", i, len(it.Key)+len(it.Value), contract.MaxKVPutBytes)
		case it.TTLSeconds != 0 && (math.IsNaN(it.TTLSeconds) || it.TTLSeconds < 1 || it.TTLSeconds > maxTTLSeconds):
			return contract.Errorf(contract.InvalidRequest, "items[%d].ttlSeconds must be from 1 to %d, or 0 to keep it", i, maxTTLSeconds)
		}
	}
	if req.IfVersion != "" {
		return a.replaceKV(c, ns, req)
	}
	done := contract.KVWritten{OK: true}
	for _, it := range req.Items {
		ttl := time.Duration(it.TTLSeconds * float64(time.Second))
		stored := true
		if req.KeepExisting {
			stored, err = a.deps.KV.PutIfAbsent(c.r.Context(), ns, it.Key, it.Value, ttl)
		} else {
			err = a.deps.KV.Put(c.r.Context(), ns, it.Key, it.Value, ttl)
		}
		if err != nil {
			return err
		}
		if stored {
			done.Written++
		} else {
			done.Kept++
		}
	}
	return c.ok(done)
}

// replaceKV stores one item in place of the value that its edit was based on.
func (a *api) replaceKV(c *call, ns kv.Namespace, req contract.KVWrite) error {
	if len(req.Items) != 1 || req.KeepExisting {
		return contract.Errorf(contract.InvalidRequest, "ifVersion is for one item that takes the place of what is there; items has %d entries", len(req.Items))
	}
	edit := req.Items[0]
	for {
		it, err := a.deps.KV.Item(c.r.Context(), ns, edit.Key)
		if err != nil {
			return err
		}
		if it == nil || versioned(it).Version != req.IfVersion {
			return kvConflict(edit.Key, it)
		}
		won, err := a.deps.KV.Replace(c.r.Context(), ns, edit.Key, it.Value, edit.Value, time.Duration(edit.TTLSeconds*float64(time.Second)))
		if err != nil {
			return err
		}
		if won {
			return c.ok(contract.KVWritten{OK: true, Written: 1})
		}
		// Somebody wrote between the look and the swap: what is there now says more.
	}
}

func kvConflict(key string, it *kv.Item) error {
	e := contract.Errorf(contract.VersionConflict, "%.80q was deleted since this edit began; nothing was written", key)
	var conflict contract.KVConflict
	if it != nil {
		e = contract.Errorf(contract.VersionConflict, "%.80q was changed since this edit began; nothing was written", key)
		now := versioned(it)
		conflict.Item = &now
	}
	e.Details = conflict
	return e
}

// deleteKV removes a key; an absent one is no error.
func (a *api) deleteKV(c *call) error {
	q := c.r.URL.Query()
	ns, err := c.namespaceIn(q)
	if err != nil {
		return err
	}
	if err := a.deps.KV.Delete(c.r.Context(), ns, q.Get("key")); err != nil {
		return err
	}
	return c.ok(contract.OKResponse{OK: true})
}
