-- SQLite counts no generated column among what an index holds: by the column
-- pace, every row of a kind was looked up beside the index. Its expression is
-- read from the index like all the rest. historykinds.go asks by the same one.
DROP INDEX invocations_kinds;
CREATE INDEX invocations_kinds ON invocations (agent_id, function_name, source_skill, status, error_code,
  (CASE WHEN duration_ms < 1 THEN 0 WHEN duration_ms < 10 THEN 1 WHEN duration_ms < 100 THEN 2
   WHEN duration_ms < 1000 THEN 3 WHEN duration_ms < 10000 THEN 4 ELSE 5 END),
  started_at, id, duration_ms);
