package httpapi

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"benchtop/backend/content"
)

// ContentLinks opens signed addresses of content items. The item is nil when it
// is gone.
type ContentLinks interface {
	Open(ctx context.Context, agentID, id, expires, signature string) (it *content.Item, left time.Duration, err error)
}

// contentPolicy keeps what a function stored from acting as a page of ours.
const contentPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; frame-ancestors 'none'"

// shown are the types that a browser may show in place; the rest is a download.
var shown = map[string]bool{
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true, "image/avif": true,
	"text/plain": true, "audio/mpeg": true, "audio/ogg": true, "video/mp4": true, "video/webm": true,
}

// serveContentLink answers the address that ctx.portal.signContentUrl gives.
func (a *api) serveContentLink(c *call) error {
	q := c.r.URL.Query()
	it, left, err := a.deps.ContentLinks.Open(c.r.Context(), c.r.PathValue("agent"), c.r.PathValue("id"), q.Get("expires"), q.Get("signature"))
	if err != nil {
		return err
	}
	h := c.w.Header()
	disposition := "attachment"
	if base, _, err := mime.ParseMediaType(it.MimeType); err == nil && shown[base] {
		disposition = "inline"
	}
	if name := fileName(it.DisplayName); name != "" {
		if full := mime.FormatMediaType(disposition, map[string]string{"filename": name}); full != "" {
			disposition = full
		}
	}
	h.Set("Content-Disposition", disposition)
	h.Set("Content-Type", it.MimeType)
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // pages of agents show it
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cache-Control", "private, max-age="+strconv.Itoa(int(left.Seconds())))
	h.Set("ETag", `"`+it.SHA256+`"`)
	c.wrote = true
	http.ServeContent(c.w, c.r, "", it.CreatedAt, bytes.NewReader(it.Bytes))
	return nil
}

// fileName leaves of a display name what may name a file anywhere.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
}
