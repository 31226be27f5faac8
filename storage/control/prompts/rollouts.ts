import { AlertFires, NotFound, RolloutEnded, TagIsThere } from '../errors.ts'
import { newId } from '../id.ts'
import { requirePrompt, requireVersion } from '../require-parent.ts'
import { afterAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { moveTag } from './move-tag.ts'
import { requireUnprotected } from './protected-tags.ts'
import { type Rollout, type RolloutRow, type RolloutStatus, toRollout } from './rollout-rows.ts'

export type NewRollout = {
  readonly promptSlug: string
  readonly tag: string
  readonly candidateVersion: string
  readonly share: number
  readonly alertIds: readonly string[]
  /** Id of the API key or person. */
  readonly startedBy: string
}

/** Undefined leaves a field unchanged. */
export type RolloutChange = {
  readonly share?: number | undefined
  readonly alertIds?: readonly string[] | undefined
  readonly changedBy: string
}

/** Starts a rollout. The tag must point at another version, and must have no running rollout: throws `AlreadyExists`. */
export function create(db: WorkspaceDb, input: NewRollout, now: Date): Promise<Rollout> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const { tag, candidateVersion, share } = input
    const promptId = await requirePrompt(tx, input.promptSlug)
    await requireUnprotected(tx, tag)
    const [carrier] = await sql<{ version: string }>`
      SELECT version FROM prompt_tags
      WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND label = ${tag}`
    if (carrier === undefined) throw new NotFound('promptTag', tag)
    await requireVersion(tx, promptId, candidateVersion)
    if (carrier.version === candidateVersion) throw new TagIsThere()
    const id = newId()
    await sql`
      INSERT INTO rollouts (id, workspace_id, prompt_id, tag, baseline_version, candidate_version, share, status,
        reason, created_at, created_by)
      VALUES (${id}, ${workspaceId}, ${promptId}, ${tag}, ${carrier.version}, ${candidateVersion}, ${share},
        'running', '', ${now.getTime()}, ${input.startedBy})`
    await addShare(tx, id, share, input.startedBy, now)
    await setAlerts(tx, id, input.alertIds)
    return requireRollout(tx, id)
  })
}

/** Changes a running rollout; throws `RolloutEnded` for others. */
export function update(db: WorkspaceDb, id: string, change: RolloutChange, now: Date): Promise<Rollout> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const existing = await requireRunning(tx, id)
    if (change.share !== undefined && change.share !== existing.share) {
      // If the tag was protected after the start, the share may only decrease.
      if (change.share > existing.share) await requireUnprotected(tx, existing.tag)
      await sql`UPDATE rollouts SET share = ${change.share} WHERE workspace_id = ${workspaceId} AND id = ${id}`
      await addShare(tx, id, change.share, change.changedBy, now)
    }
    if (change.alertIds !== undefined) {
      await sql`DELETE FROM rollout_alerts WHERE workspace_id = ${workspaceId} AND rollout_id = ${id}`
      await setAlerts(tx, id, change.alertIds)
    }
    return requireRollout(tx, id)
  })
}

/** Ends a rollout and moves the tag to its candidate; of two concurrent calls one throws `RolloutEnded`. */
export function promote(db: WorkspaceDb, id: string, actorId: string, now: Date): Promise<Rollout> {
  return db.mutate(async (tx) => {
    const { promptId, tag, candidateVersion } = await requireRunning(tx, id)
    await end(tx, [id], { status: 'promoted', reason: '', endedBy: actorId }, now)
    await moveTag(tx, { promptId, label: tag, version: candidateVersion, movedBy: actorId, now })
    return requireRollout(tx, id)
  })
}

/** Ends a rollout and keeps the baseline. */
export function rollBack(
  db: WorkspaceDb,
  id: string,
  { reason, endedBy }: { readonly reason: string; readonly endedBy: string },
  now: Date,
): Promise<Rollout> {
  return db.mutate(async (tx) => {
    await requireRunning(tx, id)
    await end(tx, [id], { status: 'rolled_back', reason, endedBy }, now)
    return requireRollout(tx, id)
  })
}

/**
 * Ends every running rollout that uses an alert, and returns the rollouts ended by this call: a repeated call, on any
 * node, ends nothing twice. Writes nothing if there is none.
 */
export async function rollBackByAlert(
  db: WorkspaceDb,
  { alertId, reason }: { readonly alertId: string; readonly reason: string },
  now: Date,
): Promise<Rollout[]> {
  if ((await listRunningByAlert(db, alertId)).length === 0) return []
  return db.mutate(async (tx) => {
    // Read again under the workspace lock.
    const ids = await listRunningByAlert(tx, alertId)
    await end(tx, ids, { status: 'rolled_back', reason, alertId }, now)
    return Promise.all(ids.map((id) => requireRollout(tx, id)))
  })
}

