-- An evaluator may judge a session, at the last trace that it had then.

ALTER TABLE scores ADD COLUMN IF NOT EXISTS session_id Nullable(String) COMMENT 'The session that was judged, up to this trace; null when the trace or a log was.' AFTER log_id;
