package hostbridge

import (
	"context"
	"encoding/json"

	"benchtop/backend/content"
	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// Content is what the bridge needs of content items and folders.
type Content interface {
	Get(ctx context.Context, agentID, id string) (*content.Item, error)
	Put(ctx context.Context, it content.Item) (content.Item, error)
	List(ctx context.Context, at content.Folder, q content.ListQuery) (content.Page, error)
	Read(ctx context.Context, at content.Folder, name string) (*content.File, error)
	Write(ctx context.Context, at content.Folder, name string, body []byte) error
}

// document is a content item, or a file of a folder, as it goes to the function.
type document struct {
	ID          string `json:"id"`
	MimeType    string `json:"mimeType"`
	DisplayName string `json:"displayName"`
	Size        int64  `json:"size"`
	Body        body   `json:"body"`
}

// none is what the function gets for something that is not there.
var none = json.RawMessage("null")

func (b *Bridge) contentRead(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	id, err := a.text("id")
	if err != nil {
		return nil, err
	}
	it, err := b.cfg.Content.Get(ctx, s.claims.AgentID, id)
	if err != nil {
		return nil, err
	}
	if it == nil {
		return none, nil
	}
	if err := s.chargeIngress("content.get", it.Size); err != nil {
		return nil, err
	}
	return json.Marshal(document{it.ID, it.MimeType, it.DisplayName, it.Size, bodyOf(it.Bytes)})
}

func (b *Bridge) contentWrite(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	it := content.Item{AgentID: s.claims.AgentID}
	err := a.texts(map[string]*string{"id": &it.ID, "mimeType": &it.MimeType, "displayName": &it.DisplayName})
	if err != nil {
		return nil, err
	}
	if it.Bytes, err = a.body("content.put"); err != nil {
		return nil, err
	}
	if it, err = b.cfg.Content.Put(ctx, it); err != nil {
		return nil, err
	}
	return json.Marshal(map[string]string{"id": it.ID})
}

// folder finds the binding among those that were frozen at the start. The grant
// was seen to before.
func (s *Session) folder(a arguments) (content.Folder, string, error) {
	binding, err := a.text(manifest.BindingArg)
	if err != nil {
		return content.Folder{}, "", err
	}
	for _, f := range s.claims.Permissions.Folders {
		if f.Alias == binding {
			return content.Folder{AgentID: s.claims.AgentID, ID: f.ContentID, Path: f.Path}, binding, nil
		}
	}
	return content.Folder{}, "", contract.Errorf(contract.PermissionDenied, "folders: %.80q is bound to nothing", binding)
}

func (b *Bridge) foldersList(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	at, _, err := s.folder(a)
	if err != nil {
		return nil, err
	}
	var q content.ListQuery
	if err := a.texts(map[string]*string{"prefix": &q.Prefix, "cursor": &q.Cursor}); err != nil {
		return nil, err
	}
	if q.Limit, err = a.whole("limit"); err != nil {
		return nil, err
	}
	page, err := b.cfg.Content.List(ctx, at, q)
	if err != nil {
		return nil, err
	}
	type item struct {
		Name     string `json:"name"`
		Size     int64  `json:"size"`
		Modified string `json:"modified"`
	}
	out := struct {
		Items  []item `json:"items"`
		Cursor string `json:"cursor,omitempty"`
	}{Items: make([]item, 0, len(page.Files)), Cursor: page.Cursor}
	for _, f := range page.Files {
		out.Items = append(out.Items, item{f.Name, f.Size, contract.FormatTime(f.Modified)})
	}
	return json.Marshal(out)
}

func (b *Bridge) foldersRead(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	at, binding, err := s.folder(a)
	if err != nil {
		return nil, err
	}
	name, err := a.text("name")
	if err != nil {
		return nil, err
	}
	f, err := b.cfg.Content.Read(ctx, at, name)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return none, nil
	}
	if err := s.chargeIngress("folders.read", f.Size); err != nil {
		return nil, err
	}
	return json.Marshal(document{binding + "/" + f.Name, f.MimeType, f.Name, f.Size, bodyOf(f.Bytes)})
}

func (b *Bridge) foldersWrite(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	at, _, err := s.folder(a)
	if err != nil {
		return nil, err
	}
	name, err := a.text("name")
	if err != nil {
		return nil, err
	}
	bytes, err := a.body("folders.write")
	if err != nil {
		return nil, err
	}
	return nil, b.cfg.Content.Write(ctx, at, name, bytes)
}
