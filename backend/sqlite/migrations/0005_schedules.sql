-- Runs of schedules: one row per entry and minute, the last 1,500 of each entry.
-- A run that the owner started does not count for its minute.
CREATE TABLE schedule_runs (
  id            INTEGER PRIMARY KEY,
  agent_id      TEXT NOT NULL,
  entry_id      TEXT NOT NULL,
  planned_at    INTEGER NOT NULL,
  fired_at      INTEGER NOT NULL,
  manual        INTEGER NOT NULL,
  outcome       TEXT NOT NULL,
  invocation_id TEXT NOT NULL,
  error_code    TEXT NOT NULL,
  error_message TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX schedule_runs_minutes ON schedule_runs (agent_id, entry_id, planned_at) WHERE manual = 0;
CREATE INDEX schedule_runs_newest ON schedule_runs (agent_id, entry_id, id);
CREATE INDEX schedule_runs_running ON schedule_runs (outcome) WHERE outcome = 'running';

-- What an entry missed in the last gap that it missed something in.
CREATE TABLE schedule_misses (
  agent_id TEXT NOT NULL,
  entry_id TEXT NOT NULL,
  count    INTEGER NOT NULL,
  more     INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at  INTEGER NOT NULL,
  noted_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, entry_id)
) STRICT, WITHOUT ROWID;

-- One row: the minute in which the scheduler last looked at the clock.
CREATE TABLE schedule_clock (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  seen_at INTEGER NOT NULL
) STRICT;
