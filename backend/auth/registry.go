package auth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"

	"benchtop/backend/contract"
)

// registry holds the keys, tokens and visitors in memory, so that a request
// costs no query. A change is on the disk before it is seen.
type registry struct {
	store Store
	now   func() time.Time

	change sync.Mutex // held by one change from check to store

	mu       sync.RWMutex
	keys     map[[sha256.Size]byte]KeyRow
	lent     map[[sha256.Size]byte]KeyRow // see lent.go
	tokens   map[string]TokenRow
	visitors map[string]VisitorRow
}

func (r *registry) load(ctx context.Context, store Store, now func() time.Time) error {
	r.store, r.now = store, now
	r.keys, r.lent = map[[sha256.Size]byte]KeyRow{}, map[[sha256.Size]byte]KeyRow{}
	r.tokens, r.visitors = map[string]TokenRow{}, map[string]VisitorRow{}
	if err := store.DropTokens(ctx, now()); err != nil {
		return err
	}
	keys, err := store.ListKeys(ctx)
	if err != nil {
		return fmt.Errorf("load the API keys: %w", err)
	}
	for _, k := range keys {
		b, err := hex.DecodeString(k.Hash)
		if err != nil || len(b) != sha256.Size {
			return fmt.Errorf("the stored API key %s has no hash", k.ID)
		}
		r.keys[[sha256.Size]byte(b)] = k
	}
	tokens, err := store.ListTokens(ctx)
	if err != nil {
		return fmt.Errorf("load the portal tokens: %w", err)
	}
	for _, t := range tokens {
		r.tokens[t.ID] = t
	}
	visitors, err := store.ListVisitors(ctx)
	if err != nil {
		return fmt.Errorf("load the visitors: %w", err)
	}
	for _, v := range visitors {
		r.visitors[v.ID] = v
	}
	return nil
}

// key finds the key with that value, of one of the kinds.
func (r *registry) key(value string, kinds ...string) (KeyRow, bool) {
	if len(value) > maxKey {
		return KeyRow{}, false
	}
	// Found by hash: the time it takes says nothing about a value.
	hash := sha256.Sum256([]byte(value))
	r.mu.RLock()
	k, ok := r.keys[hash]
	if !ok {
		k, ok = r.lent[hash]
	}
	r.mu.RUnlock()
	if !ok || !slices.Contains(kinds, k.Kind) || !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(r.now()) {
		return KeyRow{}, false
	}
	return k, true
}

func (r *registry) token(id string) (TokenRow, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	t, ok := r.tokens[id]
	return t, ok
}

func (r *registry) visitor(id string) (VisitorRow, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	v, ok := r.visitors[id]
	return v, ok
}

// keysOf gives the keys of a kind and subject, the oldest first.
func (r *registry) keysOf(kind, subject string) []KeyRow {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var out []KeyRow
	for _, k := range r.keys {
		if k.Kind == kind && k.SubjectID == subject {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b KeyRow) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// addKey makes a key of a kind and gives its value, which nobody can ask for
// again.
func (r *registry) addKey(ctx context.Context, kind, subject string, expires time.Time) (string, KeyRow, error) {
	r.change.Lock()
	defer r.change.Unlock()
	if n := len(r.keysOf(kind, subject)); n >= maxKeys {
		return "", KeyRow{}, contract.Errorf(contract.QuotaExceeded, "there are %d of these keys already: end one of them first", n)
	}
	value := KeyPrefix + randomText(32)
	hash := sha256.Sum256([]byte(value))
	k := KeyRow{
		ID: newID(), Kind: kind, Hash: hex.EncodeToString(hash[:]), Prefix: value[:len(KeyPrefix)+6],
		SubjectID: subject, CreatedAt: r.now().UTC().Truncate(time.Microsecond), ExpiresAt: expires,
	}
	if err := r.store.PutKey(ctx, k); err != nil {
		return "", KeyRow{}, err
	}
	r.mu.Lock()
	r.keys[hash] = k
	r.mu.Unlock()
	return value, k, nil
}

// dropKeys ends the keys that which picks, with the tokens made with them, and
// gives how many there were.
func (r *registry) dropKeys(ctx context.Context, which func(KeyRow) bool) (int, error) {
	r.change.Lock()
	defer r.change.Unlock()
	ids := map[string]bool{}
	r.mu.RLock()
	for _, k := range r.keys {
		if which(k) {
			ids[k.ID] = true
		}
	}
	r.mu.RUnlock()
	if len(ids) == 0 {
		return 0, nil
	}
	list := make([]string, 0, len(ids))
	for id := range ids {
		list = append(list, id)
	}
	now := r.now().UTC().Truncate(time.Microsecond)
	if err := r.store.DeleteKeys(ctx, list, now); err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for hash, k := range r.keys {
		if ids[k.ID] {
			delete(r.keys, hash)
		}
	}
	for id, t := range r.tokens {
		if ids[t.KeyID] && t.RevokedAt.IsZero() {
			t.RevokedAt = now
			r.tokens[id] = t
		}
	}
	return len(ids), nil
}

// putToken stores a token and forgets those that have expired.
func (r *registry) putToken(ctx context.Context, t TokenRow) error {
	r.change.Lock()
	defer r.change.Unlock()
	if t.KeyID != "" && t.RevokedAt.IsZero() && !r.hasKey(t.KeyID) {
		return contract.Errorf(contract.Unauthorized, "the API key was ended meanwhile")
	}
	now := r.now()
	// A token counts for ClockSkew longer than it says.
	if err := r.store.DropTokens(ctx, now.Add(-contract.ClockSkew)); err != nil {
		return err
	}
	if err := r.store.PutToken(ctx, t); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, old := range r.tokens {
		if old.ExpiresAt.Before(now.Add(-contract.ClockSkew)) {
			delete(r.tokens, id)
		}
	}
	r.tokens[t.ID] = t
	return nil
}

func (r *registry) hasKey(id string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, k := range r.keys {
		if k.ID == id {
			return true
		}
	}
	return false
}

// tokenList gives the tokens that have not expired, the newest first.
func (r *registry) tokenList() []TokenRow {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := make([]TokenRow, 0, len(r.tokens))
	for _, t := range r.tokens {
		if t.ExpiresAt.After(r.now()) {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b TokenRow) int {
		return cmp.Or(b.IssuedAt.Compare(a.IssuedAt), cmp.Compare(a.ID, b.ID))
	})
	return out
}
