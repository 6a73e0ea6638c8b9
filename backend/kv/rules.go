package kv

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// checkKey: 1 to 1,024 bytes of UTF-8.
func checkKey(key string) error {
	switch {
	case key == "":
		return contract.Errorf(contract.InvalidRequest, "kv: the key is empty")
	case len(key) > contract.MaxKVKeyBytes:
		return contract.Errorf(contract.InvalidRequest, "kv: the key has %d bytes; %d are allowed", len(key), contract.MaxKVKeyBytes)
	case !utf8.ValidString(key):
		return contract.Errorf(contract.InvalidRequest, "kv: the key is not valid UTF-8")
	}
	return nil
}

func checkValue(value json.RawMessage) error {
	if !json.Valid(value) {
		return contract.Errorf(contract.InvalidRequest, "kv: the value is not JSON")
	}
	return nil
}

// expiresAt turns a time to live into a moment; zero means never. Parts of a
// second do not count.
func expiresAt(now time.Time, ttl time.Duration) (time.Time, error) {
	if ttl == 0 {
		return time.Time{}, nil
	}
	whole := ttl.Truncate(time.Second)
	if whole <= 0 {
		return time.Time{}, contract.Errorf(contract.InvalidRequest, "kv: the time to live is %v; it is at least one second, counted in whole seconds", ttl)
	}
	return now.UTC().Truncate(time.Microsecond).Add(whole), nil
}

// A cursor is the last key of a page, wrapped so that nobody builds one.
func makeCursor(last string) string { return base64.RawURLEncoding.EncodeToString([]byte("k" + last)) }

// parseCursor gives the key to go on after, "" for the first page.
func parseCursor(cursor, prefix string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	after, ok := strings.CutPrefix(string(raw), "k")
	if err != nil || !ok || checkKey(after) != nil || !strings.HasPrefix(after, prefix) {
		return "", contract.Errorf(contract.InvalidRequest, "kv: the cursor is not one that a list with this prefix gave")
	}
	return after, nil
}
