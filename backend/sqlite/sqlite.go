// Package sqlite keeps everything the platform stores in one SQLite file: one
// file of this package per noun, each implementing that noun's Store. Writes
// go through one goroutine that commits them in groups; reads have connections
// of their own.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// Config says which file to open. Path is made with mode 0600 when absent; its
// directory must be there.
type Config struct {
	Path string
	Now  func() time.Time
	Log  *slog.Logger
}

// DB is an open database. All its methods may be called concurrently; after
// Close they fail with STORAGE_UNAVAILABLE.
type DB struct {
	path    string
	log     *slog.Logger
	writer  *writer
	readers *readers
	kinds   kinds // of the history's rows
}

// Open opens the database, makes it when there is none, and brings its schema
// up to date. A database of a newer program or of another one is refused.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	steps, err := migrations(migrationFiles)
	if err != nil {
		return nil, err
	}
	return open(ctx, cfg, steps)
}

func open(ctx context.Context, cfg Config, steps []migration) (*DB, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	path, err := filepath.Abs(cfg.Path)
	if err != nil {
		return nil, err
	}
	// SQLite gives the -wal and -shm files the mode of the database.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	c, err := dial(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", path, outcome(err))
	}
	if err := prepare(c, path, steps, cfg.Log); err != nil {
		_ = c.close() // the first error is the one to tell
		return nil, fmt.Errorf("open the database %s: %w", path, outcome(err))
	}
	db := &DB{path: path, log: cfg.Log, writer: newWriter(c, path, cfg.Log), readers: newReaders(path)}
	return db, nil
}

func prepare(c *conn, path string, steps []migration, log *slog.Logger) error {
	if err := c.script(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;
		PRAGMA temp_store=MEMORY; PRAGMA cache_size=-8192; PRAGMA wal_autocheckpoint=0`); err != nil {
		return err
	}
	if err := migrate(c, path, steps, log); err != nil {
		return err
	}
	return c.script("PRAGMA foreign_keys=ON")
}

// Close writes what is queued and closes the file. It may be called again.
func (db *DB) Close() error {
	err := db.readers.close()
	return errors.Join(err, db.writer.close())
}
