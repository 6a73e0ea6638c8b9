package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"benchtop/backend/content"
)

func testContent(t *testing.T, s Stores) {
	it := content.Item{
		AgentID: "a", ID: "i", MimeType: "text/plain", DisplayName: "ü\n", Bytes: []byte("\x00\xff bytes"), Size: 8, SHA256: "sum", CreatedAt: epoch,
	}
	must(t, s.Content.PutContent(ctx, it))
	theirs := it
	theirs.AgentID, theirs.Bytes, theirs.Size = "b", []byte{}, 0
	must(t, s.Content.PutContent(ctx, theirs))

	s = s.Reopen(t)
	for _, want := range []content.Item{it, theirs} {
		got, err := s.Content.Content(ctx, want.AgentID, "i")
		must(t, err)
		if got == nil || got.Bytes == nil && len(want.Bytes) > 0 || string(got.Bytes) != string(want.Bytes) {
			t.Fatalf("item %+v, want %+v", got, want)
		}
		got.Bytes = want.Bytes
		if !reflect.DeepEqual(*got, want) {
			t.Fatalf("item\n got %+v\nwant %+v", *got, want)
		}
	}
	newer := it
	newer.Bytes, newer.Size, newer.SHA256, newer.CreatedAt = []byte("new"), 3, "other", epoch.Add(time.Second)
	must(t, s.Content.PutContent(ctx, newer))
	if got, err := s.Content.Content(ctx, "a", "i"); err != nil || !reflect.DeepEqual(*got, newer) {
		t.Errorf("replaced item\n got %+v, %v\nwant %+v", got, err, newer)
	}
	for _, absent := range [][2]string{{"a", "j"}, {"c", "i"}, {"a", "I"}} {
		if got, err := s.Content.Content(ctx, absent[0], absent[1]); got != nil || err != nil {
			t.Errorf("%v: %+v, %v; want nothing", absent, got, err)
		}
	}
	for i, id := range []string{"k", "j", "l"} { // j and k of one time, l older
		more := it
		more.ID, more.CreatedAt = id, epoch.Add(-time.Duration(i/2)*time.Second)
		must(t, s.Content.PutContent(ctx, more))
	}
	list := func(before time.Time, beforeID string, limit int) string {
		items, err := s.Content.ListContent(ctx, "a", before, beforeID, limit)
		must(t, err)
		ids := []string{}
		for _, it := range items {
			if it.Bytes != nil || it.MimeType != "text/plain" || it.AgentID != "a" || it.Size != 8 && it.ID != "i" || it.Size != 3 && it.ID == "i" {
				t.Errorf("listed %+v", it)
			}
			ids = append(ids, it.ID)
		}
		return fmt.Sprint(ids)
	}
	for _, c := range []struct{ got, want string }{
		{list(time.Time{}, "", 9), "[i k j l]"},
		{list(time.Time{}, "", 2), "[i k]"},
		{list(epoch, "k", 9), "[j l]"},
		{list(epoch, "j", 9), "[l]"},
		{list(epoch.Add(-time.Second), "l", 9), "[]"},
	} {
		if c.got != c.want {
			t.Errorf("listed %s, want %s", c.got, c.want)
		}
	}
	for _, want := range []bool{true, false} {
		if found, err := s.Content.DeleteContent(ctx, "a", "i"); found != want || err != nil {
			t.Errorf("deleted: %v, %v", found, err)
		}
	}
	if got, err := s.Content.Content(ctx, "b", "i"); got == nil || err != nil {
		t.Errorf("another agent's item went with it: %v", err)
	}
}

func testFolderFiles(t *testing.T, s Stores) {
	file := func(name string) content.File {
		b := []byte("bytes of " + name)
		return content.File{Name: name, MimeType: "text/plain", Bytes: b, Size: int64(len(b)), SHA256: "sum", Modified: epoch}
	}
	for _, name := range []string{"b", "a", "a1", "a2", "B", "é", "a%", "a\U0010ffff"} {
		must(t, s.Content.PutFolderFile(ctx, "x", "f", file(name)))
	}
	must(t, s.Content.PutFolderFile(ctx, "x", "g", file("other folder")))
	must(t, s.Content.PutFolderFile(ctx, "y", "f", file("other agent")))

	s = s.Reopen(t)
	got, err := s.Content.FolderFile(ctx, "x", "f", "a1")
	must(t, err)
	if got == nil || !reflect.DeepEqual(*got, file("a1")) {
		t.Fatalf("file %+v, want %+v", got, file("a1"))
	}
	changed := file("a1")
	changed.Bytes, changed.Size, changed.Modified = []byte{}, 0, epoch.Add(time.Microsecond)
	must(t, s.Content.PutFolderFile(ctx, "x", "f", changed))
	if got, err := s.Content.FolderFile(ctx, "x", "f", "a1"); err != nil || got == nil || len(got.Bytes) > 0 || got.Size != 0 || !got.Modified.Equal(changed.Modified) {
		t.Fatalf("replaced file %+v, %v", got, err)
	}
	for _, c := range []struct {
		prefix, after string
		limit         int
		want          string
	}{
		{"", "", 10, "[B a a% a1 a2 a\U0010ffff b é]"},
		{"a", "", 10, "[a a% a1 a2 a\U0010ffff]"},
		{"a", "a1", 1, "[a2]"},
		{"", "b", 10, "[é]"},
		{"b", "a", 10, "[b]"},
		{"z", "", 10, "[]"},
	} {
		files, err := s.Content.ListFolderFiles(ctx, "x", "f", c.prefix, c.after, c.limit)
		must(t, err)
		names := []string{}
		for _, f := range files {
			names = append(names, f.Name)
			if f.Bytes != nil {
				t.Errorf("the list has the bytes of %s", f.Name)
			}
		}
		if got := fmt.Sprint(names); got != c.want {
			t.Errorf("list %q after %q: %s, want %s", c.prefix, c.after, got, c.want)
		}
	}
	if got, err := s.Content.FolderFile(ctx, "x", "f", "other folder"); got != nil || err != nil {
		t.Errorf("a file of another folder: %+v, %v", got, err)
	}
}

// Pages neither repeat nor lose a file.
func testFoldersNoun(t *testing.T, s Stores) {
	c := content.New(content.Config{Store: s.Content, Now: func() time.Time { return epoch }})
	at := content.Folder{AgentID: "a", ID: "f"}
	var want []string
	for i := range 7 {
		name := fmt.Sprintf("n%d.txt", i)
		want = append(want, name)
		must(t, c.Write(ctx, at, name, []byte(name)))
	}
	for limit := 1; limit <= 8; limit++ {
		var got []string
		q := content.ListQuery{Prefix: "n", Limit: limit}
		for {
			page, err := c.List(ctx, at, q)
			must(t, err)
			if len(page.Files) > limit {
				t.Fatalf("%d files on a page of %d", len(page.Files), limit)
			}
			for _, f := range page.Files {
				got = append(got, f.Name)
			}
			if q.Cursor = page.Cursor; q.Cursor == "" {
				break
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("pages of %d: %v, want %v", limit, got, want)
		}
	}
}
