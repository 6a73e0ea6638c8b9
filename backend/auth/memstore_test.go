package auth

import (
	"context"
	"maps"
	"slices"
	"time"
)

// changed does a change unless the store is to fail.
func (m *memStore) changed(do func()) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		do()
	}
	return m.fail
}

func (m *memStore) PutKey(_ context.Context, k KeyRow) error {
	return m.changed(func() { m.keys[k.ID] = k })
}

func (m *memStore) ListKeys(context.Context) ([]KeyRow, error) {
	return slices.Collect(maps.Values(m.keys)), nil
}

func (m *memStore) DeleteKeys(_ context.Context, ids []string, at time.Time) error {
	return m.changed(func() {
		for _, id := range ids {
			delete(m.keys, id)
			for t, row := range m.tokens {
				if row.KeyID == id && row.RevokedAt.IsZero() {
					row.RevokedAt = at
					m.tokens[t] = row
				}
			}
		}
	})
}

func (m *memStore) PutToken(_ context.Context, t TokenRow) error {
	return m.changed(func() { m.tokens[t.ID] = t })
}

func (m *memStore) ListTokens(context.Context) ([]TokenRow, error) {
	return slices.Collect(maps.Values(m.tokens)), nil
}

func (m *memStore) DropTokens(_ context.Context, before time.Time) error {
	return m.changed(func() {
		maps.DeleteFunc(m.tokens, func(_ string, t TokenRow) bool { return t.ExpiresAt.Before(before) })
	})
}

func (m *memStore) PutVisitor(_ context.Context, v VisitorRow) error {
	return m.changed(func() { m.visitors[v.ID] = v })
}

func (m *memStore) ListVisitors(context.Context) ([]VisitorRow, error) {
	return slices.Collect(maps.Values(m.visitors)), nil
}

func (m *memStore) DeleteVisitor(_ context.Context, id string) error {
	return m.changed(func() {
		delete(m.visitors, id)
		maps.DeleteFunc(m.keys, func(_ string, k KeyRow) bool {
			return k.SubjectID == id && (k.Kind == KeyVisitor || k.Kind == KeyVisitorCookie)
		})
	})
}
