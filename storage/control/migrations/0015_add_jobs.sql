-- Durable work beside requests: one queue for every kind of it.
CREATE TABLE jobs (
  id text PRIMARY KEY,
  workspace_id text REFERENCES workspaces (id), -- empty: of the installation
  kind text NOT NULL, -- such as notification.send
  job_key text, -- unique among the unfinished and failed jobs of a kind; empty: any number may be the same
  concurrency_group text NOT NULL, -- what the job loads, such as a channel: limits and the circuit breaker go by it; '' for none
  sequence text, -- jobs of one sequence run one after another; empty: of none
  position bigint NOT NULL, -- in the sequence, ascending
  payload text NOT NULL, -- JSON, its shape depends on the kind
  state text NOT NULL, -- waiting, running, done, failed (a dead letter) or cancelled
  due_at bigint NOT NULL, -- waiting: not before
  attempts bigint NOT NULL, -- claims that count
  attempts_max bigint, -- it is a dead letter after as many; empty: never
  lease_owner text NOT NULL, -- the node that runs it; '' when none does
  lease_expires_at bigint, -- when another node may reclaim it; empty: it does not run
  last_error text, -- why the last attempt failed; empty: none did
  progress text, -- JSON, written by its handler
  result text, -- JSON, once it is done
  created_at bigint NOT NULL,
  finished_at bigint -- empty: it waits or runs
);
CREATE UNIQUE INDEX jobs_by_key ON jobs (kind, job_key)
  WHERE job_key IS NOT NULL AND state IN ('waiting', 'running', 'failed');
CREATE INDEX jobs_due ON jobs (due_at) WHERE state = 'waiting';
CREATE INDEX jobs_due_of_kind ON jobs (kind, due_at) WHERE state = 'waiting';
CREATE INDEX jobs_running ON jobs (lease_expires_at) WHERE state = 'running';
CREATE INDEX jobs_in_sequence ON jobs (sequence, position)
  WHERE sequence IS NOT NULL AND state IN ('waiting', 'running');
CREATE INDEX jobs_by_age ON jobs (created_at, id);
CREATE INDEX jobs_of_workspace ON jobs (workspace_id, created_at, id);
CREATE INDEX jobs_finished ON jobs (state, finished_at) WHERE finished_at IS NOT NULL;
