-- Times are microseconds since 1970 in UTC; texts are UTF-8, compared by bytes.

CREATE TABLE agents (
  id           TEXT NOT NULL PRIMARY KEY,
  username     TEXT NOT NULL UNIQUE,
  name         TEXT NOT NULL,
  description  TEXT NOT NULL,
  instructions TEXT NOT NULL,
  model        TEXT NOT NULL,
  folder       TEXT NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every version a function ever had. functions names the one that serves.
CREATE TABLE function_versions (
  agent_id      TEXT NOT NULL,
  name          TEXT NOT NULL,
  version       INTEGER NOT NULL CHECK (version > 0),
  manifest      TEXT NOT NULL,
  manifest_text TEXT NOT NULL,
  source        TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  content_id    TEXT NOT NULL,
  file          TEXT NOT NULL,
  surface       TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  UNIQUE (agent_id, name, version)
) STRICT;

CREATE TABLE functions (
  agent_id TEXT NOT NULL,
  name     TEXT NOT NULL,
  version  INTEGER NOT NULL,
  PRIMARY KEY (agent_id, name),
  FOREIGN KEY (agent_id, name, version) REFERENCES function_versions (agent_id, name, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE secrets (
  agent_id      TEXT NOT NULL,
  function_name TEXT NOT NULL,
  binding       TEXT NOT NULL,
  key_id        TEXT NOT NULL REFERENCES secret_keys (id),
  nonce         BLOB NOT NULL,
  ciphertext    BLOB NOT NULL,
  set_at        INTEGER NOT NULL,
  PRIMARY KEY (agent_id, function_name, binding)
) STRICT, WITHOUT ROWID;

-- Which key seals the secrets and where it lives; never the key itself.
CREATE TABLE secret_keys (
  id         TEXT NOT NULL PRIMARY KEY,
  location   TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE kv (
  agent_id      TEXT NOT NULL,
  function_name TEXT NOT NULL,
  scope         TEXT NOT NULL,
  key           TEXT NOT NULL,
  value         TEXT NOT NULL,
  expires_at    INTEGER,
  PRIMARY KEY (agent_id, function_name, scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX kv_expiring ON kv (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE idempotency_keys (
  agent_id      TEXT NOT NULL,
  function_name TEXT NOT NULL,
  key           TEXT NOT NULL,
  body_sha256   TEXT NOT NULL,
  invocation_id TEXT NOT NULL,
  claimed_at    INTEGER NOT NULL,
  done          INTEGER NOT NULL,
  status        INTEGER NOT NULL,
  answer        BLOB,
  PRIMARY KEY (agent_id, function_name, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_age ON idempotency_keys (claimed_at);

-- The history. A row lies beside its neighbours in time, so that a page of a
-- function is one stretch of the file and a new row touches two pages: its own
-- and that of the index of ids. Optional texts are NULL when empty. What was
-- kept of the run is JSON: in detail when it is small enough to lie in the
-- row's page, else in the row of invocation_details that detail_seq names.
CREATE TABLE invocations (
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
  detail_seq         INTEGER REFERENCES invocation_details (seq),
  detail             TEXT,
  PRIMARY KEY (agent_id, function_name, started_at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX invocations_running ON invocations (status) WHERE status = 'running';

CREATE TABLE invocation_details (
  seq    INTEGER PRIMARY KEY,
  detail TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
  hash       TEXT NOT NULL PRIMARY KEY,
  key_id     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE opened_projects (
  path      TEXT NOT NULL PRIMARY KEY,
  name      TEXT NOT NULL,
  agent_id  TEXT NOT NULL,
  open      INTEGER NOT NULL,
  opened_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
