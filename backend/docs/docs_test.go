package docs_test

import (
	"io/fs"
	"strings"
	"testing"

	"benchtop/backend/docs"
)

// TestPages wants every page to be there, with a title and readable text.
func TestPages(t *testing.T) {
	pages, err := fs.Glob(docs.FS, "*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, name := range pages {
		text, err := docs.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		title, rest, _ := strings.Cut(string(text), "\n")
		if !strings.HasPrefix(title, "# ") || len(strings.TrimSpace(rest)) < 100 {
			t.Errorf("%s has no title or no text", name)
		}
	}
	if all := docs.Pages(); len(all) != len(pages) || all[0].Name != "getting-started" || all[0].Title != "Getting started" {
		t.Errorf("%d of %d pages, the first one %q", len(all), len(pages), all[0].Title)
	}
}
