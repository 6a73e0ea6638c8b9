package httpapi

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"time"

	"benchtop/backend/content"
	"benchtop/backend/contract"
)

// Content is what functions keep as files.
type Content interface {
	Items(ctx context.Context, agentID string, limit int, cursor string) (content.ItemPage, error)
	Get(ctx context.Context, agentID, id string) (*content.Item, error)
	Put(ctx context.Context, it content.Item) (content.Item, error)
	Remove(ctx context.Context, agentID, id string) (bool, error)

	List(ctx context.Context, at content.Folder, q content.ListQuery) (content.Page, error)
	Read(ctx context.Context, at content.Folder, name string) (*content.File, error)
}

// listContent answers a page of items, the newest first.
func (a *api) listContent(c *call) error {
	q := c.r.URL.Query()
	limit, err := limitIn(q, content.MaxList)
	if err != nil {
		return err
	}
	page, err := a.deps.Content.Items(c.r.Context(), c.agent.ID, limit, q.Get("cursor"))
	if err != nil {
		return err
	}
	out := contract.ContentPage{Items: make([]contract.ContentItem, 0, len(page.Items))}
	for i := range page.Items {
		out.Items = append(out.Items, contentItem(&page.Items[i]))
	}
	if page.Cursor != "" {
		out.NextCursor = &page.Cursor
	}
	return c.ok(out)
}

func contentItem(it *content.Item) contract.ContentItem {
	return contract.ContentItem{ID: it.ID, MimeType: it.MimeType, DisplayName: it.DisplayName, Size: it.Size, CreatedAt: it.CreatedAt.UTC()}
}

// putContent stores the body as an item: name and type are in the query, because
// the body is the bytes themselves. Without a type it is guessed from the name.
// With an id it takes the place of that item, whose addresses then give the new
// bytes; it has to be there, because an id is nothing that a caller makes up.
func (a *api) putContent(c *call) error {
	body, err := readAll(c.r)
	if err != nil {
		return bodyError(err)
	}
	_ = http.NewResponseController(c.w).SetReadDeadline(time.Time{})
	q := c.r.URL.Query()
	id := q.Get("id")
	if id != "" {
		if err := a.isItem(c, id); err != nil {
			return err
		}
	}
	it, err := a.deps.Content.Put(c.r.Context(), content.Item{
		AgentID: c.agent.ID, ID: id, MimeType: q.Get("type"), DisplayName: q.Get("name"), Bytes: body,
	})
	if err != nil {
		return err
	}
	return c.ok(contentItem(&it))
}

func (a *api) isItem(c *call, id string) error {
	it, err := a.deps.Content.Get(c.r.Context(), c.agent.ID, id)
	if err == nil && it == nil {
		err = noItem(c, id)
	}
	return err
}

func noItem(c *call, id string) error {
	return contract.Errorf(contract.NotFound, "no content item of %s has the id %.64q", c.agent.Username, id)
}

// getContent answers the bytes of an item, as a download.
func (a *api) getContent(c *call) error {
	id := c.r.PathValue("id")
	it, err := a.deps.Content.Get(c.r.Context(), c.agent.ID, id)
	if err == nil && it == nil {
		err = noItem(c, id)
	}
	if err != nil {
		return err
	}
	c.download(it.DisplayName, it.MimeType, it.CreatedAt, it.Bytes)
	return nil
}

// download answers bytes that somebody else chose: never as a page of ours.
func (c *call) download(name, mimeType string, modified time.Time, b []byte) {
	h := c.w.Header()
	disposition := "attachment"
	if name = fileName(name); name != "" {
		if full := mime.FormatMediaType(disposition, map[string]string{"filename": name}); full != "" {
			disposition = full
		}
	}
	h.Set("Content-Disposition", disposition)
	h.Set("Content-Type", mimeType)
	h.Set("Content-Security-Policy", contentPolicy)
	h["Cache-Control"] = noStore
	c.wrote = true
	http.ServeContent(c.w, c.r, "", modified, bytes.NewReader(b))
}

func (a *api) deleteContent(c *call) error {
	removed, err := a.deps.Content.Remove(c.r.Context(), c.agent.ID, c.r.PathValue("id"))
	if err != nil {
		return err
	}
	return c.ok(contract.RevokeResponse{OK: true, Removed: removed})
}
