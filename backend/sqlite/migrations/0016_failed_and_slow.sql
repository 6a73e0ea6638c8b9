-- What is asked for most of a long history, each in the order of time: all that
-- failed, and all that took long, by pace. Rows of neither kind write nothing here.
CREATE INDEX invocations_failed ON invocations (started_at, id) WHERE status = 'error';
CREATE INDEX invocations_slow ON invocations (pace, started_at, id, duration_ms, source_skill, status)
  WHERE duration_ms >= 100;
