package httpapi

import (
	"context"
	"strings"
	"testing"
	"time"

	"benchtop/backend/content"
	"benchtop/backend/contract"
)

// fakeInbox has one message, m1.
type fakeInbox struct{}

func (fakeInbox) Page(_ context.Context, limit int, cursor string, unread bool) (contract.InboxPage, error) {
	if cursor == "bad" {
		return contract.InboxPage{}, contract.Errorf(contract.InvalidRequest, "cursor")
	}
	return contract.InboxPage{Messages: []contract.InboxMessage{{ID: "m1", Title: "T"}}, Unread: limit}, nil
}

func (fakeInbox) Read(_ context.Context, id string) (int, error) {
	if id != "" && id != "m1" && id != "ended" {
		return 0, contract.Errorf(contract.NotFound, "no message")
	}
	return 7, nil
}

// fakeLinks opens what is signed "good": an item whose type is its id.
type fakeLinks struct{}

func (fakeLinks) Open(_ context.Context, agentID, id, _, signature string) (*content.Item, time.Duration, error) {
	if signature != "good" {
		return nil, 0, contract.Errorf(contract.LinkInvalid, "the address was changed")
	}
	mimeType := map[string]string{"page": "text/html", "image": "image/png", "drawing": "image/svg+xml"}[id]
	return &content.Item{AgentID: agentID, ID: id, MimeType: mimeType, DisplayName: "a/ü\".x", Bytes: []byte("<script>"), Size: 8, SHA256: "ab"}, time.Minute, nil
}

func TestInbox(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		method, path string
		status       int
		says         string
	}{
		{"GET", "/api/local/inbox?limit=3", 200, `"unread":3`},
		{"GET", "/api/local/inbox?limit=x", 400, "limit"},
		{"GET", "/api/local/inbox?cursor=bad", 400, "cursor"},
		{"POST", "/api/local/inbox/read", 200, `"unread":7`},
		{"POST", "/api/local/inbox/m1/read", 200, `"unread":7`},
		{"POST", "/api/local/inbox/m2/read", 404, "NOT_FOUND"},
	} {
		r := w.do(w.owner(request{method: tt.method, path: tt.path}))
		if r.Code != tt.status || !strings.Contains(r.Body.String(), tt.says) {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, r.Code, r.Body)
		}
	}
}

// A signed address takes no session and serves any page's request, and what it
// gives cannot act as a page of ours.
func TestContentLink(t *testing.T) {
	w := newWorld(t)
	foreign := map[string]string{"Origin": "http://mia.localhost:4780", "Sec-Fetch-Site": "cross-site"}
	for id, disposition := range map[string]string{"page": "attachment", "image": "inline", "drawing": "attachment"} {
		r := w.do(request{method: "GET", path: "/api/content/a1/" + id + "?expires=1&signature=good", header: foreign})
		h := r.Header()
		if r.Code != 200 || r.Body.String() != "<script>" || !strings.HasPrefix(h.Get("Content-Disposition"), disposition) ||
			!strings.HasPrefix(h.Get("Content-Security-Policy"), "sandbox;") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", id, r.Code, h)
		}
		if strings.ContainsAny(h.Get("Content-Disposition"), "/") {
			t.Errorf("file name in %s", h.Get("Content-Disposition"))
		}
	}
	if r := w.do(request{method: "GET", path: "/api/content/a1/page?expires=1&signature=bad", header: foreign}); r.Code != 403 || !strings.Contains(r.Body.String(), "LINK_INVALID") {
		t.Errorf("a forged address: %d %s", r.Code, r.Body)
	}
	if r := w.do(request{method: "POST", path: "/api/content/a1/page", header: foreign}); r.Code != 403 {
		t.Errorf("a POST of a foreign page: %d", r.Code)
	}
}
