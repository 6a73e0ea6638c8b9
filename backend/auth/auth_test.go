package auth

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"benchtop/backend/contract"
)

// memStore is a Store in memory that counts queries.
type memStore struct {
	mu      sync.Mutex
	rows    map[string]SessionRow
	queries int

	keys     map[string]KeyRow
	tokens   map[string]TokenRow
	visitors map[string]VisitorRow
	fail     error // of the next changes of these three
}

func newMemStore() *memStore {
	return &memStore{
		rows: map[string]SessionRow{}, keys: map[string]KeyRow{}, tokens: map[string]TokenRow{}, visitors: map[string]VisitorRow{},
	}
}

func (m *memStore) PutSession(_ context.Context, s SessionRow) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[s.Hash] = s
	return nil
}

func (m *memStore) Session(_ context.Context, hash string) (*SessionRow, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queries++
	if s, ok := m.rows[hash]; ok {
		return &s, nil
	}
	return nil, nil
}

func (m *memStore) DeleteSession(_ context.Context, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.rows, hash)
	return nil
}

func (m *memStore) DropSessions(_ context.Context, before time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, s := range m.rows {
		if s.ExpiresAt.Before(before) {
			delete(m.rows, k)
		}
	}
	return nil
}

type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func open(t *testing.T, dir string, store Store, ck *clock) *Auth {
	t.Helper()
	a, err := Open(t.Context(), Config{Dir: dir, Store: store, Now: ck.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

func wantCode(t *testing.T, err error, code contract.Code) {
	t.Helper()
	if e := contract.AsError(err); e == nil || e.Code != code {
		t.Fatalf("error %v, want code %s", err, code)
	}
}

func identify(t *testing.T, a *Auth, bearer, cookie string) Caller {
	t.Helper()
	c, err := a.Identify(t.Context(), bearer, cookie)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFirstStartMakesTheKeys(t *testing.T) {
	dir, ck := t.TempDir(), newClock()
	a := open(t, dir, newMemStore(), ck)
	key := a.OwnerKey()
	if len(key) < 43 || strings.ContainsFunc(key, notPrintable) {
		t.Errorf("owner key %q is not 256 printable bits", key)
	}
	a.JWKS() // waits for platform.pem
	for _, name := range []string{ownerKeyFile, platformKeyFile, dataIDFile} {
		st, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, st.Mode())
		}
	}
	b := open(t, dir, newMemStore(), ck)
	if b.OwnerKey() != key || b.DataID() != a.DataID() || string(b.JWKS()) != string(a.JWKS()) {
		t.Error("a second start has other keys")
	}
	if b.WindowToken() == a.WindowToken() {
		t.Error("the window token outlived its run")
	}
	if read, err := OwnerKey(dir); err != nil || read != key {
		t.Errorf("OwnerKey reads %q, %v", read, err)
	}
}

func TestLooseKeyFileIsTakenBack(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there are no such permissions
	}
	dir, ck := t.TempDir(), newClock()
	open(t, dir, newMemStore(), ck)
	path := filepath.Join(dir, ownerKeyFile)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, dir, newMemStore(), ck)
	if st, _ := os.Stat(path); st.Mode().Perm() != 0o600 {
		t.Errorf("mode is still %v", st.Mode())
	}
}

func TestDamagedFilesAreNamed(t *testing.T) {
	for name, content := range map[string]string{
		ownerKeyFile:    "short\n",
		dataIDFile:      "not hexadecimal\n",
		platformKeyFile: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), Config{Dir: dir, Store: newMemStore()})
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v does not name it", name, err)
		}
	}
}

func TestBearers(t *testing.T) {
	a := open(t, t.TempDir(), newMemStore(), newClock())
	for _, good := range []string{a.OwnerKey(), a.WindowToken()} {
		if c := identify(t, a, good, ""); c.Kind != KindOwner || c.UserID != OwnerUserID {
			t.Errorf("caller %+v", c)
		}
	}
	if c := identify(t, a, "", ""); c.Kind != KindAnonymous || c.UserID != "" {
		t.Errorf("nobody is %+v", c)
	}
	code := a.NewLoginCode()
	for _, bad := range []string{"x", a.OwnerKey()[1:], a.OwnerKey() + "x", strings.ToUpper(a.OwnerKey()), code} {
		c, err := a.Identify(t.Context(), bad, "")
		wantCode(t, err, contract.Unauthorized)
		if c.Kind != KindAnonymous {
			t.Errorf("%q is %+v", bad, c)
		}
	}
	// One kind of credential never counts as another.
	if c := identify(t, a, "", a.OwnerKey()); c.Kind != KindAnonymous {
		t.Error("the owner key counts as a cookie")
	}
}

