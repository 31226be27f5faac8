-- Runs of a prompt version or an endpoint over the rows of a dataset, and traces that joined an experiment later.

-- One run makes the traces of one experiment.
CREATE TABLE experiment_runs (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  experiment_id text NOT NULL,
  dataset_slug text NOT NULL,
  target text NOT NULL, -- JSON: what is run
  sealed_headers text, -- of an endpoint: JSON of its headers, encrypted; empty: it has none
  connection_id text NOT NULL, -- of the model that is asked; empty: none is
  evaluators text NOT NULL, -- JSON: slugs of those that judge each trace
  repetitions bigint NOT NULL,
  concurrency bigint NOT NULL, -- cases at a time
  spend_max double precision, -- US dollars; empty: no limit
  row_count bigint NOT NULL,
  status text NOT NULL, -- running, done or cancelled
  cost double precision NOT NULL, -- US dollars, as far as it is known
  due_at bigint, -- when the first case that waits is due; empty: none waits
  deadline_at bigint NOT NULL, -- cases that wait after this have failed
  held_until bigint NOT NULL, -- nothing is begun before
  problem text, -- why it is held
  problems bigint NOT NULL, -- how many in a row, since each is waited for longer
  created_by text NOT NULL, -- the API key or the person
  created_at bigint NOT NULL,
  ended_at bigint
);
CREATE INDEX experiment_runs_by_age ON experiment_runs (workspace_id, created_at, id);
CREATE INDEX experiment_runs_by_experiment ON experiment_runs (workspace_id, experiment_id);
CREATE INDEX experiment_runs_under_way ON experiment_runs (due_at) WHERE status = 'running';

-- The rows as they were when the run began.
CREATE TABLE experiment_run_rows (
  run_id text NOT NULL REFERENCES experiment_runs (id),
  position bigint NOT NULL, -- from 0, in the order of the dataset
  workspace_id text NOT NULL REFERENCES workspaces (id),
  row_id text NOT NULL,
  name text,
  row_values text NOT NULL, -- JSON: by the name of the column
  ideal_output text,
  metadata text, -- JSON
  PRIMARY KEY (run_id, position)
);

-- One repetition of one row.
CREATE TABLE experiment_run_cases (
  run_id text NOT NULL REFERENCES experiment_runs (id),
  position bigint NOT NULL, -- of the row
  repetition bigint NOT NULL, -- from 0
  workspace_id text NOT NULL REFERENCES workspaces (id),
  connection_id text NOT NULL, -- as in the run
  status text NOT NULL, -- waiting, running, done, failed or cancelled
  attempts bigint NOT NULL, -- how often it was begun, less the times that were not its fault
  due_at bigint NOT NULL, -- waiting: not before; running: when the node has lost it
  holder text NOT NULL, -- the node that runs it
  problem text, -- why it waits again or has failed
  trace_id text, -- once it is done
  cost double precision, -- US dollars; empty: unknown
  duration_ms double precision, -- of the last try
  changed_at bigint NOT NULL, -- of the status
  PRIMARY KEY (run_id, position, repetition)
);
CREATE INDEX experiment_run_cases_waiting ON experiment_run_cases (run_id, due_at) WHERE status = 'waiting';
CREATE INDEX experiment_run_cases_under_way ON experiment_run_cases (workspace_id, connection_id)
  WHERE status = 'running';
CREATE INDEX experiment_run_cases_by_status ON experiment_run_cases (run_id, status, position, repetition);

-- Traces that joined an experiment after they were recorded. Written before the trace store is changed.
CREATE TABLE experiment_attachments (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  trace_id text NOT NULL,
  experiment_id text NOT NULL,
  dataset_row_id text NOT NULL, -- the row that an endpoint made the trace of; empty: the trace says it itself
  is_stored bigint NOT NULL, -- 1: the trace store says so too
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, trace_id)
);
CREATE INDEX experiment_attachments_by_experiment ON experiment_attachments (workspace_id, experiment_id);
CREATE INDEX experiment_attachments_under_way ON experiment_attachments (created_at) WHERE is_stored = 0;
