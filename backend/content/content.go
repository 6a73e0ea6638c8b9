// Package content owns what functions keep as files: content items, and the
// files of folders that a manifest binds to an alias (spec 2.5, contract.md 2.3
// and 2.9). A folder lies in the store, or it is a directory of this machine.
package content

import (
	"context"
	"time"
)

// Item is a content item of an agent. ID is a UUID.
type Item struct {
	AgentID     string
	ID          string
	MimeType    string
	DisplayName string
	Bytes       []byte
	Size        int64
	SHA256      string // of Bytes, in hexadecimal
	CreatedAt   time.Time
}

// File is a file of a folder. Bytes is nil in lists.
type File struct {
	Name     string
	MimeType string
	Bytes    []byte
	Size     int64
	SHA256   string // of Bytes, in hexadecimal; empty in a directory of this machine
	Modified time.Time
}

// Folder is where a binding leads: a folder of the agent in the store, or with
// a Path a directory of this machine. A folder of the store needs no making: one
// that nobody has written to is empty.
type Folder struct {
	AgentID string
	ID      string
	Path    string
}

// Source is the source of a version of a function. It is a content item too, one
// that nobody writes: File is its name, such as functions/greet/index.js.
type Source struct {
	Function  string
	Version   int
	File      string
	Text      string
	CreatedAt time.Time
}

// Store keeps items and the files of folders; both belong to one agent, and
// another one's ids lead nowhere. Writes are durable when they return.
type Store interface {
	// PutContent stores an item, in place of one with its id.
	PutContent(ctx context.Context, it Item) error
	// Content gives nil when there is none.
	Content(ctx context.Context, agentID, id string) (*Item, error)
	// ListContent gives up to limit items, the newest first and of one time those
	// with the greatest id, without bytes and SHA256: those behind the given
	// place, which is none for a zero time.
	ListContent(ctx context.Context, agentID string, before time.Time, beforeID string, limit int) ([]Item, error)
	// DeleteContent reports whether there was one.
	DeleteContent(ctx context.Context, agentID, id string) (bool, error)
	// PutFolderFile stores a file, in place of one with its name.
	PutFolderFile(ctx context.Context, agentID, folderID string, f File) error
	// FolderFile gives nil when there is none.
	FolderFile(ctx context.Context, agentID, folderID, name string) (*File, error)
	// ListFolderFiles gives up to limit files with the prefix and a name after
	// the given one, in byte order of names, without their bytes.
	ListFolderFiles(ctx context.Context, agentID, folderID, prefix, after string, limit int) ([]File, error)
}

// Config is what New needs. Home gives the project folder of an agent, empty
// when it has none; relative paths of local folders begin there. Open are the
// directories that bindings with an absolute path may lie in: nothing by
// default, because a manifest comes with a project and must not open the rest
// of the machine to it. Source gives the source of a function that an id names,
// nil when it names none; without it there are no sources.
type Config struct {
	Store Store
	Home  func(agentID string) string
	Open  []string
	Now   func() time.Time
	NewID func() string

	Source func(ctx context.Context, agentID, id string) (*Source, error)
}

// Content is the content of all agents.
type Content struct{ cfg Config }

// New makes a Content over a store.
func New(cfg Config) *Content { return &Content{cfg} }
