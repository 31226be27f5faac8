-- Deletions of traces, and erasures of end users and organizations: durable, since they take longer than a request.

CREATE TABLE deletions (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  type text NOT NULL, -- traces, user or organization
  selection text, -- JSON: which traces, or who; empty once a user or an organization is erased
  request_hash text NOT NULL, -- SHA-256 that whoever knows the request can compute
  status text NOT NULL, -- running or done
  progress text NOT NULL, -- JSON: the step, and what it has to remember over a crash
  counts text NOT NULL, -- JSON: rows that were deleted, by place
  expected bigint NOT NULL, -- traces that matched when it was requested
  problem text, -- why the last attempt failed; empty: it did not
  checks text, -- JSON: what the search afterwards found, by place; empty: not searched yet
  requested_by text NOT NULL, -- the API key or the person
  requested_by_name text NOT NULL, -- as it was then
  requested_at bigint NOT NULL, -- what arrived later stays
  changed_at bigint NOT NULL,
  done_at bigint -- when the rows were gone from every query; empty: not yet
);
CREATE INDEX deletions_by_age ON deletions (workspace_id, requested_at, id);
CREATE INDEX deletions_running ON deletions (requested_at) WHERE status = 'running';

-- Late spans of a deleted trace are dropped.
ALTER TABLE assemblies ADD COLUMN deleted_at bigint; -- since when its trace is deleted; empty: it is not

-- Cases of a deleted trace are found by it.
CREATE INDEX experiment_run_cases_by_trace ON experiment_run_cases (workspace_id, trace_id) WHERE trace_id IS NOT NULL;
