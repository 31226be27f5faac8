-- Workspaces whose deletion has begun go on as jobs.
INSERT INTO jobs (id, workspace_id, kind, job_key, concurrency_group, position, payload, state, due_at, attempts,
  lease_owner, created_at)
SELECT 'workspace.delete/' || id, NULL, 'workspace.delete', id, '', 0, '{"workspaceId":"' || id || '"}', 'waiting',
  deleting_at, 0, '', deleting_at
FROM workspaces WHERE deleting_at IS NOT NULL;
