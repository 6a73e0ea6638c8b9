-- Unsaved texts of editors, with the stored text that each was begun from.
CREATE TABLE drafts (
  agent_id    TEXT NOT NULL,
  name        TEXT NOT NULL,
  file        TEXT NOT NULL,
  text        TEXT NOT NULL,
  base_text   TEXT NOT NULL,
  base_sha256 TEXT NOT NULL,
  updated_at  INTEGER NOT NULL,
  PRIMARY KEY (agent_id, name, file)
) STRICT, WITHOUT ROWID;
