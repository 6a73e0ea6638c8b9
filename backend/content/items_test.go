package content_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"benchtop/backend/content"
	"benchtop/backend/contract"
)

type shelf map[string]content.Item

func (s shelf) PutContent(_ context.Context, it content.Item) error {
	s[it.AgentID+it.ID] = it
	return nil
}
func (s shelf) Content(_ context.Context, agentID, id string) (*content.Item, error) {
	if it, ok := s[agentID+id]; ok {
		return &it, nil
	}
	return nil, nil
}
func (s shelf) ListContent(_ context.Context, agentID string, before time.Time, beforeID string, limit int) ([]content.Item, error) {
	var items []content.Item
	for _, it := range s {
		behind := before.IsZero() || it.CreatedAt.Before(before) || it.CreatedAt.Equal(before) && it.ID < beforeID
		if it.AgentID == agentID && behind {
			it.Bytes, it.SHA256 = nil, ""
			items = append(items, it)
		}
	}
	slices.SortFunc(items, func(a, b content.Item) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return items[:min(limit, len(items))], nil
}
func (s shelf) DeleteContent(_ context.Context, agentID, id string) (bool, error) {
	_, found := s[agentID+id]
	delete(s, agentID+id)
	return found, nil
}
func (s shelf) PutFolderFile(context.Context, string, string, content.File) error { return nil }
func (s shelf) FolderFile(context.Context, string, string, string) (*content.File, error) {
	return nil, nil
}
func (s shelf) ListFolderFiles(context.Context, string, string, string, string, int) ([]content.File, error) {
	return nil, nil
}

const anID = "0197a000-0000-7000-8000-000000000001"

func TestItems(t *testing.T) {
	for _, tt := range []struct {
		name string
		put  content.Item
		mime string
		code contract.Code
	}{
		{"text", content.Item{Bytes: []byte("hi")}, "text/plain", ""},
		{"bytes", content.Item{Bytes: []byte{0xff}}, "application/octet-stream", ""},
		{"nothing", content.Item{}, "text/plain", ""},
		{"by its name", content.Item{DisplayName: "a.JSON", Bytes: []byte("{}")}, "application/json", ""},
		{"said", content.Item{MimeType: "text/csv; charset=utf-8"}, "text/csv; charset=utf-8", ""},
		{"said wrongly", content.Item{MimeType: "text\r\nx-evil: 1"}, "", contract.InvalidRequest},
		{"with an id", content.Item{ID: strings.ToUpper(anID)}, "text/plain", ""},
		{"with no id", content.Item{ID: "../../etc"}, "", contract.InvalidRequest},
		{"a name of two lines", content.Item{DisplayName: "a\nb"}, "", contract.InvalidRequest},
		{"a long name", content.Item{DisplayName: strings.Repeat("x", 513)}, "", contract.InvalidRequest},
		{"most bytes", content.Item{Bytes: make([]byte, contract.MaxContentBytes)}, "text/plain", ""},
		{"one more", content.Item{Bytes: make([]byte, contract.MaxContentBytes+1)}, "", contract.BodyTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := content.New(content.Config{Store: shelf{}, Now: time.Now, NewID: func() string { return anID }})
			tt.put.AgentID = "a"
			put, err := c.Put(ctx, tt.put)
			if code(err) != tt.code {
				t.Fatalf("error %v, want %q", err, tt.code)
			}
			if tt.code != "" {
				return
			}
			if put.ID != anID || put.MimeType != tt.mime || put.Size != int64(len(tt.put.Bytes)) || len(put.SHA256) != 64 || put.CreatedAt.IsZero() {
				t.Errorf("stored %+v", put)
			}
			for _, id := range []string{anID, strings.ToUpper(anID)} {
				if got, err := c.Get(ctx, "a", id); err != nil || got == nil || string(got.Bytes) != string(tt.put.Bytes) {
					t.Errorf("get %s: %+v, %v", id, got, err)
				}
			}
			for _, other := range [][2]string{{"b", anID}, {"a", "x"}, {"a", "{" + anID + "}"}} {
				if got, err := c.Get(ctx, other[0], other[1]); got != nil || err != nil {
					t.Errorf("get %v: %+v, %v", other, got, err)
				}
			}
		})
	}
}

// Pages of items neither repeat nor lose one, also of one time.
func TestItemPages(t *testing.T) {
	s, n := shelf{}, 0
	c := content.New(content.Config{Store: s, Now: func() time.Time { return time.Unix(int64(1000+n/3), 0) }, NewID: func() string {
		n++
		return fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
	}})
	for range 10 {
		if _, err := c.Put(t.Context(), content.Item{AgentID: "a", DisplayName: "x.txt", Bytes: []byte("x")}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Put(t.Context(), content.Item{AgentID: "b", Bytes: []byte("theirs")}); err != nil {
		t.Fatal(err)
	}
	for limit := 1; limit <= 11; limit++ {
		seen, cursor := map[string]bool{}, ""
		for more := true; more; more = cursor != "" {
			page, err := c.Items(t.Context(), "a", limit, cursor)
			if err != nil || len(page.Items) > limit {
				t.Fatalf("%d items, %v", len(page.Items), err)
			}
			for _, it := range page.Items {
				if seen[it.ID] || it.AgentID != "a" || it.Bytes != nil {
					t.Errorf("limit %d: %+v", limit, it)
				}
				seen[it.ID] = true
			}
			cursor = page.Cursor
		}
		if len(seen) != 10 {
			t.Errorf("limit %d: %d items", limit, len(seen))
		}
	}
	for _, bad := range []string{"x", "!", "MjAyNg"} {
		if _, err := c.Items(t.Context(), "a", 5, bad); contract.AsError(err) == nil {
			t.Errorf("cursor %q: %v", bad, err)
		}
	}
	first := "00000000-0000-4000-8000-000000000001"
	for _, want := range []bool{true, false} {
		if removed, err := c.Remove(t.Context(), "a", first); removed != want || err != nil {
			t.Errorf("removed %v, %v", removed, err)
		}
	}
	if removed, err := c.Remove(t.Context(), "a", "../x"); removed || err != nil {
		t.Errorf("no id: %v, %v", removed, err)
	}
}
