-- The queue of what is to be judged, and what came of it.

-- One judging of one trace or log by one version of an evaluator.
CREATE TABLE evaluations (
  id text PRIMARY KEY, -- a UUID that follows from what is judged and by what; the score has the same
  workspace_id text NOT NULL REFERENCES workspaces (id),
  trace_id text NOT NULL,
  log_id text NOT NULL, -- empty: the whole trace is judged
  evaluator_slug text NOT NULL,
  evaluator_version bigint NOT NULL,
  connection_id text NOT NULL, -- of the model that is asked; empty: none is
  model text NOT NULL, -- empty: none is asked
  status text NOT NULL, -- waiting, running, judged (and not stored yet), done, skipped or failed
  attempts bigint NOT NULL, -- how often it was begun, less the times that were not its fault
  due_at bigint NOT NULL, -- waiting: not before; running: when the node has lost it
  deadline_at bigint NOT NULL, -- what waits after this has failed
  holder text NOT NULL, -- the node that runs or stores it
  batch text NOT NULL, -- the token under which its score is stored; empty: none is
  problem text, -- why it waits again or has failed
  value text, -- JSON of the verdict; empty: none was given
  comment text, -- the reason of the verdict, or of there being none
  cost double precision, -- US dollars; empty: unknown, or no model was asked
  input_tokens bigint,
  output_tokens bigint,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL -- of the status
);
CREATE INDEX evaluations_by_lane ON evaluations (workspace_id, connection_id, model, due_at) WHERE status = 'waiting';
CREATE INDEX evaluations_under_way ON evaluations (workspace_id, connection_id) WHERE status = 'running';
CREATE INDEX evaluations_unstored ON evaluations (changed_at) WHERE status = 'judged';
CREATE INDEX evaluations_by_status ON evaluations (workspace_id, status, changed_at, id);
CREATE INDEX evaluations_by_trace ON evaluations (workspace_id, trace_id);

-- What waits for the same model of the same connection waits together; what asks no model is one lane of a workspace.
CREATE TABLE evaluation_lanes (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  connection_id text NOT NULL, -- empty: what asks no model
  model text NOT NULL,
  due_at bigint, -- when the first that waits is due; empty: none waits
  held_until bigint NOT NULL, -- nothing is begun before
  problem text, -- why it is held
  problems bigint NOT NULL, -- how many in a row, since each is waited for longer
  probed_at bigint, -- when the model was last shown to answer as it must; empty: it has yet to be
  PRIMARY KEY (workspace_id, connection_id, model)
);

-- What models were paid for judging.
CREATE TABLE evaluation_spend (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  connection_id text NOT NULL,
  day bigint NOT NULL, -- its beginning, in UTC
  cost double precision NOT NULL, -- US dollars
  PRIMARY KEY (workspace_id, connection_id, day)
);

ALTER TABLE connections ADD COLUMN concurrency_max bigint; -- judgements at a time; empty: the default
ALTER TABLE connections ADD COLUMN spend_max_per_day double precision; -- US dollars for judging; empty: no limit

-- A trace of OpenTelemetry is judged once it has settled.
ALTER TABLE assemblies ADD COLUMN to_judge text; -- JSON of what is to be judged of it then; empty: nothing
CREATE INDEX assemblies_to_judge ON assemblies (settles_at) WHERE to_judge IS NOT NULL;
