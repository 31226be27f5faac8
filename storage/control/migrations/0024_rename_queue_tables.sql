-- The words of the queues: concurrency group, lease owner, assignment, state of an alert.
ALTER TABLE evaluation_lanes RENAME TO evaluation_groups;
ALTER TABLE evaluations RENAME COLUMN holder TO lease_owner;
DROP INDEX evaluations_by_lane;
CREATE INDEX evaluations_by_group ON evaluations (workspace_id, connection_id, model, evaluator_slug, due_at)
  WHERE status = 'waiting';
ALTER TABLE experiment_run_cases RENAME COLUMN holder TO lease_owner;
ALTER TABLE annotation_turns RENAME TO annotation_assignments;
DROP INDEX annotation_turns_by_annotator;
CREATE INDEX annotation_assignments_by_annotator
  ON annotation_assignments (workspace_id, queue_id, annotator_id, changed_at);
ALTER TABLE alert_standings RENAME TO alert_states;
ALTER TABLE alert_states RENAME COLUMN turn TO revision;
ALTER TABLE alert_states RENAME COLUMN told TO notified;
-- engine: PostgreSQL
ALTER INDEX evaluation_lanes_pkey RENAME TO evaluation_groups_pkey;
ALTER INDEX annotation_turns_pkey RENAME TO annotation_assignments_pkey;
ALTER INDEX alert_standings_pkey RENAME TO alert_states_pkey;
