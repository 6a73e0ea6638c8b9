package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Config is what Auth needs. Dir is the data directory, which exists. URL gives
// the platform's own address, the issuer of its tokens; it may change before the
// first request. Now defaults to time.Now.
type Config struct {
	Dir   string
	Store Store
	URL   func() string
	Now   func() time.Time
}

// Auth says who is calling and signs what the platform issues. All its methods
// may be called from any goroutine.
type Auth struct {
	now       func() time.Time
	url       func() string
	dataID    string
	ownerKey  string
	ownerHash [sha256.Size]byte
	keyID     string // of the owner key, in session rows

	windowToken string
	windowHash  [sha256.Size]byte

	codes    codes
	sessions sessions
	registry registry
	signer   signer
}

// Open reads owner.key and platform.pem from the data directory and makes what
// is missing. The RSA key is made in the background: what needs it waits for it,
// the start does not.
func Open(ctx context.Context, cfg Config) (*Auth, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.URL == nil {
		cfg.URL = func() string { return "http://127.0.0.1" }
	}
	a := &Auth{now: cfg.Now, url: cfg.URL, windowToken: "btw_" + randomText(32)}
	var err error
	if a.dataID, err = loadDataID(cfg.Dir); err != nil {
		return nil, err
	}
	if a.ownerKey, err = loadOwnerKey(cfg.Dir); err != nil {
		return nil, err
	}
	a.ownerHash = sha256.Sum256([]byte(a.ownerKey))
	a.windowHash = sha256.Sum256([]byte(a.windowToken))
	// The id must not help to find the key: a hash of the hash, cut short.
	id := sha256.Sum256(a.ownerHash[:])
	a.keyID = hex.EncodeToString(id[:8])

	a.codes.now = cfg.Now
	a.sessions = sessions{store: cfg.Store, now: cfg.Now, keyID: a.keyID}
	if err := cfg.Store.DropSessions(ctx, cfg.Now()); err != nil {
		return nil, err
	}
	if err := a.registry.load(ctx, cfg.Store, cfg.Now); err != nil {
		return nil, err
	}
	if err := a.signer.load(cfg.Dir, cfg.Now); err != nil {
		return nil, err
	}
	return a, nil
}

// Close stops a key generation from writing into the data directory, which may
// be about to be removed.
func (a *Auth) Close() { a.signer.close() }

// OwnerKey is the owner's credential: as a bearer it is the owner session, and
// POST /api/auth/session takes it as "key".
func (a *Auth) OwnerKey() string { return a.ownerKey }

// WindowToken is the owner's credential of this run, for the page in the
// window.
func (a *Auth) WindowToken() string { return a.windowToken }

// DataID names this data directory: in the cookie's name and in the keychain.
func (a *Auth) DataID() string { return a.dataID }
