-- What functions told the owner; seq is the order of arrival.
CREATE TABLE inbox (
  seq           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  agent_id      TEXT NOT NULL,
  function_name TEXT NOT NULL,
  invocation_id TEXT NOT NULL,
  title         TEXT NOT NULL,
  body          TEXT NOT NULL,
  severity      TEXT NOT NULL,
  deep_link     TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  read_at       INTEGER
) STRICT;
CREATE INDEX inbox_unread ON inbox (seq) WHERE read_at IS NULL;
