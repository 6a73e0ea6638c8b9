-- How fast a run was, roughly: rows of one kind lie by it, so that a filter by
-- duration looks at few rows it does not give. historykinds.go has the same borders.
DROP INDEX invocations_kinds;
ALTER TABLE invocations ADD COLUMN pace INTEGER AS (CASE
  WHEN duration_ms < 1 THEN 0 WHEN duration_ms < 10 THEN 1 WHEN duration_ms < 100 THEN 2
  WHEN duration_ms < 1000 THEN 3 WHEN duration_ms < 10000 THEN 4 ELSE 5 END) VIRTUAL;
CREATE INDEX invocations_kinds ON invocations (agent_id, function_name, source_skill, status, error_code, pace, started_at, id, duration_ms);

-- All rows in the order of time: a page of everything is one stretch.
CREATE INDEX invocations_time ON invocations (started_at, id);
