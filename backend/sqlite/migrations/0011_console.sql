-- How long a run took lies in the index of kinds too: a filter by it and the
-- figures of Home read the index and no row.
DROP INDEX invocations_kinds;
CREATE INDEX invocations_kinds ON invocations (agent_id, function_name, source_skill, status, error_code, started_at, id, duration_ms);

-- Content items by age, without their bytes.
CREATE INDEX content_items_age ON content_items (agent_id, created_at, id);
