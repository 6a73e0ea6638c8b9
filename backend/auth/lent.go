package auth

import (
	"crypto/sha256"

	"benchtop/backend/contract"
)

// The console sends requests as people who are not there: each takes a
// credential for as long as it lasts. It is stored nowhere, is in no list and
// counts against nobody's number of keys, so a thousand requests leave nothing.

// LendVisitor gives a visitor's cookie that counts until back is called.
func (a *Auth) LendVisitor(id string) (s contract.VisitorSession, back func(), err error) {
	if err := a.needVisitor(id); err != nil {
		return contract.VisitorSession{}, nil, err
	}
	value, back := a.registry.lend(KeyVisitorCookie, id)
	return contract.VisitorSession{CookieName: a.VisitorCookie(), CookieValue: value, ExpiresAt: a.now().Add(contract.VisitorLifetime)}, back, nil
}

// LendAdmin gives a key of the admin's that counts until back is called.
func (a *Auth) LendAdmin() (key string, back func()) {
	return a.registry.lend(KeyAdmin, "")
}

func (r *registry) lend(kind, subject string) (value string, back func()) {
	value = KeyPrefix + randomText(32)
	hash := sha256.Sum256([]byte(value))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lent[hash] = KeyRow{Kind: kind, SubjectID: subject}
	return value, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.lent, hash)
	}
}
