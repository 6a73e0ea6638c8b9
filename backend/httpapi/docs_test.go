package httpapi

import (
	"encoding/json"
	"testing"

	"benchtop/backend/contract"
)

func TestDocs(t *testing.T) {
	w := newWorld(t)
	var list contract.DocList
	if rec := w.do(w.owner(request{method: "GET", path: "/api/local/docs"})); rec.Code != 200 || json.Unmarshal(rec.Body.Bytes(), &list) != nil || len(list.Pages) < 4 {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	for _, p := range list.Pages {
		var page contract.DocPage
		rec := w.do(w.owner(request{method: "GET", path: "/api/local/docs/" + p.Name}))
		if rec.Code != 200 || json.Unmarshal(rec.Body.Bytes(), &page) != nil || page.Title != p.Title || len(page.Text) < 100 || p.Text != "" {
			t.Errorf("%s: %d %.100s", p.Name, rec.Code, rec.Body)
		}
	}
	wantError(t, "a page that there is not", w.do(w.owner(request{method: "GET", path: "/api/local/docs/nothing"})), contract.NotFound)
}
