-- A cheap way into the queue of evaluations, turns for each evaluator in a lane, and who made a version of an evaluator.

-- What was drawn of some records, to be put into the queue: one row for many traces, since it is written while they are recorded.
CREATE TABLE evaluation_arrivals (
  id text PRIMARY KEY, -- follows from the records, so that those that are drained again are the same
  workspace_id text NOT NULL REFERENCES workspaces (id),
  sampled text NOT NULL, -- JSON of the traces, with who judges them
  evaluations bigint NOT NULL, -- at most so many come of it
  held_until bigint NOT NULL, -- a node puts them into the queue until then
  created_at bigint NOT NULL
);
CREATE INDEX evaluation_arrivals_by_age ON evaluation_arrivals (created_at, id);
CREATE INDEX evaluation_arrivals_of_workspace ON evaluation_arrivals (workspace_id);

-- Within a lane, each evaluator has its turn.
DROP INDEX evaluations_by_lane;
CREATE INDEX evaluations_by_lane ON evaluations (workspace_id, connection_id, model, evaluator_slug, due_at)
  WHERE status = 'waiting';

ALTER TABLE evaluator_versions ADD COLUMN created_by text; -- id of the API key or the person; empty: not known
