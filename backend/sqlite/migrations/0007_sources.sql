-- A function's source is read by its content id, too.
CREATE INDEX function_versions_content ON function_versions (agent_id, content_id);