func TestLoginCode(t *testing.T) {
	ck := newClock()
	a := open(t, t.TempDir(), newMemStore(), ck)
	login := func(code string) error {
		_, _, err := a.Login(t.Context(), contract.SessionRequest{Code: code})
		return err
	}
	code := a.NewLoginCode()
	if err := login(code); err != nil {
		t.Fatal(err)
	}
	wantCode(t, login(code), contract.Unauthorized) // once
	wantCode(t, login("nonsense"), contract.Unauthorized)

	late := a.NewLoginCode()
	ck.add(contract.LoginCodeLifetime)
	wantCode(t, login(late), contract.Unauthorized)

	first := a.NewLoginCode()
	for range maxCodes {
		a.NewLoginCode()
	}
	wantCode(t, login(first), contract.Unauthorized) // pushed out

	_, _, err := a.Login(t.Context(), contract.SessionRequest{})
	wantCode(t, err, contract.InvalidRequest)
	_, _, err = a.Login(t.Context(), contract.SessionRequest{Code: "a", Key: "b"})
	wantCode(t, err, contract.InvalidRequest)
	_, _, err = a.Login(t.Context(), contract.SessionRequest{Key: "wrong"})
	wantCode(t, err, contract.Unauthorized)
}

func TestSessionLife(t *testing.T) {
	dir, store, ck := t.TempDir(), newMemStore(), newClock()
	a := open(t, dir, store, ck)
	cookie, expires, err := a.Login(t.Context(), contract.SessionRequest{Key: a.OwnerKey()})
	if err != nil {
		t.Fatal(err)
	}
	if want := ck.now().Add(contract.SessionLifetime); !expires.Equal(want) {
		t.Errorf("expires %v, want %v", expires, want)
	}
	for hash, row := range store.rows {
		if strings.Contains(hash, cookie) || strings.Contains(cookie, hash) || row.Hash != hash {
			t.Error("the store knows the cookie's value")
		}
	}
	if identify(t, a, "", cookie).Kind != KindOwner {
		t.Fatal("the session does not count")
	}

	// After a restart it is read once, then served from memory.
	b := open(t, dir, store, ck)
	store.queries = 0
	for range 5 {
		if identify(t, b, "", cookie).Kind != KindOwner {
			t.Fatal("the session does not survive a restart")
		}
	}
	if store.queries != 1 {
		t.Errorf("%d queries for five requests, want 1", store.queries)
	}
	if identify(t, b, "", cookie+"x").Kind != KindAnonymous || identify(t, b, "", strings.Repeat("x", 4096)).Kind != KindAnonymous {
		t.Error("a made-up cookie counts")
	}

	if err := b.Logout(t.Context(), cookie); err != nil {
		t.Fatal(err)
	}
	if identify(t, b, "", cookie).Kind != KindAnonymous || len(store.rows) != 0 {
		t.Error("the session outlived its end")
	}

	again, _, _ := b.Login(t.Context(), contract.SessionRequest{Key: a.OwnerKey()})
	ck.add(contract.SessionLifetime)
	if identify(t, b, "", again).Kind != KindAnonymous {
		t.Error("the session outlived 30 days")
	}
	open(t, dir, store, ck)
	ck.add(time.Second)
	open(t, dir, store, ck)
	if len(store.rows) != 0 {
		t.Error("expired rows are kept")
	}
}

func TestNewOwnerKeyVoidsSessions(t *testing.T) {
	dir, store, ck := t.TempDir(), newMemStore(), newClock()
	a := open(t, dir, store, ck)
	cookie, _, err := a.Login(t.Context(), contract.SessionRequest{Key: a.OwnerKey()})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, ownerKeyFile)); err != nil {
		t.Fatal(err)
	}
	b := open(t, dir, store, ck)
	if b.OwnerKey() == a.OwnerKey() {
		t.Fatal("the key is the old one")
	}
	if identify(t, b, "", cookie).Kind != KindAnonymous {
		t.Error("a session survives its key")
	}
	if b.DataID() != a.DataID() {
		t.Error("the data id went with the key")
	}
}

func BenchmarkIdentifyCookie(b *testing.B) {
	a, err := Open(b.Context(), Config{Dir: b.TempDir(), Store: newMemStore()})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	a.JWKS()
	cookie, _, _ := a.Login(b.Context(), contract.SessionRequest{Key: a.OwnerKey()})
	b.ReportAllocs()
	for b.Loop() {
		if c, _ := a.Identify(b.Context(), "", cookie); c.Kind != KindOwner {
			b.Fatal("not the owner")
		}
	}
}
