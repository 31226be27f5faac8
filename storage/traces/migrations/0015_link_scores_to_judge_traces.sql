-- What a model that judged was sent, and what it answered, is a trace.

ALTER TABLE scores ADD COLUMN IF NOT EXISTS judge_trace_id Nullable(UUID) COMMENT 'The trace of the call of the model that judged; null for other judges.' AFTER model;
