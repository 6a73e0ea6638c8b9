package secrets

import (
	"context"
	"errors"

	"github.com/zalando/go-keyring"
)

// ErrNoKeychain says that there is no keychain to ask.
var ErrNoKeychain = errors.New("this system has no keychain, or no session that it belongs to")

// ProbeKeychain asks the operating system's keychain for an entry that nobody
// has, and returns nil when it answers within 3 seconds.
func ProbeKeychain(ctx context.Context) error {
	if !sessionBus() {
		return ErrNoKeychain
	}
	ctx, cancel := context.WithTimeout(ctx, keychainTimeout)
	defer cancel()
	answered := make(chan error, 1)
	go func() {
		_, err := keyring.Get(keychainService, "probe")
		answered <- err
	}()
	select {
	case err := <-answered:
		if errors.Is(err, keyring.ErrNotFound) {
			return nil
		}
		return err
	case <-ctx.Done():
		return errors.New("the keychain does not answer; perhaps it is locked")
	}
}