/** Ids of running rollouts that use an alert, by rollout_alerts_by_alert. */
async function listRunningByAlert({ sql, workspaceId }: WorkspaceSql, alertId: string): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    SELECT r.id FROM rollout_alerts a JOIN rollouts r ON r.id = a.rollout_id
    WHERE a.workspace_id = ${workspaceId} AND a.alert_id = ${alertId} AND r.status = 'running'
    ORDER BY r.id`
  return rows.map(({ id }) => id)
}

/** Rollouts, latest first, by rollouts_by_age. */
export async function list(
  db: WorkspaceDb,
  {
    promptSlug = null,
    status = null,
    limit,
    after = afterAll,
  }: PageRequest & { readonly promptSlug?: string | null; readonly status?: RolloutStatus | null } = {},
): Promise<Page<Rollout>> {
  const { sql, workspaceId } = db
  const matches = await sql<RolloutRow>`
    SELECT r.id, r.prompt_id, p.slug, r.tag, r.baseline_version, r.candidate_version, r.share, r.status, r.reason,
      r.created_at, r.created_by, r.ended_at, r.ended_by, r.ended_by_alert
    FROM rollouts r JOIN prompts p ON p.id = r.prompt_id
    WHERE r.workspace_id = ${workspaceId} AND (r.created_at, r.id) < (${after.position}, ${after.id})
      AND (CAST(${promptSlug} AS text) IS NULL OR p.slug = ${promptSlug})
      AND (CAST(${status} AS text) IS NULL OR r.status = ${status})
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, (row) => ({ position: row.created_at, id: row.id }))
  return { items: await addSharesAndAlerts(db, rows), ...page }
}

/** One rollout, by primary key. */
export async function find(db: WorkspaceSql, id: string): Promise<Rollout | undefined> {
  const { sql, workspaceId } = db
  const rows = await sql<RolloutRow>`
    SELECT r.id, r.prompt_id, p.slug, r.tag, r.baseline_version, r.candidate_version, r.share, r.status, r.reason,
      r.created_at, r.created_by, r.ended_at, r.ended_by, r.ended_by_alert
    FROM rollouts r JOIN prompts p ON p.id = r.prompt_id
    WHERE r.workspace_id = ${workspaceId} AND r.id = ${id}`
  return (await addSharesAndAlerts(db, rows))[0]
}

/** Adds shares and alerts, with one query for each, whatever the number of rollouts. */
async function addSharesAndAlerts(
  { sql, workspaceId }: WorkspaceSql,
  rows: readonly RolloutRow[],
): Promise<Rollout[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const shares = await sql<{
    rollout_id: string
    share: number
    changed_at: number
    changed_by: string | null
  }>`
    SELECT rollout_id, share, changed_at, changed_by FROM rollout_shares
    WHERE workspace_id = ${workspaceId} AND rollout_id IN (${ids}) ORDER BY ordinal DESC`
  const alerts = await sql<{ rollout_id: string; alert_id: string }>`
    SELECT rollout_id, alert_id FROM rollout_alerts
    WHERE workspace_id = ${workspaceId} AND rollout_id IN (${ids}) ORDER BY alert_id`
  const sharesOf = Map.groupBy(shares, (row) => row.rollout_id)
  const alertsOf = Map.groupBy(alerts, (row) => row.rollout_id)
  return rows.map((row) => toRollout(row, sharesOf.get(row.id) ?? [], alertsOf.get(row.id) ?? []))
}

async function requireRollout(tx: WorkspaceSql, id: string): Promise<Rollout> {
  const rollout = await find(tx, id)
  if (rollout === undefined) throw new NotFound('rollout', id)
  return rollout
}

async function requireRunning(tx: WorkspaceSql, id: string): Promise<Rollout> {
  const rollout = await requireRollout(tx, id)
  if (rollout.status !== 'running') throw new RolloutEnded(id, rollout.status)
  return rollout
}

type Ending = {
  readonly status: Exclude<RolloutStatus, 'running'>
  readonly reason: string
  readonly endedBy?: string
  readonly alertId?: string
}

async function end(
  { sql, workspaceId }: WorkspaceSql,
  ids: readonly string[],
  outcome: Ending,
  now: Date,
): Promise<void> {
  await sql`
    UPDATE rollouts SET status = ${outcome.status}, reason = ${outcome.reason}, ended_at = ${now.getTime()},
      ended_by = ${outcome.endedBy ?? null}, ended_by_alert = ${outcome.alertId ?? null}
    WHERE workspace_id = ${workspaceId} AND id IN (${ids}) AND status = 'running'`
}

async function addShare(
  { sql, workspaceId }: WorkspaceSql,
  id: string,
  share: number,
  actorId: string,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO rollout_shares (rollout_id, ordinal, workspace_id, share, changed_at, changed_by)
    VALUES (${id}, (SELECT COALESCE(MAX(ordinal), 0) + 1 FROM rollout_shares WHERE rollout_id = ${id}),
      ${workspaceId}, ${share}, ${now.getTime()}, ${actorId})`
}

/** Rejects an alert that is already firing: it would never trigger a rollback. */
async function setAlerts(
  { sql, workspaceId }: WorkspaceSql,
  id: string,
  alertIds: readonly string[],
): Promise<void> {
  if (alertIds.length === 0) return
  const alerts = await sql<{ id: string; name: string; state: string | null }>`
    SELECT a.id, a.name, s.state FROM alerts a LEFT JOIN alert_states s ON s.alert_id = a.id
    WHERE a.workspace_id = ${workspaceId} AND a.id IN (${alertIds})`
  for (const alertId of alertIds) {
    const alert = alerts.find((row) => row.id === alertId)
    if (alert === undefined) throw new NotFound('alert', alertId)
    if (alert.state === 'firing') throw new AlertFires(alert.name)
    await sql`
      INSERT INTO rollout_alerts (rollout_id, alert_id, workspace_id) VALUES (${id}, ${alertId}, ${workspaceId})`
  }
}
