package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/inbox"
)

// Messages come newest first in pages that neither repeat nor lose one, only the
// newest are kept, and what was read stays read.
func testInbox(t *testing.T, s Stores) {
	now := time.Date(2026, 3, 1, 10, 0, 0, 1000, time.UTC)
	var told []contract.InboxMessage
	box := func() *inbox.Inbox {
		return inbox.New(inbox.Config{
			Store: s.Inbox, Now: func() time.Time { return now }, NewID: func() string { return fmt.Sprint("m", len(told)) },
			Publish: func(_ contract.EventName, data any) { told = append(told, data.(contract.InboxMessage)) },
		})
	}
	for i := range inbox.Kept + 3 {
		must(t, box().Add(ctx, contract.InboxMessage{AgentID: "a", Function: "f", Title: fmt.Sprint("n", i), Body: "ü", Severity: "warn", DeepLink: "/runs"}))
	}
	s = s.Reopen(t)
	var titles []string
	for cursor := ""; ; {
		page, err := box().Page(ctx, 190, cursor, false)
		must(t, err)
		if page.Unread != inbox.Kept {
			t.Fatalf("%d unread", page.Unread)
		}
		for _, m := range page.Messages {
			titles = append(titles, m.Title)
			if m.Severity != contract.SeverityWarning || m.Body != "ü" || m.DeepLink != "/runs" || !m.CreatedAt.Equal(now) || m.ReadAt != nil {
				t.Fatalf("%+v", m)
			}
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if len(titles) != inbox.Kept || titles[0] != "n1002" || titles[len(titles)-1] != "n3" {
		t.Errorf("%d messages from %s to %s", len(titles), titles[0], titles[len(titles)-1])
	}
	unread, err := box().Read(ctx, "m1002")
	must(t, err)
	page, err := box().Page(ctx, 1, "", true)
	must(t, err)
	if unread != inbox.Kept-1 || page.Messages[0].Title != "n1001" {
		t.Errorf("%d unread, the newest of them %+v", unread, page.Messages)
	}
	if unread, err = box().Read(ctx, ""); unread != 0 || err != nil {
		t.Errorf("all read: %d %v", unread, err)
	}
	if _, err := box().Read(ctx, "m0"); contract.AsError(err) == nil || contract.AsError(err).Code != contract.NotFound {
		t.Errorf("a message that is gone: %v", err)
	}
	for _, m := range []contract.InboxMessage{
		{}, {Title: " "}, {Title: "two\nlines"}, {Title: strings.Repeat("x", inbox.MaxTitle+1)}, {Title: "t", Body: strings.Repeat("x", inbox.MaxBody+1)},
		{Title: "t", Severity: "loud"}, {Title: "t", DeepLink: "javascript:alert(1)"}, {Title: "t", DeepLink: "//evil.org"}, {Title: "t", DeepLink: "/\\evil.org"},
		{Title: "t", DeepLink: "https://u:p@evil.org"}, {Title: "t", DeepLink: "data:text/html,x"}, {Title: "t", DeepLink: "/a b"}, {Title: "\xff"},
	} {
		if err := box().Add(ctx, m); contract.AsError(err) == nil || contract.AsError(err).Code != contract.InvalidRequest {
			t.Errorf("%+v: %v", m, err)
		}
	}
	if _, err := box().Page(ctx, 1, "!", false); contract.AsError(err) == nil {
		t.Errorf("a cursor that is none: %v", err)
	}
}
