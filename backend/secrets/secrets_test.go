package secrets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"benchtop/backend/contract"
)

type memory struct {
	sealed map[string]Sealed
	key    *KeyRecord
}

func newMemory() *memory { return &memory{sealed: map[string]Sealed{}} }

func at(agentID, function, binding string) string { return agentID + "/" + function + "/" + binding }

func (m *memory) PutSecret(_ context.Context, s Sealed) error {
	m.sealed[at(s.AgentID, s.Function, s.Binding)] = s
	return nil
}

func (m *memory) DeleteSecret(_ context.Context, agentID, function, binding string) (bool, error) {
	_, ok := m.sealed[at(agentID, function, binding)]
	delete(m.sealed, at(agentID, function, binding))
	return ok, nil
}

func (m *memory) Secret(_ context.Context, agentID, function, binding string) (*Sealed, error) {
	if s, ok := m.sealed[at(agentID, function, binding)]; ok {
		return &s, nil
	}
	return nil, nil
}

func (m *memory) ListSecrets(_ context.Context, agentID, function string) (all []Sealed, err error) {
	for _, s := range m.sealed {
		if s.AgentID == agentID && (function == "" || s.Function == function) {
			all = append(all, s)
		}
	}
	return all, nil
}

func (m *memory) CountSecrets(context.Context) (int, error)         { return len(m.sealed), nil }
func (m *memory) SecretKey(context.Context) (*KeyRecord, error)     { return m.key, nil }
func (m *memory) PutSecretKey(_ context.Context, k KeyRecord) error { m.key = &k; return nil }

var ctx = context.Background()

