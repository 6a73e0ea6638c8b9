// Package drafts owns the unsaved texts of editors: what an author typed and did
// not save, kept by the platform so that no crash of the page, of the window or of
// the platform itself loses it. A draft names the version that it was begun from,
// so that what changed since shows as a conflict and is never overwritten.
package drafts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// maxName is the length of a name or file in bytes.
const maxName = 200

// ErrFull is what a store gives when an agent has more than it may.
var ErrFull = errors.New("the agent has as many drafts as it may have")

// Limits are what the drafts of one agent may come to.
type Limits struct {
	Count int
	Bytes int
}

// Store keeps drafts. Writes are durable when they return.
type Store interface {
	// PutDraft stores a draft or replaces it. It stores nothing and gives ErrFull
	// when the agent would then be over a limit.
	PutDraft(ctx context.Context, agentID string, d contract.Draft, most Limits) error
	// Drafts gives those of an agent by name and file.
	Drafts(ctx context.Context, agentID string) ([]contract.Draft, error)
	// DropDraft removes a draft; found is false when there is none.
	DropDraft(ctx context.Context, agentID, name, file string) (found bool, err error)
}

// Config is what New needs.
type Config struct {
	Store Store
	Now   func() time.Time
}

// Drafts are the unsaved texts of all agents.
type Drafts struct{ cfg Config }

// New makes Drafts over a store.
func New(cfg Config) *Drafts { return &Drafts{cfg} }

// List gives the drafts of an agent by name and file.
func (s *Drafts) List(ctx context.Context, agentID string) (contract.DraftList, error) {
	list, err := s.cfg.Store.Drafts(ctx, agentID)
	if list == nil {
		list = []contract.Draft{}
	}
	return contract.DraftList{Drafts: list}, err
}

// Put keeps a text in place of what was kept of that file, and says when.
func (s *Drafts) Put(ctx context.Context, agentID, name, file string, req contract.DraftRequest) (time.Time, error) {
	for _, part := range []struct{ what, text string }{{"name", name}, {"file", file}} {
		if part.text == "" || len(part.text) > maxName || !utf8.ValidString(part.text) || strings.ContainsFunc(part.text, unicode.IsControl) {
			return time.Time{}, contract.Errorf(contract.InvalidRequest, "the %s of a draft is 1 to %d bytes without control characters", part.what, maxName)
		}
	}
	for _, part := range []struct{ what, text string }{{"text", req.Text}, {"base.text", req.Base.Text}} {
		if len(part.text) > contract.MaxDraftBytes {
			return time.Time{}, contract.Errorf(contract.BodyTooLarge, "%s has %d bytes, %d are allowed", part.what, len(part.text), contract.MaxDraftBytes)
		}
	}
	if sum := sha256.Sum256([]byte(req.Base.Text)); req.Base.SHA256 != hex.EncodeToString(sum[:]) && (req.Base.SHA256 != "" || req.Base.Text != "") {
		return time.Time{}, contract.Errorf(contract.InvalidRequest, "base.sha256 must be the SHA-256 of base.text in hex, or both must be empty where no file is stored")
	}
	d := contract.Draft{Name: name, File: file, Text: req.Text, Base: req.Base, UpdatedAt: s.cfg.Now().UTC().Truncate(time.Microsecond)}
	err := s.cfg.Store.PutDraft(ctx, agentID, d, Limits{Count: contract.MaxDrafts, Bytes: contract.MaxDraftsBytes})
	if errors.Is(err, ErrFull) {
		return time.Time{}, contract.Errorf(contract.BodyTooLarge, "an agent keeps at most %d drafts of %d bytes together: save some, or throw some away", contract.MaxDrafts, contract.MaxDraftsBytes)
	}
	return d.UpdatedAt, err
}

// Drop removes a draft: its text was saved, or is not wanted. One that is not
// there is no error.
func (s *Drafts) Drop(ctx context.Context, agentID, name, file string) error {
	_, err := s.cfg.Store.DropDraft(ctx, agentID, name, file)
	return err
}
