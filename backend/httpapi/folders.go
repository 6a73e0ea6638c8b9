package httpapi

import (
	"benchtop/backend/content"
	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// Folders are reached through the bindings of the functions that serve, and in
// no other way: a request names a function and an alias, never a path.

// listFolders answers the bindings of all functions, with what keeps one from
// being used.
func (a *api) listFolders(c *call) error {
	out := contract.FolderList{Folders: []contract.FolderBinding{}}
	for _, f := range a.deps.Functions.List(c.agent.ID) {
		for _, b := range f.Manifest.Permissions.Folders {
			binding := contract.FolderBinding{
				Function: f.Name, Alias: b.Alias, Kind: "content", Where: b.ContentID, Permissions: string(b.Permissions),
			}
			if b.Path != "" {
				binding.Kind, binding.Where = "local", b.Path
			}
			page, err := a.deps.Content.List(c.r.Context(), folderOf(c, b), content.ListQuery{Limit: 1})
			if err != nil {
				e := contract.AsError(err)
				if e == nil {
					return err
				}
				binding.Problem = e.Message
			}
			binding.Missing = page.Missing
			out.Folders = append(out.Folders, binding)
		}
	}
	return c.ok(out)
}

func folderOf(c *call, b manifest.Folder) content.Folder {
	return content.Folder{AgentID: c.agent.ID, ID: b.ContentID, Path: b.Path}
}

// folder finds the binding that a request names.
func (a *api) folder(c *call) (content.Folder, error) {
	f, err := a.function(c)
	if err != nil {
		return content.Folder{}, err
	}
	alias := c.r.PathValue("alias")
	for _, b := range f.Manifest.Permissions.Folders {
		if b.Alias == alias {
			return folderOf(c, b), nil
		}
	}
	return content.Folder{}, contract.Errorf(contract.NotFound, "%s binds no folder to the alias %.64q", f.Name, alias)
}

// listFolder answers a page of the files in a folder: prefix, cursor, limit.
func (a *api) listFolder(c *call) error {
	at, err := a.folder(c)
	if err != nil {
		return err
	}
	q := c.r.URL.Query()
	ask := content.ListQuery{Prefix: q.Get("prefix"), Cursor: q.Get("cursor")}
	if ask.Limit, err = limitIn(q, content.MaxList); err != nil {
		return err
	}
	page, err := a.deps.Content.List(c.r.Context(), at, ask)
	if err != nil {
		return err
	}
	out := contract.FolderPage{Files: make([]contract.FolderFile, 0, len(page.Files))}
	for _, f := range page.Files {
		out.Files = append(out.Files, contract.FolderFile{Name: f.Name, MimeType: f.MimeType, Size: f.Size, Modified: f.Modified.UTC()})
	}
	if page.Cursor != "" {
		out.NextCursor = &page.Cursor
	}
	return c.ok(out)
}

// readFolder answers the bytes of one file, as a download.
func (a *api) readFolder(c *call) error {
	at, err := a.folder(c)
	if err != nil {
		return err
	}
	name := c.r.PathValue("file")
	f, err := a.deps.Content.Read(c.r.Context(), at, name)
	if err == nil && f == nil {
		err = contract.Errorf(contract.NotFound, "the folder has no file %.80q", name)
	}
	if err != nil {
		return err
	}
	c.download(f.Name, f.MimeType, f.Modified, f.Bytes)
	return nil
}
