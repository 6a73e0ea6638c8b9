package sqlite

import (
	"context"
	"time"

	"benchtop/backend/content"
)

var _ content.Store = (*DB)(nil)

// PutContent implements content.Store.
func (db *DB) PutContent(ctx context.Context, it content.Item) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec(`INSERT INTO content_items (agent_id, id, mime_type, display_name, bytes, sha256, created_at)
			VALUES (?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET mime_type = excluded.mime_type,
			display_name = excluded.display_name, bytes = excluded.bytes, sha256 = excluded.sha256, created_at = excluded.created_at`,
			it.AgentID, it.ID, it.MimeType, it.DisplayName, blob(it.Bytes), it.SHA256, it.CreatedAt)
		return err
	})
}

// Content implements content.Store.
func (db *DB) Content(ctx context.Context, agentID, id string) (found *content.Item, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			found = &content.Item{
				AgentID: agentID, ID: id, MimeType: r.str(), DisplayName: r.str(), Bytes: r.bytes(), SHA256: r.str(), CreatedAt: r.time(),
			}
			found.Size = int64(len(found.Bytes))
			return nil
		}, "SELECT mime_type, display_name, bytes, sha256, created_at FROM content_items WHERE agent_id = ? AND id = ?", agentID, id)
	})
	return found, err
}

// ListContent implements content.Store. The size of a row's bytes is in its head,
// so that no bytes are read; what lies behind them is left out for that.
func (db *DB) ListContent(ctx context.Context, agentID string, before time.Time, beforeID string, limit int) (items []content.Item, err error) {
	sql := "SELECT id, mime_type, display_name, length(bytes), created_at FROM content_items WHERE agent_id = ?"
	args := []any{agentID}
	if !before.IsZero() {
		sql += " AND (created_at, id) < (?, ?)"
		args = append(args, before, beforeID)
	}
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			items = append(items, content.Item{
				AgentID: agentID, ID: r.str(), MimeType: r.str(), DisplayName: r.str(), Size: r.int(), CreatedAt: r.time(),
			})
			return nil
		}, sql+" ORDER BY created_at DESC, id DESC LIMIT ?", append(args, limit)...)
	})
	return items, err
}

// DeleteContent implements content.Store.
func (db *DB) DeleteContent(ctx context.Context, agentID, id string) (found bool, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		n, err := c.exec("DELETE FROM content_items WHERE agent_id = ? AND id = ?", agentID, id)
		found = n > 0
		return err
	})
	return found, err
}

// PutFolderFile implements content.Store.
func (db *DB) PutFolderFile(ctx context.Context, agentID, folderID string, f content.File) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec(`INSERT INTO folder_files (agent_id, folder_id, name, mime_type, size, modified_at, sha256, bytes)
			VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET mime_type = excluded.mime_type, size = excluded.size,
			modified_at = excluded.modified_at, sha256 = excluded.sha256, bytes = excluded.bytes`,
			agentID, folderID, f.Name, f.MimeType, f.Size, f.Modified, f.SHA256, blob(f.Bytes))
		return err
	})
}

// FolderFile implements content.Store.
func (db *DB) FolderFile(ctx context.Context, agentID, folderID, name string) (found *content.File, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			found = &content.File{Name: name, MimeType: r.str(), Size: r.int(), Modified: r.time(), SHA256: r.str(), Bytes: r.bytes()}
			return nil
		}, `SELECT mime_type, size, modified_at, sha256, bytes FROM folder_files
			WHERE agent_id = ? AND folder_id = ? AND name = ?`, agentID, folderID, name)
	})
	return found, err
}

// ListFolderFiles implements content.Store.
func (db *DB) ListFolderFiles(ctx context.Context, agentID, folderID, prefix, after string, limit int) (files []content.File, err error) {
	sql := `SELECT name, mime_type, size, modified_at, sha256 FROM folder_files
		WHERE agent_id = ? AND folder_id = ? AND name >= ? AND name > ?`
	args := []any{agentID, folderID, prefix, after}
	if end, ok := prefixEnd(prefix); ok {
		sql += " AND name < ?"
		args = append(args, end)
	}
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			files = append(files, content.File{Name: r.str(), MimeType: r.str(), Size: r.int(), Modified: r.time(), SHA256: r.str()})
			return nil
		}, sql+" ORDER BY name LIMIT ?", append(args, limit)...)
	})
	return files, err
}

// blob keeps no bytes apart from NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
