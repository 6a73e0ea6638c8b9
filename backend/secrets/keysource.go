package secrets

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Places a key lives in, as the database records them.
const (
	InKeychain = "keychain"
	InFile     = "file"
)

// ErrNoKey says that there surely is no key, not that it cannot be reached.
var ErrNoKey = errors.New("there is no such key")

// KeySource keeps the key that seals secrets.
type KeySource interface {
	// Load gives the key that lives at where; ErrNoKey when there is none.
	Load(ctx context.Context, where string) ([]byte, error)
	// Ensure gives the key there is, or makes one, and says where it lives.
	Ensure(ctx context.Context) (key []byte, where string, err error)
	// Guess says where Ensure would put a key, without asking anybody.
	Guess() string
}

// keyText is how a key is written down.
func keyText(key []byte) string { return "v1:" + base64.RawStdEncoding.EncodeToString(key) }

func parseKey(text string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(strings.TrimSpace(text), "v1:")
	key, err := base64.RawStdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) != keyBytes {
		return nil, errors.New("what is there is not a key of this program")
	}
	return key, nil
}

func newKey() []byte {
	key := make([]byte, keyBytes)
	rand.Read(key)
	return key
}

type keyFile struct{ path string }

// KeyFile keeps the key in a file with mode 0600.
func KeyFile(path string) KeySource { return keyFile{path} }

// Guess implements KeySource.
func (keyFile) Guess() string { return InFile }

// Load implements KeySource.
func (f keyFile) Load(_ context.Context, where string) ([]byte, error) {
	if where != InFile {
		return nil, fmt.Errorf("the key lives in the %s, which is not used in this mode", where)
	}
	text, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", f.path, ErrNoKey)
	}
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(f.path, 0o600); err != nil {
		return nil, err
	}
	key, err := parseKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return key, nil
}

// Ensure implements KeySource. The file is whole on the disk before anything
// is sealed with what is in it.
func (f keyFile) Ensure(ctx context.Context) ([]byte, string, error) {
	key, err := f.Load(ctx, InFile)
	if !errors.Is(err, ErrNoKey) {
		return key, InFile, err
	}
	key = newKey()
	part, err := os.CreateTemp(filepath.Dir(f.path), filepath.Base(f.path)+".*") // 0600
	if err != nil {
		return nil, "", err
	}
	defer os.Remove(part.Name())
	_, err = part.WriteString(keyText(key) + "\n")
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return nil, "", err
	}
	if err := os.Rename(part.Name(), f.path); err != nil {
		return nil, "", err
	}
	return key, InFile, syncDir(filepath.Dir(f.path))
}

// syncDir makes a new name in a directory last. Where directories cannot be
// opened or flushed (Windows), the file system does it by itself.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
