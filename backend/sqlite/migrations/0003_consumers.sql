-- Entries of the skills custom_tools, custom_http and cron, in each agent's own
-- order. entry is the JSON that its author wrote.
CREATE TABLE consumers (
  agent_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  skill    TEXT NOT NULL,
  entry_id TEXT NOT NULL,
  entry    TEXT NOT NULL,
  PRIMARY KEY (agent_id, position),
  UNIQUE (agent_id, skill, entry_id)
) STRICT, WITHOUT ROWID;