func load(t *testing.T, m *memory, keys KeySource) *Secrets {
	t.Helper()
	s, err := New(ctx, Config{Store: m, Keys: keys})
	must(t, err)
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantUnavailable(t *testing.T, err error, text string) {
	t.Helper()
	if e := contract.AsError(err); e == nil || e.Code != contract.SecretsUnavailable || !strings.Contains(e.Message, text) {
		t.Errorf("error %v, want SECRETS_UNAVAILABLE with %q", err, text)
	}
}

const plain = "sk_live_open sesame"

func TestSecrets(t *testing.T) {
	m, path := newMemory(), filepath.Join(t.TempDir(), "secrets.key")
	s := load(t, m, KeyFile(path))
	if _, set, err := s.Get(ctx, "a", "f", "KEY"); set || err != nil {
		t.Errorf("before: %v, %v", set, err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("reading made a key")
	}
	must(t, s.Put(ctx, "a", "f", "KEY", plain))
	must(t, s.Put(ctx, "a", "f", "EMPTY", ""))
	must(t, s.Put(ctx, "a", "g", "KEY", plain))
	if x, y := m.sealed[at("a", "f", "KEY")], m.sealed[at("a", "g", "KEY")]; bytes.Equal(x.Nonce, y.Nonce) || bytes.Equal(x.Ciphertext, y.Ciphertext) {
		t.Error("two seals share a nonce")
	}
	first := m.sealed[at("a", "f", "KEY")]
	must(t, s.Put(ctx, "a", "f", "KEY", plain))
	if again := m.sealed[at("a", "f", "KEY")]; bytes.Equal(again.Nonce, first.Nonce) {
		t.Error("sealing again used the nonce again")
	}
	for place, x := range m.sealed {
		if bytes.Contains(x.Ciphertext, []byte("sesame")) || x.KeyID == "" {
			t.Errorf("%s is stored as %+v", place, x)
		}
	}
	if info, err := os.Stat(path); err != nil || (runtime.GOOS != "windows" && info.Mode().Perm() != 0o600) {
		t.Errorf("key file: %v, %v", info, err)
	}

	s = load(t, m, KeyFile(path)) // a restart
	for binding, want := range map[string]string{"KEY": plain, "EMPTY": ""} {
		if v, set, err := s.Get(ctx, "a", "f", binding); v != want || !set || err != nil {
			t.Errorf("%s: %q, %v, %v", binding, v, set, err)
		}
	}
	if missing, err := s.Missing(ctx, "a", "f", []string{"Z", "KEY", "A"}); err != nil || !slices.Equal(missing, []string{"Z", "A"}) {
		t.Errorf("missing %v, %v", missing, err)
	}
	if list, err := s.List(ctx, "a", ""); err != nil || len(list) != 3 {
		t.Errorf("list %v, %v", list, err)
	}
	if deleted, err := s.Delete(ctx, "a", "f", "EMPTY"); !deleted || err != nil {
		t.Errorf("delete: %v, %v", deleted, err)
	}
	if s.Where() != InFile || s.Notice() == nil || s.Notice().Code != "keychain_file" {
		t.Errorf("where %s, notice %+v", s.Where(), s.Notice())
	}
}

func TestPutChecks(t *testing.T) {
	s := load(t, newMemory(), KeyFile(filepath.Join(t.TempDir(), "k")))
	for _, binding := range []string{"", "write", "a\nb", strings.Repeat("x", 257), "\xff"} {
		if e := contract.AsError(s.Put(ctx, "a", "f", binding, plain)); e == nil || e.Code != contract.InvalidRequest || strings.Contains(e.Message, "sesame") {
			t.Errorf("%q: %v", binding, e)
		}
	}
	must(t, s.Put(ctx, "a", "f", "BIG", strings.Repeat("x", contract.MaxSecretBytes)))
	if e := contract.AsError(s.Put(ctx, "a", "f", "BIGGER", strings.Repeat("x", contract.MaxSecretBytes+1))); e == nil || e.Code != contract.InvalidRequest {
		t.Errorf("one byte over: %v", e)
	}
}

// A secret opens only where it was sealed, and only as it was sealed.
func TestSealedSecretsCannotBeMovedOrChanged(t *testing.T) {
	m := newMemory()
	s := load(t, m, KeyFile(filepath.Join(t.TempDir(), "k")))
	must(t, s.Put(ctx, "ab", "f", "KEY", plain))
	good := m.sealed[at("ab", "f", "KEY")]
	for name, change := range map[string]func(x *Sealed){
		"agent":            func(x *Sealed) { x.AgentID = "b" },
		"function":         func(x *Sealed) { x.Function = "g" },
		"binding":          func(x *Sealed) { x.Binding = "OTHER" },
		"shifted boundary": func(x *Sealed) { x.AgentID, x.Function = "a", "bf" },
		"ciphertext":       func(x *Sealed) { x.Ciphertext = slices.Clone(x.Ciphertext); x.Ciphertext[0] ^= 1 },
		"short ciphertext": func(x *Sealed) { x.Ciphertext = x.Ciphertext[:3] },
		"nonce":            func(x *Sealed) { x.Nonce = slices.Clone(x.Nonce); x.Nonce[0] ^= 1 },
		"short nonce":      func(x *Sealed) { x.Nonce = nil },
		"key":              func(x *Sealed) { x.KeyID = "another" },
	} {
		x := good
		change(&x)
		m.sealed = map[string]Sealed{at(x.AgentID, x.Function, x.Binding): x}
		v, set, err := s.Get(ctx, x.AgentID, x.Function, x.Binding)
		if v != "" || set {
			t.Errorf("%s: opened", name)
		}
		wantUnavailable(t, err, x.Binding)
	}
}

func TestNeverANewKeyWhileSecretsAreStored(t *testing.T) {
	setUp := func() (*memory, string) {
		m, path := newMemory(), filepath.Join(t.TempDir(), "k")
		must(t, load(t, m, KeyFile(path)).Put(ctx, "a", "f", "KEY", plain))
		return m, path
	}
	check := func(m *memory, path, text string) {
		t.Helper()
		before, _ := os.ReadFile(path)
		sealed, rec := m.sealed[at("a", "f", "KEY")], *m.key
		s := load(t, m, KeyFile(path))
		_, _, err := s.Get(ctx, "a", "f", "KEY")
		wantUnavailable(t, err, text)
		wantUnavailable(t, s.Put(ctx, "a", "f", "NEW", "x"), text)
		after, _ := os.ReadFile(path)
		if !bytes.Equal(before, after) || len(m.sealed) != 1 || !bytes.Equal(m.sealed[at("a", "f", "KEY")].Ciphertext, sealed.Ciphertext) || *m.key != rec {
			t.Error("something was changed")
		}
	}
	m, path := setUp()
	must(t, os.Remove(path))
	check(m, path, "1 stored secrets")

	m, path = setUp()
	must(t, os.WriteFile(path, []byte(keyText(newKey())), 0o600))
	check(m, path, "another key")

	m, path = setUp()
	must(t, os.WriteFile(path, []byte("v1:damaged"), 0o600))
	check(m, path, "cannot be reached")

	// Once nothing is sealed any more, a new key is in order.
	m, path = setUp()
	must(t, os.Remove(path))
	m.sealed = map[string]Sealed{}
	s := load(t, m, KeyFile(path))
	must(t, s.Put(ctx, "a", "f", "KEY", plain))
	if v, set, err := s.Get(ctx, "a", "f", "KEY"); v != plain || !set || err != nil {
		t.Errorf("under the new key: %q, %v, %v", v, set, err)
	}

	// A database that lost the record of its key.
	m, path = setUp()
	m.key = nil
	s = load(t, m, KeyFile(path))
	_, _, err := s.Get(ctx, "a", "f", "KEY")
	wantUnavailable(t, err, "does not say")
	wantUnavailable(t, s.Put(ctx, "a", "f", "NEW", "x"), "does not say")
}

// ring is a keychain that can misbehave.
type ring struct {
	entries map[string]string
	fail    error
	hang    chan struct{} // calls wait until it is closed
	forget  bool          // set works, but nothing is there afterwards
}

func (r *ring) source(t *testing.T, path string) *keychain {
	k := Keychain("data-1", KeyFile(path)).(*keychain)
	k.reach = func() bool { return true }
	k.get = func(service, user string) (string, error) {
		if r.hang != nil {
			<-r.hang
		}
		if r.fail != nil {
			return "", r.fail
		}
		v, ok := r.entries[service+"/"+user]
		if !ok {
			return "", fmt.Errorf("wrapped: %w", keyring.ErrNotFound)
		}
		return v, nil
	}
	k.set = func(service, user, secret string) error {
		if !r.forget {
			r.entries[service+"/"+user] = secret
		}
		return r.fail
	}
	return k
}

func TestKeychain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k")
	r, m := &ring{entries: map[string]string{}}, newMemory()
	s := load(t, m, r.source(t, path))
	must(t, s.Put(ctx, "a", "f", "KEY", plain))
	if s.Where() != InKeychain || s.Notice() != nil || m.key.Where != InKeychain {
		t.Errorf("where %s, notice %v, record %+v", s.Where(), s.Notice(), m.key)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("the key is in a file as well")
	}
	if len(r.entries) != 1 || r.entries["benchtop/data-1"] == "" {
		t.Errorf("entries %v", r.entries)
	}
	if v, _, err := load(t, m, r.source(t, path)).Get(ctx, "a", "f", "KEY"); v != plain || err != nil {
		t.Errorf("after a restart: %q, %v", v, err)
	}

	// The keychain stops answering: nothing is made instead, and once it
	// answers again the same Secrets works again.
	locked := load(t, m, r.source(t, path))
	r.fail = errors.New("it is locked")
	_, _, err := locked.Get(ctx, "a", "f", "KEY")
	wantUnavailable(t, err, "it is locked")
	wantUnavailable(t, locked.Put(ctx, "a", "f", "NEW", "x"), "it is locked")
	r.fail = nil
	if v, _, err := locked.Get(ctx, "a", "f", "KEY"); v != plain || err != nil {
		t.Errorf("after unlocking: %q, %v", v, err)
	}

	// It was emptied.
	delete(r.entries, "benchtop/data-1")
	emptied := load(t, m, r.source(t, path))
	_, _, err = emptied.Get(ctx, "a", "f", "KEY")
	wantUnavailable(t, err, "keychain")
	wantUnavailable(t, emptied.Put(ctx, "a", "f", "NEW", "x"), "keychain")

	// There is none in this session at all.
	gone := r.source(t, path)
	gone.reach = func() bool { return false }
	_, _, err = load(t, m, gone).Get(ctx, "a", "f", "KEY")
	wantUnavailable(t, err, "no keychain in this session")
}

func TestKeychainFallsBackToTheFile(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	for name, r := range map[string]*ring{
		"fails":   {entries: map[string]string{}, fail: errors.New("no service")},
		"hangs":   {entries: map[string]string{}, hang: hang},
		"forgets": {entries: map[string]string{}, forget: true},
		"foreign": {entries: map[string]string{"benchtop/data-1": "somebody's password"}},
	} {
		path := filepath.Join(t.TempDir(), name)
		m, keys := newMemory(), r.source(t, path)
		keys.timeout = time.Millisecond
		s := load(t, m, keys)
		must(t, s.Put(ctx, "a", "f", "KEY", plain))
		if s.Where() != InFile || s.Notice() == nil || m.key.Where != InFile {
			t.Errorf("%s: where %s, record %+v", name, s.Where(), m.key)
		}
		if v, _, err := load(t, m, keys).Get(ctx, "a", "f", "KEY"); v != plain || err != nil {
			t.Errorf("%s: after a restart %q, %v", name, v, err)
		}
		if r.entries["benchtop/data-1"] != "" && name != "foreign" {
			t.Errorf("%s: the keychain has %v", name, r.entries)
		}
	}
	// Without a session bus nobody is asked, and the owner is told at once.
	keys := (&ring{hang: hang}).source(t, filepath.Join(t.TempDir(), "k"))
	keys.reach = func() bool { return false }
	s := load(t, newMemory(), keys)
	if s.Where() != InFile || s.Notice() == nil {
		t.Errorf("where %s", s.Where())
	}
	must(t, s.Put(ctx, "a", "f", "KEY", plain))
}

func TestCancelledCallerMakesNoKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k")
	hang := make(chan struct{})
	defer close(hang)
	keys := (&ring{hang: hang}).source(t, path)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := load(t, newMemory(), keys).Put(gone, "a", "f", "KEY", plain); err == nil {
		t.Error("stored for a caller that went away before there was a key")
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("a key file was made because a caller went away")
	}
}

// The key file ends tight even if somebody loosened it.
func TestKeyFileIsTightened(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // access there follows the directory
	}
	path := filepath.Join(t.TempDir(), "k")
	keys := KeyFile(path)
	made, where, err := keys.Ensure(ctx)
	must(t, err)
	must(t, os.Chmod(path, 0o644))
	again, _, err := keys.Ensure(ctx)
	must(t, err)
	info, err := os.Stat(path)
	must(t, err)
	if !bytes.Equal(made, again) || where != InFile || info.Mode().Perm() != 0o600 {
		t.Errorf("same key %v, %s, mode %v", bytes.Equal(made, again), where, info.Mode())
	}
}
