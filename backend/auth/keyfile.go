package auth

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Names of the files this package keeps in the data directory.
const (
	ownerKeyFile    = "owner.key"
	platformKeyFile = "platform.pem"
	dataIDFile      = "data.id"
)

// minOwnerKey is the shortest owner key that is accepted; 32 characters is what
// a person who writes their own must reach.
const minOwnerKey = 32

// OwnerKey reads the owner key of a data directory without opening it. The
// command line uses it to speak to a platform that is running.
func OwnerKey(dir string) (string, error) {
	path := filepath.Join(dir, ownerKeyFile)
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(b))
	if len(key) < minOwnerKey || strings.ContainsFunc(key, notPrintable) {
		return "", fmt.Errorf("%s holds no owner key (at least %d printable characters): remove the file to have a new one made; everybody is signed out then", path, minOwnerKey)
	}
	return key, nil
}

func notPrintable(r rune) bool { return r <= ' ' || r > '~' }

// loadOwnerKey reads the owner key, making one at the first start.
func loadOwnerKey(dir string) (string, error) {
	path := filepath.Join(dir, ownerKeyFile)
	key, err := OwnerKey(dir)
	if errors.Is(err, fs.ErrNotExist) {
		key = "bt_" + randomText(32)
		return key, writePrivate(path, []byte(key+"\n"))
	}
	if err != nil {
		return "", err
	}
	return key, keepPrivate(path)
}

// DataID gives the id of a data directory without opening it.
func DataID(dir string) (string, error) { return loadDataID(dir) }

// loadDataID reads the id of a data directory, making one at the first start.
// It outlives the owner key, because the keychain entry is named by it.
func loadDataID(dir string) (string, error) {
	path := filepath.Join(dir, dataIDFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		id := make([]byte, 6)
		rand.Read(id)
		text := hex.EncodeToString(id)
		return text, writePrivate(path, []byte(text+"\n"))
	}
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(b))
	if _, err := hex.DecodeString(id); err != nil || len(id) < 8 || len(id) > 64 {
		return "", fmt.Errorf("%s holds no id (8 to 64 hexadecimal digits): restore it, the keychain entry of the secrets is named by it", path)
	}
	return id, nil
}

// randomText gives n random bytes as URL-safe text.
func randomText(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// writePrivate writes a file that only its owner can read, completely or not
// at all.
func writePrivate(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// keepPrivate takes a key file back from the group and the world.
func keepPrivate(path string) error {
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm()&0o077 == 0 {
		return err
	}
	return os.Chmod(path, 0o600)
}
