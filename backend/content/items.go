package content

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"benchtop/backend/contract"
)

const maxDisplayName = 512

// Get gives an item, or nil when the agent has none of that id.
func (c *Content) Get(ctx context.Context, agentID, id string) (*Item, error) {
	canonical, ok := itemID(id)
	if !ok {
		return nil, nil // no item can have it
	}
	// Sources come first: no item can stand in for what a function runs.
	if src, err := c.source(ctx, agentID, canonical); src != nil || err != nil {
		return src.item(agentID, canonical), err
	}
	return c.cfg.Store.Content(ctx, agentID, canonical)
}

// Put stores an item and gives it back as stored. Without an ID it is a new one;
// with one it takes that item's place.
func (c *Content) Put(ctx context.Context, it Item) (Item, error) {
	fresh := it.ID == ""
	if fresh {
		it.ID = c.cfg.NewID()
	}
	id, ok := itemID(it.ID)
	if !ok {
		return it, contract.Errorf(contract.InvalidRequest, "content.put: %.80q is no id of a content item: leave it out, or send one that content.put gave", it.ID)
	}
	it.ID = id
	if !fresh {
		if err := c.writable(ctx, it.AgentID, id); err != nil {
			return it, err
		}
	}
	if err := checkSize("content.put", len(it.Bytes)); err != nil {
		return it, err
	}
	if it.MimeType == "" {
		it.MimeType = typeOf(it.DisplayName, it.Bytes)
	}
	if !mimeForm.MatchString(it.MimeType) {
		return it, contract.Errorf(contract.InvalidRequest, "content.put: %.80q is no MIME type, such as text/plain", it.MimeType)
	}
	if len(it.DisplayName) > maxDisplayName || !utf8.ValidString(it.DisplayName) || strings.ContainsFunc(it.DisplayName, unicode.IsControl) {
		return it, contract.Errorf(contract.InvalidRequest, "content.put: displayName is one line of at most %d bytes", maxDisplayName)
	}
	it.Size, it.SHA256, it.CreatedAt = int64(len(it.Bytes)), sum(it.Bytes), c.now()
	return it, c.cfg.Store.PutContent(ctx, it)
}

// itemID gives the one spelling of an id; ok is false for what is no UUID.
func itemID(id string) (canonical string, ok bool) {
	if len(id) != 36 {
		return "", false
	}
	u, err := uuid.Parse(id)
	return u.String(), err == nil
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func (c *Content) now() time.Time { return c.cfg.Now().UTC().Truncate(time.Microsecond) }
