package content

import (
	"context"
	"encoding/base64"
	"strings"
	"time"

	"benchtop/backend/contract"
)

// ItemPage is one page of items without Bytes and SHA256, the newest first. An empty
// Cursor ends the list.
type ItemPage struct {
	Items  []Item
	Cursor string
}

// Items gives a page of what functions and the owner stored. Limit 0 is the
// default of 100; more than 1,000 is held there. Sources of functions are not
// among them.
func (c *Content) Items(ctx context.Context, agentID string, limit int, cursor string) (ItemPage, error) {
	before, id, err := parseItemCursor(cursor)
	if err != nil {
		return ItemPage{}, err
	}
	if limit <= 0 {
		limit = DefaultList
	}
	limit = min(limit, MaxList)
	items, err := c.cfg.Store.ListContent(ctx, agentID, before, id, limit+1) // one more tells whether there is another page
	if err != nil {
		return ItemPage{}, err
	}
	page := ItemPage{Items: items}
	if len(items) > limit {
		page.Items = items[:limit]
		last := items[limit-1]
		page.Cursor = base64.RawURLEncoding.EncodeToString([]byte(contract.FormatTime(last.CreatedAt) + " " + last.ID))
	}
	return page, nil
}

func parseItemCursor(cursor string) (before time.Time, id string, err error) {
	if cursor == "" {
		return before, "", nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	stamp, id, ok := strings.Cut(string(raw), " ")
	if err == nil {
		before, err = time.Parse(contract.Timestamp, stamp)
	}
	if _, isID := itemID(id); err != nil || !ok || !isID {
		return time.Time{}, "", contract.Errorf(contract.InvalidRequest, "content: the cursor is not one that a list gave")
	}
	return before, id, nil
}

// Remove deletes an item and reports whether there was one. The source of a
// function cannot be removed in this way.
func (c *Content) Remove(ctx context.Context, agentID, id string) (bool, error) {
	canonical, ok := itemID(id)
	if !ok {
		return false, nil
	}
	if err := c.writable(ctx, agentID, canonical); err != nil {
		return false, err
	}
	return c.cfg.Store.DeleteContent(ctx, agentID, canonical)
}
