-- Notifications that wait are jobs with the same ids; when they are sent, and by whom, is in their jobs.
INSERT INTO jobs (id, workspace_id, kind, concurrency_group, sequence, position, payload, state, due_at, attempts,
  attempts_max, lease_owner, last_error, created_at)
SELECT id, workspace_id, 'notification.send', channel_id, alert_id || '/' || channel_id, ordinal,
  '{"notificationId":"' || id || '"}', 'waiting', CASE WHEN holder = '' THEN due_at ELSE created_at END, attempts, 10,
  '', problem, created_at
FROM notifications WHERE status = 'waiting';
DROP INDEX notifications_waiting;
DROP INDEX notifications_in_order;
ALTER TABLE notifications DROP COLUMN due_at;
ALTER TABLE notifications DROP COLUMN holder;
