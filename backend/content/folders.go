package content

import (
	"context"
	"strings"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// Sizes of lists.
const (
	DefaultList = 100
	MaxList     = 1000
)

// ListQuery asks for a page of names. Limit 0 is the default of 100; more than
// 1,000 is held there.
type ListQuery struct {
	Prefix string
	Cursor string // of the page before, empty for the first
	Limit  int
}

// Page is one page in byte order of names. An empty Cursor ends the list.
// Missing says that the folder is empty because its directory is not there.
type Page struct {
	Files   []File
	Cursor  string
	Missing bool
}

// List gives a page of the files in a folder.
func (c *Content) List(ctx context.Context, at Folder, q ListQuery) (Page, error) {
	if len(q.Prefix) > MaxName || !utf8.ValidString(q.Prefix) {
		return Page{}, contract.Errorf(contract.InvalidRequest, "folders.list: the prefix is longer than a name can be, or not valid UTF-8")
	}
	after, err := parseCursor(q.Cursor)
	if err != nil {
		return Page{}, err
	}
	if q.Limit <= 0 {
		q.Limit = DefaultList
	}
	limit := min(q.Limit, MaxList)
	ask := limit + 1 // one more tells whether there is another page
	var files []File
	var missing bool
	if at.Path != "" {
		files, missing, err = c.listLocal(at, q.Prefix, after, ask)
	} else {
		files, err = c.cfg.Store.ListFolderFiles(ctx, at.AgentID, at.ID, q.Prefix, after, ask)
	}
	if err != nil {
		return Page{}, err
	}
	page := Page{Files: files, Missing: missing}
	if len(files) > limit {
		page.Files = files[:limit]
		page.Cursor = makeCursor(files[limit-1].Name)
	}
	return page, nil
}

// Read gives a file, or nil when there is none of that name.
func (c *Content) Read(ctx context.Context, at Folder, name string) (*File, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if at.Path != "" {
		return c.readLocal(at, name)
	}
	return c.cfg.Store.FolderFile(ctx, at.AgentID, at.ID, name)
}

// Write stores a file, in place of one with its name. Whoever reads meanwhile
// gets the old bytes or the new ones, whole.
func (c *Content) Write(ctx context.Context, at Folder, name string, body []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := checkSize("folders.write", len(body)); err != nil {
		return err
	}
	if at.Path != "" {
		return c.writeLocal(at, name, body)
	}
	return c.cfg.Store.PutFolderFile(ctx, at.AgentID, at.ID, File{
		Name: name, MimeType: typeOf(name, body), Bytes: body, Size: int64(len(body)), SHA256: sum(body), Modified: c.now(),
	})
}

// listed reports whether a name belongs on a page.
func listed(name, prefix, after string) bool {
	return strings.HasPrefix(name, prefix) && name > after && checkName(name) == nil
}
