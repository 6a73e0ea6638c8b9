-- What functions keep as files. Both tables have row numbers, unlike most: their
-- rows are large, and a B-tree of keys beside them stays small.

CREATE TABLE content_items (
  agent_id     TEXT NOT NULL,
  id           TEXT NOT NULL,
  mime_type    TEXT NOT NULL,
  display_name TEXT NOT NULL,
  bytes        BLOB NOT NULL,
  sha256       TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (agent_id, id)
) STRICT;

CREATE TABLE folder_files (
  agent_id    TEXT NOT NULL,
  folder_id   TEXT NOT NULL,
  name        TEXT NOT NULL,
  mime_type   TEXT NOT NULL,
  size        INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  sha256      TEXT NOT NULL,
  bytes       BLOB NOT NULL,
  PRIMARY KEY (agent_id, folder_id, name)
) STRICT;
