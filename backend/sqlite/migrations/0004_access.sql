-- API keys and visitors' cookies, by hash. subject_id is the agent or visitor.
CREATE TABLE auth_keys (
  id         TEXT NOT NULL PRIMARY KEY,
  kind       TEXT NOT NULL,
  hash       TEXT NOT NULL UNIQUE,
  prefix     TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX auth_keys_subject ON auth_keys (subject_id);

-- Portal tokens that were issued, by jti; a token without a row does not count.
-- audience and scopes are JSON lists of texts.
CREATE TABLE portal_tokens (
  id         TEXT NOT NULL PRIMARY KEY,
  subject    TEXT NOT NULL,
  agent_id   TEXT NOT NULL,
  key_id     TEXT NOT NULL,
  audience   TEXT NOT NULL,
  scopes     TEXT NOT NULL,
  issued_at  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX portal_tokens_key ON portal_tokens (key_id) WHERE key_id <> '';
CREATE INDEX portal_tokens_expiring ON portal_tokens (expires_at);

CREATE TABLE visitors (
  id         TEXT NOT NULL PRIMARY KEY,
  name       TEXT NOT NULL,
  email      TEXT NOT NULL,
  avatar_url TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: the settings as JSON.
CREATE TABLE settings (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  value TEXT NOT NULL
) STRICT;

-- The history again, without the foreign key on detail_seq: to delete a detail
-- would look through all rows for one that refers to it.
CREATE TABLE invocations_new (
  agent_id           TEXT NOT NULL,
  function_name      TEXT NOT NULL,
  started_at         INTEGER NOT NULL,
  id                 TEXT NOT NULL UNIQUE,
  status             TEXT NOT NULL,
  source_skill       TEXT NOT NULL,
  function_version   INTEGER NOT NULL,
  finished_at        INTEGER,
  duration_ms        REAL NOT NULL,
  cpu_ms             REAL NOT NULL,
  ingress_bytes      INTEGER NOT NULL,
  egress_bytes       INTEGER NOT NULL,
  chain_depth        INTEGER NOT NULL,
  host_calls         INTEGER NOT NULL,
  kv_put_bytes       INTEGER NOT NULL,
  content_writes     INTEGER NOT NULL,
  cost_nanocents     TEXT,
  error_code         TEXT,
  error_message      TEXT,
  invocation_id      TEXT,
  root_invocation_id TEXT,
  parent_invocation_id TEXT,
  consumer_id        TEXT,
  billed_to          TEXT,
  caller_user_id     TEXT,
  caller_agent_id    TEXT,
  idempotency_key    TEXT,
  authoring_action   TEXT,
  authoring_surface  TEXT,
  detail_seq         INTEGER,
  detail             TEXT,
  PRIMARY KEY (agent_id, function_name, started_at, id)
) STRICT, WITHOUT ROWID;
INSERT INTO invocations_new SELECT agent_id, function_name, started_at, id, status, source_skill,
  function_version, finished_at, duration_ms, cpu_ms, ingress_bytes, egress_bytes, chain_depth, host_calls,
  kv_put_bytes, content_writes, cost_nanocents, error_code, error_message, invocation_id, root_invocation_id,
  parent_invocation_id, consumer_id, billed_to, caller_user_id, caller_agent_id, idempotency_key,
  authoring_action, authoring_surface, detail_seq, detail FROM invocations;
DROP TABLE invocations;
ALTER TABLE invocations_new RENAME TO invocations;
CREATE INDEX invocations_running ON invocations (status) WHERE status = 'running';

-- The kinds of rows: a page of any filter is a merge of the few kinds that fit,
-- each of them one stretch of this index.
CREATE INDEX invocations_kinds ON invocations (agent_id, function_name, source_skill, status, error_code, started_at, id);
