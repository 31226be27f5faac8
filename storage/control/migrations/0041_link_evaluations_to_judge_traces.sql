-- What a model was sent to judge, and what it answered, is a trace.
ALTER TABLE evaluations ADD COLUMN judge_trace_id text; -- of the last attempt that asked a model; empty: none was asked
