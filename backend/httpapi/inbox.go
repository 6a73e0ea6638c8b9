package httpapi

import (
	"context"
	"strconv"

	"benchtop/backend/contract"
)

// Inbox is what functions told the owner.
type Inbox interface {
	Page(ctx context.Context, limit int, cursor string, unread bool) (contract.InboxPage, error)
	Read(ctx context.Context, id string) (unread int, err error)
}

// listInbox takes limit, cursor and unread=true.
func (a *api) listInbox(c *call) error {
	q := c.r.URL.Query()
	limit := 0
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return contract.Errorf(contract.InvalidRequest, "limit must be a whole number of 1 or more")
		}
		limit = n
	}
	page, err := a.deps.Inbox.Page(c.r.Context(), limit, q.Get("cursor"), q.Get("unread") == "true")
	if err != nil {
		return err
	}
	return c.ok(page)
}

// readInbox marks one message as read, or all of them.
func (a *api) readInbox(c *call) error {
	unread, err := a.deps.Inbox.Read(c.r.Context(), c.r.PathValue("id"))
	if err != nil {
		return err
	}
	return c.ok(contract.InboxReadResponse{OK: true, Unread: unread})
}
