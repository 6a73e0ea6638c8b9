// Package snapshot keeps copies of a data directory's database and puts them
// back: everything the platform knows, but for the folders of projects, which
// are their owner's, and the keys, which never leave their place. Secrets are in
// a copy as they are stored, sealed under a key that is not in it.
package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/secrets"
	"benchtop/backend/sqlite"
)

const (
	database = "benchtop.db"
	folder   = "snapshots"
	ending   = ".db"
)

// Config says which data directory. Keys is where the key of its secrets is.
type Config struct {
	Dir  string
	Keys func() (secrets.KeySource, error)
	Now  func() time.Time
	Log  *slog.Logger
}

// Snapshots are those of one data directory.
type Snapshots struct{ cfg Config }

// New looks at nothing yet.
func New(cfg Config) *Snapshots { return &Snapshots{cfg} }

// Info is one snapshot.
type Info struct {
	Name  string    `json:"name"`
	Path  string    `json:"path"`
	Bytes int64     `json:"bytes"`
	At    time.Time `json:"at"`
}

// Loaded is what loading did: Before is the snapshot of what was there, to undo
// it with, empty when nothing was. Dropped are secrets that had to be left out.
type Loaded struct {
	Name    string   `json:"name"`
	Before  string   `json:"before,omitempty"`
	Dropped []Secret `json:"dropped"`
}

// Secret names a secret.
type Secret struct {
	AgentID  string `json:"agentId"`
	Function string `json:"function"`
	Binding  string `json:"binding"`
}

var grammar = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$`)

// Save copies the database under a name that is not used yet; an empty one is
// made of the time. The platform may run meanwhile.
func (s *Snapshots) Save(ctx context.Context, name string) (Info, error) {
	if name == "" {
		name = s.stamped("snapshot")
	}
	path, err := s.path(name)
	if err != nil {
		return Info{}, err
	}
	if _, err := os.Lstat(path); err == nil {
		return Info{}, contract.Errorf(contract.EntryExists, "there is a snapshot %s already; choose another name", name)
	}
	if _, err := os.Stat(s.database()); errors.Is(err, fs.ErrNotExist) {
		return Info{}, contract.Errorf(contract.NotFound, "%s has no database yet; there is nothing to save", s.cfg.Dir)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return Info{}, err
	}
	if err := sqlite.Copy(ctx, s.database(), path); err != nil {
		return Info{}, err
	}
	return s.info(name)
}

// List gives the snapshots, the newest first.
func (s *Snapshots) List() ([]Info, error) {
	entries, err := os.ReadDir(filepath.Join(s.cfg.Dir, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return []Info{}, nil
	}
	all := []Info{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ending)
		if !ok || !grammar.MatchString(name) {
			continue
		}
		one, err := s.info(name)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Info) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Name, b.Name)) })
	return all, err
}

// Remove deletes a snapshot.
func (s *Snapshots) Remove(name string) error {
	if _, err := s.info(name); err != nil {
		return err
	}
	path, err := s.path(name)
	if err != nil {
		return err
	}
	return os.Remove(path)
}

// Load puts a snapshot in the place of the database, at once: whoever looks sees
// the one or the other. What was there becomes a snapshot itself. The caller
// holds the data directory. Secrets that the key of this directory does not open
// keep a snapshot from being loaded, unless they may be dropped.
func (s *Snapshots) Load(ctx context.Context, name string, drop bool) (done Loaded, err error) {
	done = Loaded{Name: name, Dropped: []Secret{}}
	if _, err := s.info(name); err != nil {
		return done, err
	}
	from, err := s.path(name)
	if err != nil {
		return done, err
	}
	work, err := os.MkdirTemp(s.cfg.Dir, ".load-*")
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	next := filepath.Join(work, database)
	if err := sqlite.Copy(ctx, from, next); err != nil {
		return done, err
	}
	if done.Dropped, err = s.fit(ctx, next, drop); err != nil {
		return done, err
	}
	if err := sqlite.Fold(ctx, next); err != nil {
		return done, err
	}
	if done.Before, err = s.aside(ctx, "before-load", sqlite.Copy); err != nil {
		return done, err
	}
	return done, os.Rename(next, s.database())
}

// Reset takes the database away, so that the next start makes a new one. It
// becomes a snapshot, whose name is given; empty when there was none. The caller
// holds the data directory.
func (s *Snapshots) Reset(ctx context.Context) (string, error) {
	return s.aside(ctx, "before-reset", func(_ context.Context, from, to string) error { return os.Rename(from, to) })
}

// aside makes a snapshot of what is there, by copying or moving it.
func (s *Snapshots) aside(ctx context.Context, why string, put func(ctx context.Context, from, to string) error) (string, error) {
	if _, err := os.Stat(s.database()); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err := sqlite.Fold(ctx, s.database()); err != nil {
		return "", err
	}
	name := s.stamped(why)
	path, err := s.path(name)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return name, put(ctx, s.database(), path)
}

// fit brings a copy up to date and looks whether its secrets can be opened here.
func (s *Snapshots) fit(ctx context.Context, path string, drop bool) (dropped []Secret, err error) {
	db, err := sqlite.Open(ctx, sqlite.Config{Path: path, Now: s.cfg.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	damage, err := db.Check(ctx)
	if err == nil && len(damage) > 0 {
		err = contract.Errorf(contract.InvalidRequest, "the snapshot is damaged: %s", damage[0])
	}
	if err != nil {
		return nil, err
	}
	dropped = []Secret{}
	n, err := db.CountSecrets(ctx)
	if err != nil || n == 0 {
		return dropped, err
	}
	keys, err := s.cfg.Keys()
	if err != nil {
		return nil, err
	}
	sealed, err := secrets.New(ctx, secrets.Config{Store: db, Keys: keys, Now: s.cfg.Now})
	if err != nil {
		return nil, err
	}
	cannot := sealed.Check(ctx)
	if cannot == nil {
		return dropped, nil
	}
	if !drop {
		return nil, fmt.Errorf("%w; or load it without its secrets, which then have to be set again", cannot)
	}
	agents, err := db.ListAgents(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range agents {
		list, err := db.ListSecrets(ctx, a.ID, "")
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			if _, err := db.DeleteSecret(ctx, x.AgentID, x.Function, x.Binding); err != nil {
				return nil, err
			}
			dropped = append(dropped, Secret{x.AgentID, x.Function, x.Binding})
		}
	}
	return dropped, nil
}

func (s *Snapshots) database() string { return filepath.Join(s.cfg.Dir, database) }

func (s *Snapshots) stamped(what string) string {
	return what + "-" + s.cfg.Now().UTC().Format("20060102-150405.000")
}

func (s *Snapshots) path(name string) (string, error) {
	if !grammar.MatchString(name) {
		return "", contract.Errorf(contract.InvalidRequest, "%.100q cannot name a snapshot; use letters, digits, -, _ and .", name)
	}
	return filepath.Join(s.cfg.Dir, folder, name+ending), nil
}

func (s *Snapshots) info(name string) (Info, error) {
	path, err := s.path(name)
	if err != nil {
		return Info{}, err
	}
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Info{}, contract.Errorf(contract.NotFound, "there is no snapshot %s", name)
	}
	if err != nil {
		return Info{}, err
	}
	return Info{Name: name, Path: path, Bytes: st.Size(), At: st.ModTime()}, nil
}
