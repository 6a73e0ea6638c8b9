package secrets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/zalando/go-keyring"
)

const keychainService = "benchtop"

// keychainTimeout is how long a keychain may take; a locked one may wait for
// somebody to type a password for ever.
const keychainTimeout = 3 * time.Second

// keychain keeps the key in the keychain of the operating system, under an
// entry named by the data directory's id.
type keychain struct {
	entry   string
	file    KeySource
	timeout time.Duration
	reach   func() bool // whether there is a keychain to ask at all
	get     func(service, user string) (string, error)
	set     func(service, user, secret string) error
}

// Keychain keeps the key in the operating system's keychain; a new key goes to
// file when there is no keychain, or when it does not answer within 3 seconds.
func Keychain(dataID string, file KeySource) KeySource {
	return &keychain{
		entry: dataID, file: file, timeout: keychainTimeout,
		reach: sessionBus, get: keyring.Get, set: keyring.Set,
	}
}

// sessionBus reports whether a keychain can be asked. Where it is reached over
// a session bus and there is none, asking would start one and leave it running.
func sessionBus() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	if bus := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); bus != "" && bus != "autolaunch:" {
		return true
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, "bus"))
	return err == nil
}

// Guess implements KeySource.
func (k *keychain) Guess() string {
	if k.reach() {
		return InKeychain
	}
	return k.file.Guess()
}

// Load implements KeySource.
func (k *keychain) Load(ctx context.Context, where string) ([]byte, error) {
	if where != InKeychain {
		return k.file.Load(ctx, where)
	}
	if !k.reach() {
		return nil, errors.New("there is no keychain in this session")
	}
	return k.read(ctx)
}

func (k *keychain) read(ctx context.Context) ([]byte, error) {
	text, err := k.ask(ctx, func() (string, error) { return k.get(keychainService, k.entry) })
	if errors.Is(err, keyring.ErrNotFound) {
		return nil, fmt.Errorf("keychain entry %s/%s: %w", keychainService, k.entry, ErrNoKey)
	}
	if err != nil {
		return nil, fmt.Errorf("keychain entry %s/%s: %w", keychainService, k.entry, err)
	}
	key, err := parseKey(text)
	if err != nil {
		return nil, fmt.Errorf("keychain entry %s/%s: %w", keychainService, k.entry, err)
	}
	return key, nil
}

// Ensure implements KeySource.
func (k *keychain) Ensure(ctx context.Context) ([]byte, string, error) {
	if !k.reach() {
		return k.file.Ensure(ctx)
	}
	key, err := k.read(ctx)
	if err == nil {
		return key, InKeychain, nil
	}
	if ctx.Err() != nil { // the caller went away; that says nothing of the keychain
		return nil, "", ctx.Err()
	}
	if errors.Is(err, ErrNoKey) {
		made := newKey()
		_, err := k.ask(ctx, func() (string, error) { return "", k.set(keychainService, k.entry, keyText(made)) })
		if err == nil {
			// Only a key that comes back is a key to seal with.
			if back, err := k.read(ctx); err == nil && string(back) == string(made) {
				return made, InKeychain, nil
			}
		}
	}
	return k.file.Ensure(ctx)
}

// ask bounds a call of the keychain. A call that never returns keeps its
// goroutine; it holds nothing else.
func (k *keychain) ask(ctx context.Context, call func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		text, err := call()
		got <- answer{text, err}
	}()
	timer := time.NewTimer(k.timeout)
	defer timer.Stop()
	select {
	case a := <-got:
		return a.text, a.err
	case <-timer.C:
		return "", fmt.Errorf("no answer within %v: it may be locked", k.timeout)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
