-- The ledger (contract.md 5). Amounts are nanocredits.

-- What each account holds: the sum of its movements. Only outside goes below 0.
CREATE TABLE payment_accounts (
  id      TEXT NOT NULL PRIMARY KEY,
  kind    TEXT NOT NULL,
  balance INTEGER NOT NULL CHECK (balance >= 0 OR kind = 'outside')
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_accounts_kind ON payment_accounts (kind, balance) WHERE balance <> 0;

-- Movements from the account debit to the account credit, with what both held
-- afterwards. They are numbered without gaps and never change.
CREATE TABLE payment_movements (
  seq            INTEGER PRIMARY KEY,
  at             INTEGER NOT NULL,
  kind           TEXT NOT NULL,
  debit          TEXT NOT NULL REFERENCES payment_accounts (id),
  credit         TEXT NOT NULL REFERENCES payment_accounts (id),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  debit_balance  INTEGER NOT NULL,
  credit_balance INTEGER NOT NULL,
  token_id       TEXT,
  lock_id        TEXT,
  agent_id       TEXT,
  invocation_id  TEXT,
  charge_type    TEXT,
  description    TEXT,
  CHECK (debit <> credit)
) STRICT;
CREATE INDEX payment_movements_debit ON payment_movements (debit);
CREATE INDEX payment_movements_credit ON payment_movements (credit);
CREATE INDEX payment_movements_token ON payment_movements (token_id);
CREATE INDEX payment_movements_invocation ON payment_movements (invocation_id) WHERE invocation_id IS NOT NULL;

CREATE TRIGGER payment_movements_stay BEFORE UPDATE ON payment_movements
BEGIN SELECT raise(ABORT, 'a movement of the ledger never changes'); END;
CREATE TRIGGER payment_movements_kept BEFORE DELETE ON payment_movements
BEGIN SELECT raise(ABORT, 'a movement of the ledger is never removed'); END;

-- chain and audience are JSON arrays of texts.
CREATE TABLE payment_tokens (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  parent_id    TEXT REFERENCES payment_tokens (id),
  chain        TEXT NOT NULL,
  payer        TEXT NOT NULL,
  subject      TEXT NOT NULL,
  audience     TEXT NOT NULL,
  delegated_by TEXT,
  description  TEXT,
  max_depth    INTEGER NOT NULL CHECK (max_depth >= 0),
  issued_at    INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  revoked_at   INTEGER,
  closed       INTEGER NOT NULL,
  budget       INTEGER NOT NULL CHECK (budget > 0),
  spent        INTEGER NOT NULL CHECK (spent >= 0),
  delegated    INTEGER NOT NULL CHECK (delegated >= 0),
  returned     INTEGER NOT NULL CHECK (returned >= 0)
) STRICT;
CREATE INDEX payment_tokens_parent ON payment_tokens (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX payment_tokens_roots ON payment_tokens (seq) WHERE parent_id IS NULL;
CREATE INDEX payment_tokens_ending ON payment_tokens (expires_at) WHERE closed = 0;

CREATE TABLE payment_locks (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  token_id      TEXT NOT NULL REFERENCES payment_tokens (id),
  agent_id      TEXT,
  invocation_id TEXT,
  made_by       TEXT,
  reason        TEXT,
  status        TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL,
  closed_at     INTEGER,
  amount        INTEGER NOT NULL CHECK (amount > 0),
  settled       INTEGER NOT NULL CHECK (settled >= 0),
  released      INTEGER NOT NULL CHECK (released >= 0),
  CHECK (settled + released <= amount),
  CHECK (closed_at IS NULL OR settled + released = amount)
) STRICT;
CREATE INDEX payment_locks_token ON payment_locks (token_id);
CREATE INDEX payment_locks_open ON payment_locks (token_id) WHERE closed_at IS NULL;
CREATE INDEX payment_locks_invocation ON payment_locks (invocation_id) WHERE invocation_id IS NOT NULL;
CREATE INDEX payment_locks_ending ON payment_locks (expires_at) WHERE closed_at IS NULL;

-- A closed lock stays closed.
CREATE TRIGGER payment_locks_closed BEFORE UPDATE ON payment_locks WHEN OLD.closed_at IS NOT NULL
BEGIN SELECT raise(ABORT, 'a closed lock never changes'); END;

-- What an idempotency key was answered with; it is stored with what it did.
CREATE TABLE payment_answers (
  made_by     TEXT NOT NULL,
  operation   TEXT NOT NULL,
  key         TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  body        TEXT NOT NULL,
  at          INTEGER NOT NULL,
  PRIMARY KEY (made_by, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_answers_age ON payment_answers (at);
