-- The traces of a conversation lie close together: without an index, finding them read the sessions of all traces. Parts
-- from before have it once they are merged, and are read as before until then.

ALTER TABLE traces ADD INDEX IF NOT EXISTS session_ids session_id TYPE bloom_filter(0.01) GRANULARITY 1;
