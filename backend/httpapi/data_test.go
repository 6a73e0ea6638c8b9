package httpapi

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"benchtop/backend/content"
	"benchtop/backend/contract"
	"benchtop/backend/kv"
)

// fakeKV has one key, k, in every namespace, and notes what it is told to store.
type fakeKV struct{ w *world }

func (fakeKV) Namespaces(context.Context, string) ([]kv.Filled, error) {
	return []kv.Filled{{Namespace: kv.Namespace{Scope: "agent"}, Items: 1}}, nil
}
func (fakeKV) List(context.Context, kv.Namespace, kv.ListQuery) (kv.Page, error) {
	return kv.Page{Items: []kv.Item{{Key: "k"}}, Cursor: "more"}, nil
}
func (fakeKV) Item(_ context.Context, _ kv.Namespace, key string) (*kv.Item, error) {
	if key != "k" {
		return nil, nil
	}
	return &kv.Item{Key: "k", Value: json.RawMessage(`{"a":1}`), ExpiresAt: time.Unix(1, 0)}, nil
}
func (f fakeKV) Put(_ context.Context, ns kv.Namespace, key string, value json.RawMessage, ttl time.Duration) error {
	f.w.stored = append(f.w.stored, strings.Join([]string{ns.Function, ns.Scope, key, string(value), ttl.String()}, " "))
	return nil
}
func (f fakeKV) PutIfAbsent(ctx context.Context, ns kv.Namespace, key string, value json.RawMessage, ttl time.Duration) (bool, error) {
	return key != "k", f.Put(ctx, ns, key+"?", value, ttl)
}
func (f fakeKV) Replace(ctx context.Context, ns kv.Namespace, key string, was, value json.RawMessage, ttl time.Duration) (bool, error) {
	return true, f.Put(ctx, ns, key+" for "+string(was), value, ttl)
}
func (fakeKV) Delete(context.Context, kv.Namespace, string) error { return nil }

// fakeContent has one item, "ended", and one file in every folder, f.txt.
type fakeContent struct{ w *world }

var htmlItem = content.Item{ID: "ended", MimeType: "text/html", DisplayName: "../a\"b.html", Bytes: []byte("<script>"), Size: 8}

func (fakeContent) Items(context.Context, string, int, string) (content.ItemPage, error) {
	return content.ItemPage{Items: []content.Item{htmlItem}}, nil
}
func (fakeContent) Get(_ context.Context, _, id string) (*content.Item, error) {
	if id != htmlItem.ID {
		return nil, nil
	}
	return &htmlItem, nil
}
func (fakeContent) Put(_ context.Context, it content.Item) (content.Item, error) {
	if it.ID == "" {
		it.ID = "new"
	}
	it.Size = int64(len(it.Bytes))
	return it, nil
}
func (fakeContent) Remove(_ context.Context, _, id string) (bool, error) { return id == "ended", nil }
func (fakeContent) List(_ context.Context, at content.Folder, _ content.ListQuery) (content.Page, error) {
	if at.Path != "" {
		return content.Page{}, contract.Errorf(contract.PermissionDenied, "not there")
	}
	return content.Page{Files: []content.File{{Name: "f.txt"}}}, nil
}
func (fakeContent) Read(_ context.Context, _ content.Folder, name string) (*content.File, error) {
	if name != "f.txt" {
		return nil, nil
	}
	return &content.File{Name: name, MimeType: "text/plain", Bytes: []byte("f")}, nil
}

