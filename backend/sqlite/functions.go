package sqlite

import (
	"context"
	"encoding/json"
	"fmt"

	"benchtop/backend/functions"
)

var _ functions.Store = (*DB)(nil)

const versionColumns = `v.agent_id, v.name, v.version, v.manifest, v.manifest_text, v.source,
	v.source_sha256, v.content_id, v.file, v.surface, v.created_at`

func readFunction(r *row) (f functions.Function, err error) {
	f = functions.Function{AgentID: r.str(), Name: r.str(), Version: int(r.int())}
	if err := json.Unmarshal([]byte(r.str()), &f.Manifest); err != nil {
		return f, fmt.Errorf("stored manifest of %s version %d: %w", f.Name, f.Version, err)
	}
	f.ManifestText, f.Source, f.SourceSHA256 = r.str(), r.str(), r.str()
	f.ContentID, f.File, f.Surface, f.CreatedAt = r.str(), r.str(), r.str(), r.time()
	return f, nil
}

// CurrentFunctions implements functions.Store.
func (db *DB) CurrentFunctions(ctx context.Context) (all []functions.Function, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			f, err := readFunction(r)
			all = append(all, f)
			return err
		}, "SELECT "+versionColumns+" FROM functions JOIN function_versions v USING (agent_id, name, version)"+
			" ORDER BY v.agent_id, v.name")
	})
	return all, err
}

// PutFunction implements functions.Store.
func (db *DB) PutFunction(ctx context.Context, f functions.Function) error {
	manifest, err := json.Marshal(f.Manifest)
	if err != nil {
		return fmt.Errorf("manifest of %s: %w", f.Name, err)
	}
	return db.write(ctx, durable, func(c *conn) error {
		if _, err := c.exec(`INSERT INTO function_versions (agent_id, name, version, manifest, manifest_text, source,
			source_sha256, content_id, file, surface, created_at) VALUES (?,?,?,?,?,?,?,?,?,?,?)`,
			f.AgentID, f.Name, f.Version, string(manifest), f.ManifestText, f.Source,
			f.SourceSHA256, f.ContentID, f.File, f.Surface, f.CreatedAt); err != nil {
			return err
		}
		_, err := c.exec(`INSERT INTO functions (agent_id, name, version) VALUES (?,?,?)
			ON CONFLICT DO UPDATE SET version = excluded.version`, f.AgentID, f.Name, f.Version)
		return err
	})
}

// RemoveFunction implements functions.Store.
func (db *DB) RemoveFunction(ctx context.Context, agentID, name string) (removed bool, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		n, err := c.exec("DELETE FROM functions WHERE agent_id = ? AND name = ?", agentID, name)
		removed = n > 0
		return err
	})
	return removed, err
}

// FunctionVersion implements functions.Store.
func (db *DB) FunctionVersion(ctx context.Context, agentID, name string, version int) (found *functions.Function, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			f, err := readFunction(r)
			found = &f
			return err
		}, "SELECT "+versionColumns+" FROM function_versions v WHERE agent_id = ? AND name = ? AND version = ?",
			agentID, name, version)
	})
	return found, err
}

// FunctionVersions implements functions.Store.
func (db *DB) FunctionVersions(ctx context.Context, agentID, name string) (all []functions.VersionInfo, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			all = append(all, functions.VersionInfo{
				Version: int(r.int()), ContentID: r.str(), SourceSHA256: r.str(), SourceBytes: int(r.int()), Surface: r.str(), CreatedAt: r.time(),
			})
			return nil
		}, `SELECT version, content_id, source_sha256, octet_length(source), surface, created_at FROM function_versions
			WHERE agent_id = ? AND name = ? ORDER BY version DESC`, agentID, name)
	})
	return all, err
}

// FunctionByContent implements functions.Store.
func (db *DB) FunctionByContent(ctx context.Context, agentID, contentID string) (found *functions.Function, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			f, err := readFunction(r)
			found = &f
			return err
		}, "SELECT "+versionColumns+" FROM function_versions v WHERE agent_id = ? AND content_id = ? ORDER BY created_at, version LIMIT 1",
			agentID, contentID)
	})
	return found, err
}

// LastVersion implements functions.Store.
func (db *DB) LastVersion(ctx context.Context, agentID, name string) (last int, err error) {
	err = db.read(ctx, func(c *conn) error {
		n, err := c.number("SELECT max(version) FROM function_versions WHERE agent_id = ? AND name = ?", agentID, name)
		last = int(n)
		return err
	})
	return last, err
}
