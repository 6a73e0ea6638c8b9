// Package inbox owns what functions tell the owner (contract.md 2.9,
// ctx.portal.notifyOwner): messages, their rules and whether they were read. What
// is in one comes from a function that may be hostile; it is text and stays text.
package inbox

import (
	"context"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// Bounds in bytes, and of how many messages are kept: the oldest go.
const (
	MaxTitle = 200
	MaxBody  = 8 * contract.KB
	MaxLink  = 2 * contract.KB
	Kept     = 1000
)

// Query asks for a page, the newest first. Before is the number of the message
// that the page before ended with, 0 for the first page.
type Query struct {
	Limit  int
	Before int64
	Unread bool
}

// Row is a message with its place in the order of arrival.
type Row struct {
	Seq int64
	contract.InboxMessage
}

// Store keeps messages. Writes are durable when they return.
type Store interface {
	// AddMessage stores a message and drops all but the newest keep.
	AddMessage(ctx context.Context, m contract.InboxMessage, keep int) error
	Messages(ctx context.Context, q Query) ([]Row, error)
	// Unread counts the messages that were not read.
	Unread(ctx context.Context) (int, error)
	// MarkRead marks one message, or all for an empty id. Found is false when
	// there is none of that id.
	MarkRead(ctx context.Context, id string, at time.Time) (found bool, err error)
}

// Config is what New needs. Publish is told of each new message.
type Config struct {
	Store   Store
	Publish func(contract.EventName, any)
	Now     func() time.Time
	NewID   func() string
}

// Inbox is the owner's inbox.
type Inbox struct{ cfg Config }

// New makes an Inbox over a store.
func New(cfg Config) *Inbox { return &Inbox{cfg} }

// severities are the words that functions use, and what they stand for.
var severities = map[string]string{
	"": contract.SeverityInfo, "info": contract.SeverityInfo, "success": contract.SeverityInfo,
	"warn": contract.SeverityWarning, "warning": contract.SeverityWarning,
	"error": contract.SeverityError, "critical": contract.SeverityError,
}

// Add checks and stores a message, and tells of it.
func (b *Inbox) Add(ctx context.Context, m contract.InboxMessage) error {
	m.Title = strings.TrimSpace(m.Title)
	severity, known := severities[m.Severity]
	switch {
	case m.Title == "" || len(m.Title) > MaxTitle || !utf8.ValidString(m.Title) || strings.ContainsFunc(m.Title, unicode.IsControl):
		return contract.Errorf(contract.InvalidRequest, "notifyOwner: title is one line of 1 to %d bytes", MaxTitle)
	case len(m.Body) > MaxBody || !utf8.ValidString(m.Body):
		return contract.Errorf(contract.InvalidRequest, "notifyOwner: body has %d bytes, %d are allowed", len(m.Body), MaxBody)
	case !known:
		return contract.Errorf(contract.InvalidRequest, "notifyOwner: severity is info, warning or error, not %.40q", m.Severity)
	case !safeLink(m.DeepLink):
		return contract.Errorf(contract.InvalidRequest, "notifyOwner: deepLink is a path such as /runs or an http(s) address")
	}
	m.ID, m.Severity, m.CreatedAt, m.ReadAt = b.cfg.NewID(), severity, b.now(), nil
	if err := b.cfg.Store.AddMessage(ctx, m, Kept); err != nil {
		return err
	}
	b.cfg.Publish(contract.EvInboxMessage, m)
	return nil
}

// safeLink lets nothing through that a browser would run or take for another
// place than it looks like.
func safeLink(link string) bool {
	if link == "" {
		return true
	}
	if len(link) > MaxLink || strings.ContainsAny(link, "\\") || strings.ContainsFunc(link, func(r rune) bool { return r <= ' ' || r == 0x7f || r == utf8.RuneError }) {
		return false
	}
	if strings.HasPrefix(link, "/") {
		return !strings.HasPrefix(link, "//")
	}
	u, err := url.Parse(link)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

// Page gives messages, the newest first. A limit of 0 is the default.
func (b *Inbox) Page(ctx context.Context, limit int, cursor string, unread bool) (contract.InboxPage, error) {
	out := contract.InboxPage{Messages: []contract.InboxMessage{}}
	if limit <= 0 {
		limit = contract.DefaultPage
	}
	limit = min(limit, contract.MaxPage)
	before, err := parseCursor(cursor)
	if err != nil {
		return out, err
	}
	rows, err := b.cfg.Store.Messages(ctx, Query{Limit: limit + 1, Before: before, Unread: unread})
	if err != nil {
		return out, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		next := base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(rows[limit-1].Seq, 10)))
		out.NextCursor = &next
	}
	for _, r := range rows {
		out.Messages = append(out.Messages, r.InboxMessage)
	}
	out.Unread, err = b.cfg.Store.Unread(ctx)
	return out, err
}

func parseCursor(cursor string) (int64, error) {
	if cursor == "" {
		return 0, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		var n int64
		if n, err = strconv.ParseInt(string(text), 10, 64); err == nil && n > 0 {
			return n, nil
		}
	}
	return 0, contract.Errorf(contract.InvalidRequest, "cursor is none that a page of the inbox gave")
}

// Read marks a message as read, or all of them for an empty id, and gives how
// many are still unread.
func (b *Inbox) Read(ctx context.Context, id string) (unread int, err error) {
	found, err := b.cfg.Store.MarkRead(ctx, id, b.now())
	if err != nil {
		return 0, err
	}
	if !found && id != "" {
		return 0, contract.Errorf(contract.NotFound, "the inbox has no message %.64q", id)
	}
	return b.cfg.Store.Unread(ctx)
}

func (b *Inbox) now() time.Time { return b.cfg.Now().UTC().Truncate(time.Microsecond) }
