package secrets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// Config is what New needs. Now defaults to time.Now.
type Config struct {
	Store Store
	Keys  KeySource
	Now   func() time.Time
}

// Secrets seals and opens secrets. Its key is fetched when it is first needed.
type Secrets struct {
	cfg Config

	mu    sync.Mutex
	box   *box
	where string // where the key lives, or would
}

// Binding is a secret that is set.
type Binding struct {
	Function string
	Binding  string
	SetAt    time.Time
}

// New looks up which key seals the stored secrets. It does not touch the key.
func New(ctx context.Context, cfg Config) (*Secrets, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Secrets{cfg: cfg, where: cfg.Keys.Guess()}
	rec, err := cfg.Store.SecretKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("look up the key of the secrets: %w", err)
	}
	if rec != nil {
		s.where = rec.Where
	}
	return s, nil
}

// Put seals and stores a value, replacing the one before; it is on the disk
// when Put returns.
func (s *Secrets) Put(ctx context.Context, agentID, fn, binding, value string) error {
	if err := checkBinding(binding); err != nil {
		return err
	}
	if len(value) > contract.MaxSecretBytes {
		return contract.Errorf(contract.InvalidRequest, "the secret %s has %d bytes; %d are allowed",
			binding, len(value), contract.MaxSecretBytes)
	}
	b, err := s.open(ctx, true)
	if err != nil {
		return err
	}
	sealed := Sealed{AgentID: agentID, Function: fn, Binding: binding, SetAt: s.cfg.Now().UTC().Truncate(time.Microsecond)}
	b.seal(&sealed, value)
	return s.cfg.Store.PutSecret(ctx, sealed)
}

// Get opens a secret; set is false when there is none.
func (s *Secrets) Get(ctx context.Context, agentID, fn, binding string) (value string, set bool, err error) {
	sealed, err := s.cfg.Store.Secret(ctx, agentID, fn, binding)
	if sealed == nil || err != nil {
		return "", false, err
	}
	b, err := s.open(ctx, false)
	if err != nil {
		return "", false, err
	}
	value, err = b.open(sealed)
	return value, err == nil, err
}

// Check says whether what is stored can be opened: nil when it can, or when
// there is nothing.
func (s *Secrets) Check(ctx context.Context) error {
	count, err := s.cfg.Store.CountSecrets(ctx)
	if err != nil || count == 0 {
		return err
	}
	_, err = s.open(ctx, false)
	return err
}

// Delete removes a secret and reports whether there was one. It needs no key.
func (s *Secrets) Delete(ctx context.Context, agentID, fn, binding string) (bool, error) {
	return s.cfg.Store.DeleteSecret(ctx, agentID, fn, binding)
}

// List gives what is set, sorted by function and binding; fn "" means all
// functions of the agent. It needs no key.
func (s *Secrets) List(ctx context.Context, agentID, fn string) ([]Binding, error) {
	stored, err := s.cfg.Store.ListSecrets(ctx, agentID, fn)
	if err != nil {
		return nil, err
	}
	all := make([]Binding, 0, len(stored))
	for _, x := range stored {
		all = append(all, Binding{Function: x.Function, Binding: x.Binding, SetAt: x.SetAt})
	}
	return all, nil
}

// Missing gives those of the bindings that are not set, in their order.
func (s *Secrets) Missing(ctx context.Context, agentID, fn string, bindings []string) ([]string, error) {
	if len(bindings) == 0 {
		return nil, nil
	}
	set, err := s.List(ctx, agentID, fn)
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, name := range bindings {
		if !slices.ContainsFunc(set, func(b Binding) bool { return b.Function == fn && b.Binding == name }) {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

// Where says where the key lives, or would live: "keychain" or "file".
func (s *Secrets) Where() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.where
}

// Notice tells the owner when the key is a file beside the database; nil else.
func (s *Secrets) Notice() *contract.Notice {
	if s.Where() != InFile {
		return nil
	}
	return &contract.Notice{Kind: "warning", Code: "keychain_file",
		Message: "Secrets are encrypted with a key in a file of the data directory, because no keychain of the " +
			"operating system is used. Whoever can read that directory can read the secrets: keep it private."}
}

// open gives the box of the key that seals the stored secrets. Only where none
// are stored, and one is about to be, is there ever a new key: otherwise a key
// that cannot be found would silently make every secret unreadable.
func (s *Secrets) open(ctx context.Context, create bool) (*box, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.box != nil {
		return s.box, nil
	}
	rec, err := s.cfg.Store.SecretKey(ctx)
	if err != nil {
		return nil, err
	}
	count, err := s.cfg.Store.CountSecrets(ctx)
	if err != nil {
		return nil, err
	}
	b, err := s.load(ctx, rec)
	if err == nil {
		s.box = b
		return b, nil
	}
	if rec != nil && !errors.Is(err, errOtherKey) && !errors.Is(err, ErrNoKey) {
		return nil, unavailable("the key %s (%s) cannot be reached: %v. Unlock it and try again", rec.ID, rec.Where, err)
	}
	if count > 0 {
		return nil, unavailable("%d stored secrets are sealed and %v. Put the key back, or remove the secrets and set them anew", count, err)
	}
	if !create {
		return nil, unavailable("no key was made yet")
	}
	return s.create(ctx)
}

var errOtherKey = errors.New("another key is in its place")

func (s *Secrets) load(ctx context.Context, rec *KeyRecord) (*box, error) {
	if rec == nil {
		return nil, fmt.Errorf("the database does not say by which key: %w", ErrNoKey)
	}
	key, err := s.cfg.Keys.Load(ctx, rec.Where)
	if err != nil {
		return nil, fmt.Errorf("their key %s (%s): %w", rec.ID, rec.Where, err)
	}
	b, err := newBox(key)
	if err == nil && b.id != rec.ID {
		err = fmt.Errorf("their key %s (%s): %w", rec.ID, rec.Where, errOtherKey)
	}
	return b, err
}

func (s *Secrets) create(ctx context.Context) (*box, error) {
	key, where, err := s.cfg.Keys.Ensure(ctx)
	if err != nil {
		return nil, unavailable("no key can be made: %v", err)
	}
	b, err := newBox(key)
	if err != nil {
		return nil, unavailable("%v", err)
	}
	rec := KeyRecord{ID: b.id, Where: where, CreatedAt: s.cfg.Now().UTC().Truncate(time.Microsecond)}
	if err := s.cfg.Store.PutSecretKey(ctx, rec); err != nil {
		return nil, err
	}
	s.box, s.where = b, where
	return b, nil
}

func unavailable(format string, args ...any) error {
	return contract.Errorf(contract.SecretsUnavailable, "secrets: "+format, args...)
}

// maxBinding is the longest name of a secret in bytes.
const maxBinding = 256

func checkBinding(binding string) error {
	switch {
	case binding == "":
		return contract.Errorf(contract.InvalidRequest, "binding: the name of a secret is empty")
	case binding == "write":
		return contract.Errorf(contract.InvalidRequest, `binding: "write" is the permission to write secrets, not the name of one`)
	case len(binding) > maxBinding || !utf8.ValidString(binding),
		slices.ContainsFunc([]rune(binding), unicode.IsControl):
		return contract.Errorf(contract.InvalidRequest, "binding: the name of a secret is at most %d bytes of text without control characters", maxBinding)
	}
	return nil
}
