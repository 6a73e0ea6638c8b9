package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"sync"
	"time"

	"benchtop/backend/contract"
)

// maxCached bounds the sessions kept in memory so that a request costs no
// query. One owner has a handful.
const maxCached = 256

// maxCookie bounds what is hashed of a cookie; ours have 43 characters.
const maxCookie = 128

type sessions struct {
	store Store
	now   func() time.Time
	keyID string

	mu     sync.RWMutex
	cached map[[sha256.Size]byte]time.Time // when it expires
}

// Login exchanges a login code or the owner key for a session. cookieValue is
// what the browser keeps; the store keeps its hash only. A wrong credential is
// a *contract.Error with code unauthorized.
func (a *Auth) Login(ctx context.Context, req contract.SessionRequest) (cookieValue string, expires time.Time, err error) {
	switch {
	case (req.Code == "") == (req.Key == ""):
		return "", time.Time{}, contract.Errorf(contract.InvalidRequest, "send either code or key")
	case req.Key != "":
		hash := sha256.Sum256([]byte(req.Key))
		if subtle.ConstantTimeCompare(hash[:], a.ownerHash[:]) != 1 {
			return "", time.Time{}, contract.Errorf(contract.Unauthorized, "this is not the owner key; it is in owner.key in the data directory")
		}
	case !a.codes.use(req.Code):
		return "", time.Time{}, contract.Errorf(contract.Unauthorized, "this login code is unknown, used or older than ten minutes; `benchtop open` makes a new one")
	}
	return a.sessions.start(ctx)
}

// Logout ends the session of a cookie; one that is no session is no error.
func (a *Auth) Logout(ctx context.Context, cookieValue string) error {
	return a.sessions.end(ctx, cookieValue)
}

func (s *sessions) start(ctx context.Context) (string, time.Time, error) {
	value, now := randomText(32), s.now()
	hash := sha256.Sum256([]byte(value))
	row := SessionRow{
		Hash: hex.EncodeToString(hash[:]), KeyID: s.keyID,
		CreatedAt: now, ExpiresAt: now.Add(contract.SessionLifetime),
	}
	if err := s.store.PutSession(ctx, row); err != nil {
		return "", time.Time{}, err
	}
	s.remember(hash, row.ExpiresAt)
	return value, row.ExpiresAt, nil
}

func (s *sessions) end(ctx context.Context, value string) error {
	if value == "" || len(value) > maxCookie {
		return nil
	}
	hash := sha256.Sum256([]byte(value))
	// Stored first: a lookup between the two steps must not bring it back.
	err := s.store.DeleteSession(ctx, hex.EncodeToString(hash[:]))
	s.mu.Lock()
	delete(s.cached, hash)
	s.mu.Unlock()
	return err
}

// valid reports whether the cookie's value is a session that has not ended.
func (s *sessions) valid(ctx context.Context, value string) (bool, error) {
	if len(value) > maxCookie {
		return false, nil
	}
	hash := sha256.Sum256([]byte(value))
	s.mu.RLock()
	expires, hit := s.cached[hash]
	s.mu.RUnlock()
	if hit {
		return expires.After(s.now()), nil
	}
	// The lock is held over the query, so that a Logout in between is not
	// undone by what was read before it. Only a first sight comes here.
	s.mu.Lock()
	defer s.mu.Unlock()
	row, err := s.store.Session(ctx, hex.EncodeToString(hash[:]))
	if err != nil || row == nil {
		return false, err
	}
	if row.KeyID != s.keyID || !row.ExpiresAt.After(s.now()) {
		return false, nil
	}
	s.rememberLocked(hash, row.ExpiresAt)
	return true, nil
}

func (s *sessions) remember(hash [sha256.Size]byte, expires time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rememberLocked(hash, expires)
}

func (s *sessions) rememberLocked(hash [sha256.Size]byte, expires time.Time) {
	if s.cached == nil || len(s.cached) >= maxCached {
		s.cached = make(map[[sha256.Size]byte]time.Time, 8) // the next request asks the store again
	}
	s.cached[hash] = expires
}
