-- Checks of alerts, and what follows of an alert that fires, are jobs: when they are due, and who runs them, is there.
INSERT INTO jobs (id, workspace_id, kind, job_key, concurrency_group, position, payload, state, due_at, attempts,
  lease_owner, created_at)
SELECT 'alert.check/' || alert_id, workspace_id, 'alert.check', alert_id, '', 0, '{"alertId":"' || alert_id || '"}',
  'waiting', CASE WHEN holder = '' THEN next_at ELSE since END, 0, '', since
FROM alert_standings;
INSERT INTO jobs (id, workspace_id, kind, concurrency_group, position, payload, state, due_at, attempts, lease_owner,
  created_at)
SELECT 'alert.fired/' || id, workspace_id, 'alert.fired', '', 0,
  '{"eventId":"' || id || '","alertId":"' || alert_id || '"}', 'waiting', created_at, 0, '', created_at
FROM alert_events WHERE heard_at IS NULL;
DROP INDEX alert_standings_by_turn;
DROP INDEX alert_events_unheard;
ALTER TABLE alert_standings DROP COLUMN next_at;
ALTER TABLE alert_standings DROP COLUMN holder;
ALTER TABLE alert_events DROP COLUMN heard_at;