func TestKVWrites(t *testing.T) {
	w := newWorld(t)
	const path = "/api/local/agents/mia/kv/items"
	put := func(body string) request { return w.owner(request{method: "PUT", path: path, body: body}) }
	for body, want := range map[string]string{
		`{"function":"greet","items":[{"key":"a","value":[1, 2]},{"key":"b","value":null,"ttlSeconds":1.5}]}`: "greet fn a [1, 2] 0s|greet fn b null 1.5s",
		`{"scope":"agent","items":[{"key":"a","value":"x"}]}`:                                                 " agent a \"x\" 0s",
		`{"function":"greet","scope":"fn:visitor:v","items":[{"key":"k","value":1}],"keepExisting":true}`:     "greet fn:visitor:v k? 1 0s",
	} {
		w.stored = nil
		if rec := w.do(put(body)); rec.Code != 200 || strings.Join(w.stored, "|") != want {
			t.Errorf("%s: %d %s, stored %q, want %q", body, rec.Code, rec.Body, w.stored, want)
		}
	}
	w.stored = nil
	many := strings.Repeat(`{"key":"a","value":1},`, contract.MaxKVWrite) + `{"key":"a","value":1}`
	for _, body := range []string{
		`{"function":"greet","items":[]}`, `{"function":"greet","items":[` + many + `]}`, `{"items":[{"key":"a","value":1}]}`,
		`{"function":"greet","items":[{"value":1}]}`, `{"function":"greet","items":[{"key":"a"}]}`,
		`{"function":"greet","items":[{"key":"good","value":1},{"key":"a","value":1,"ttlSeconds":0.5}]}`,
		`{"function":"greet","items":[{"key":"a","value":1,"ttlSeconds":-1}]}`, `{"function":"greet","items":[{"key":"` + strings.Repeat("x", 1025) + `","value":1}]}`,
		`{"function":"greet","scope":"app","items":[{"key":"a","value":1}]}`, `{"function":"greet","scope":"agent","items":[{"key":"a","value":1}]}`,
		`{"function":"greet","scope":"fn:visitor:","items":[{"key":"a","value":1}]}`,
	} {
		wantError(t, body[:min(len(body), 90)], w.do(put(body)), contract.InvalidRequest)
	}
	if len(w.stored) > 0 {
		t.Errorf("stored in spite of an error: %q", w.stored)
	}
}

// versionOfK is the SHA-256 of {"a":1}.
const versionOfK = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"

// An edit that something else was quicker than writes nothing, and learns what
// is there.
func TestKVEditConflict(t *testing.T) {
	w := newWorld(t)
	put := func(body string) request {
		return w.owner(request{method: "PUT", path: "/api/local/agents/mia/kv/items", body: body})
	}
	if rec := w.do(put(`{"function":"greet","items":[{"key":"k","value":2}],"ifVersion":"` + versionOfK + `"}`)); rec.Code != 200 || strings.Join(w.stored, "|") != `greet fn k for {"a":1} 2 0s` {
		t.Errorf("%d %s, stored %q", rec.Code, rec.Body, w.stored)
	}
	w.stored = nil
	for body, says := range map[string]string{
		`{"function":"greet","items":[{"key":"k","value":2}],"ifVersion":"other"}`:    `"item":{"key":"k","value":{"a":1}`,
		`{"function":"greet","items":[{"key":"gone","value":2}],"ifVersion":"other"}`: `"item":null`,
	} {
		rec := w.do(put(body))
		wantError(t, body, rec, contract.VersionConflict)
		if !strings.Contains(rec.Body.String(), says) {
			t.Errorf("%s: %s", body, rec.Body)
		}
	}
	wantError(t, "two", w.do(put(`{"function":"greet","items":[{"key":"k","value":2},{"key":"l","value":2}],"ifVersion":"x"}`)), contract.InvalidRequest)
	if len(w.stored) > 0 {
		t.Errorf("stored in spite of a conflict: %q", w.stored)
	}
}

