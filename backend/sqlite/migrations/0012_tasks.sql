-- Tasks of the agent-to-agent protocol; body is JSON: messages and artifacts.
CREATE TABLE tasks (
  id         TEXT NOT NULL,
  agent_id   TEXT NOT NULL,
  context_id TEXT NOT NULL,
  caller     TEXT NOT NULL,
  state      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (agent_id, id)
) STRICT;
CREATE INDEX tasks_newest ON tasks (agent_id, caller, updated_at, id);
CREATE INDEX tasks_under_way ON tasks (state) WHERE state IN ('submitted', 'working');
