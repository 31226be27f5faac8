-- A session is judged once it is quiet: its evaluation stands at the last trace that the session had then.
ALTER TABLE evaluations ADD COLUMN session_id text; -- the session that is judged; empty: the trace or log is