func TestKVReads(t *testing.T) {
	w := newWorld(t)
	get := func(path string) (int, string) {
		rec := w.do(w.owner(request{method: "GET", path: "/api/local/agents/mia/kv" + path}))
		return rec.Code, rec.Body.String()
	}
	for path, want := range map[string]string{
		"":                              `{"namespaces":[{"function":"","scope":"agent","keys":1},{"function":"greet","scope":"fn","keys":0}]}`,
		"/items?function=greet":         `{"items":[{"key":"k"}],"nextCursor":"more"}`,
		"/item?function=greet&key=k":    `{"key":"k","value":{"a":1},"expiresAt":"1970-01-01T00:00:01Z","version":"` + versionOfK + `"}`,
		"/items?scope=agent&limit=1000": `{"items":[{"key":"k"}],"nextCursor":"more"}`,
	} {
		if code, body := get(path); code != 200 || body != want {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
	for path, code := range map[string]contract.Code{
		"/item?function=greet&key=x": contract.NotFound, "/items": contract.InvalidRequest, "/items?function=greet&limit=x": contract.InvalidRequest,
		"/items?function=" + strings.Repeat("x", 200): contract.InvalidRequest,
	} {
		wantError(t, path, w.do(w.owner(request{method: "GET", path: "/api/local/agents/mia/kv" + path})), code)
	}
}

// What functions stored is never shown as a page of ours, whatever its type.
func TestDownloads(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/api/local/agents/mia/content/ended", "/api/agents/mia/content/ended"} {
		rec := w.do(w.owner(request{method: "GET", path: path}))
		h := rec.Header()
		if rec.Code != 200 || rec.Body.String() != "<script>" || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment;") ||
			strings.ContainsAny(strings.TrimPrefix(h.Get("Content-Disposition"), "attachment"), `/\`) || !strings.HasPrefix(h.Get("Content-Security-Policy"), "sandbox;") ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: %d %v", path, rec.Code, h)
		}
		wantError(t, path, w.do(w.owner(request{method: "GET", path: path + "x"})), contract.NotFound)
	}
}

func TestUpload(t *testing.T) {
	w := newWorld(t)
	up := w.owner(request{method: "POST", path: "/api/local/agents/mia/content?name=a.bin&type=image/png", body: "\x00\xff"})
	rec := w.do(up)
	var it contract.ContentItem
	if err := json.Unmarshal(rec.Body.Bytes(), &it); err != nil || it.Size != 2 || it.DisplayName != "a.bin" || it.MimeType != "image/png" {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	up.path = "/api/local/agents/mia/content?name=a.bin&id=ended"
	if rec := w.do(up); rec.Code != 200 || !strings.Contains(rec.Body.String(), `"id":"ended"`) {
		t.Errorf("in place of another: %d %s", rec.Code, rec.Body)
	}
	up.path = "/api/local/agents/mia/content?name=a.bin&id=made-up"
	wantError(t, "in place of none", w.do(up), contract.NotFound)
	up.body = strings.Repeat("x", contract.MaxContentBytes+1)
	wantError(t, "too large", w.do(up), contract.BodyTooLarge)
}

// A folder is named by a function and an alias of its manifest, never by a path.
func TestFolders(t *testing.T) {
	w := newWorld(t)
	get := func(path string) request {
		return w.owner(request{method: "GET", path: "/api/local/agents/mia/folders" + path})
	}
	var list contract.FolderList
	rec := w.do(get(""))
	if err := json.Unmarshal(rec.Body.Bytes(), &list); err != nil || len(list.Folders) != 2 {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	if b := list.Folders[0]; b.Alias != "inbox" || b.Kind != "content" || b.Where != "f1" || b.Permissions != "ro" || b.Problem != "" {
		t.Errorf("%+v", b)
	}
	if b := list.Folders[1]; b.Kind != "local" || b.Where != "../x" || b.Problem != "not there" {
		t.Errorf("%+v", b)
	}
	if rec := w.do(get("/greet/inbox/f.txt")); rec.Code != 200 || rec.Body.String() != "f" {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	for path, code := range map[string]contract.Code{
		"/greet/other": contract.NotFound, "/nope/inbox": contract.FnNotFound, "/greet/inbox/g.txt": contract.NotFound,
		"/greet/inbox/..%2ff.txt": contract.NotFound, "/greet/disk": contract.PermissionDenied, "/greet/inbox?limit=0": contract.InvalidRequest,
	} {
		wantError(t, path, w.do(get(path)), code)
	}
}
