/** Alerts as users edit them. Their state is written by the job that checks them: see `alert-checks.ts`. */
import type { AlertRule } from '@plumbline/contract'
import { AlertInUse, NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { addEvent, addNotifications } from './alert-event-rows.ts'
import { checkNow, deleteCheck, enqueueCheck } from './alert-jobs.ts'
import { type Alert, type AlertRow, toAlert } from './alert-rows.ts'

/** An alert with the channels it notifies. */
export type AlertAndChannels = Alert & { channelIds: string[] }

export type NewAlert = {
  readonly name: string
  readonly note: string
  readonly rule: AlertRule
  readonly channelIds: readonly string[]
  readonly isEnabled: boolean
}

/** Undefined leaves a field unchanged, null clears it. */
export type AlertChange = {
  readonly name?: string | undefined
  readonly note?: string | undefined
  /** The new rule, or a function of the alert's rule within the transaction. */
  readonly rule?: AlertRule | ((rule: AlertRule) => AlertRule) | undefined
  readonly channelIds?: readonly string[] | undefined
  readonly isEnabled?: boolean | undefined
  readonly mutedUntil?: Date | null | undefined
}

/** Adds an alert, due immediately; its name is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewAlert, now: Date): Promise<AlertAndChannels> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const id = newId()
    await sql`
      INSERT INTO alerts (id, workspace_id, name, note, rule, is_enabled, created_at)
      VALUES (${id}, ${workspaceId}, ${input.name}, ${input.note}, ${JSON.stringify(input.rule)},
        ${input.isEnabled ? 1 : 0}, ${now.getTime()})`
    await sql`
      INSERT INTO alert_states (alert_id, workspace_id, revision, state, since, notified, last_ordinal, samples, recent)
      VALUES (${id}, ${workspaceId}, 0, 'ok', ${now.getTime()}, 'ok', 0, 0, '[]')`
    await enqueueCheck(sql, { workspaceId, alertId: id }, now)
    await setChannels(tx, id, input.channelIds)
    return requireAlert(await find({ ...db, ...tx }, id), id)
  })
}

/** Every alert, by name: a workspace has few. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<AlertAndChannels[]> {
  const rows = await sql<AlertRow>`
    SELECT a.id, a.name, a.note, a.rule, a.is_enabled, a.muted_until, a.created_at, s.state, s.since,
      s.recovering_since, s.notified, s.checked_at, s.value, s.samples, s.problem, s.recent
    FROM alerts a LEFT JOIN alert_states s ON s.alert_id = a.id
    WHERE a.workspace_id = ${workspaceId} ORDER BY a.name`
  const alertChannels = await sql<{ alert_id: string; channel_id: string }>`
    SELECT alert_id, channel_id FROM alert_channels
    WHERE workspace_id = ${workspaceId} ORDER BY alert_id, channel_id`
  const byAlert = Map.groupBy(alertChannels, ({ alert_id }) => alert_id)
  return rows.map((row) => ({
    ...toAlert(row),
    channelIds: (byAlert.get(row.id) ?? []).map(({ channel_id }) => channel_id),
  }))
}

/** One alert, by primary key. */
export async function find(
  { sql, workspaceId }: WorkspaceDb,
  id: string,
): Promise<AlertAndChannels | undefined> {
  const [row] = await sql<AlertRow>`
    SELECT a.id, a.name, a.note, a.rule, a.is_enabled, a.muted_until, a.created_at, s.state, s.since,
      s.recovering_since, s.notified, s.checked_at, s.value, s.samples, s.problem, s.recent
    FROM alerts a LEFT JOIN alert_states s ON s.alert_id = a.id
    WHERE a.workspace_id = ${workspaceId} AND a.id = ${id}`
  if (row === undefined) return undefined
  const alertChannels = await sql<{ channel_id: string }>`
    SELECT channel_id FROM alert_channels
    WHERE workspace_id = ${workspaceId} AND alert_id = ${id} ORDER BY channel_id`
  return { ...toAlert(row), channelIds: alertChannels.map(({ channel_id }) => channel_id) }
}

/** Changes the given fields. Changing the rule or disabling the alert resolves a firing one. */
export function update(
  db: WorkspaceDb,
  id: string,
  change: AlertChange,
  now: Date,
): Promise<AlertAndChannels> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const existing = requireAlert(await find({ ...db, ...tx }, id), id)
    const { name = existing.name, note = existing.note, isEnabled = existing.isEnabled } = change
    const rule =
      typeof change.rule === 'function' ? change.rule(existing.rule) : (change.rule ?? existing.rule)
    const mutedUntil =
      change.mutedUntil === undefined ? existing.mutedUntil : (change.mutedUntil ?? undefined)
    const isNewRule = JSON.stringify(rule) !== JSON.stringify(existing.rule)
    // Before the channels change, so that those notified of the firing are notified of its end.
    if (isNewRule || (existing.isEnabled && !isEnabled))
      await startAnew(tx, existing, { reason: isNewRule ? 'changed' : 'disabled', now })
    else await bumpTurn(tx, id)
    await checkNow(tx, id, now)
    await sql`
      UPDATE alerts SET name = ${name}, note = ${note}, rule = ${JSON.stringify(rule)},
        is_enabled = ${isEnabled ? 1 : 0}, muted_until = ${mutedUntil?.getTime() ?? null}
      WHERE workspace_id = ${workspaceId} AND id = ${id}`
    if (change.channelIds !== undefined) await setChannels(tx, id, change.channelIds)
    return requireAlert(await find({ ...db, ...tx }, id), id)
  })
}

/** Deletes an alert that no running rollout uses, and resolves it if it is firing. Keeps its history. */
export function remove(db: WorkspaceDb, id: string, now: Date): Promise<void> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const existing = requireAlert(await find({ ...db, ...tx }, id), id)
    const [rollout] = await sql<{ slug: string; tag: string }>`
      SELECT prompts.slug, rollouts.tag FROM rollout_alerts
      JOIN rollouts ON rollouts.id = rollout_alerts.rollout_id JOIN prompts ON prompts.id = rollouts.prompt_id
      WHERE rollout_alerts.workspace_id = ${workspaceId} AND alert_id = ${id} AND rollouts.status = 'running'`
    if (rollout !== undefined) throw new AlertInUse(rollout.slug, rollout.tag)
    await startAnew(tx, existing, { reason: 'deleted', now })
    await deleteCheck(tx, id)
    await sql`DELETE FROM alert_channels WHERE workspace_id = ${workspaceId} AND alert_id = ${id}`
    await sql`DELETE FROM alert_states WHERE workspace_id = ${workspaceId} AND alert_id = ${id}`
    await sql`DELETE FROM alerts WHERE workspace_id = ${workspaceId} AND id = ${id}`
  })
}

/** Resets the alert to ok and invalidates an evaluation in progress. */
async function startAnew(
  { sql, workspaceId }: WorkspaceSql,
  { id: alertId, name, note, rule }: Alert,
  { reason, now }: { readonly reason: 'changed' | 'disabled' | 'deleted'; readonly now: Date },
): Promise<void> {
  // First, since this update waits for an evaluation that is being committed; the reads below see its result.
  await bumpTurn({ sql, workspaceId }, alertId)
  const [previous] = await sql<{
    state: string
    notified: string
    last_ordinal: number
    checked_at: number | null
    value: number | null
    samples: number
  }>`
    SELECT state, notified, last_ordinal, checked_at, value, samples FROM alert_states
    WHERE workspace_id = ${workspaceId} AND alert_id = ${alertId}`
  if (previous === undefined) return
  let ordinal = previous.last_ordinal
  if (previous.state === 'firing') {
    ordinal += 1
    const checkedAt = new Date(previous.checked_at ?? now)
    const measurement = { value: previous.value ?? undefined, samples: previous.samples }
    const alert = { name, note, rule }
    await addEvent(
      sql,
      { workspaceId, alertId, type: 'resolved', reason, at: checkedAt, ...measurement, alert },
      { ordinal, now },
    )
  }
  // Even while muted: when the mute ends, the alert may be deleted or have another rule.
  if (previous.notified === 'firing') await addNotifications(sql, { workspaceId, alertId, ordinal, now })
  await sql`
    UPDATE alert_states SET state = 'ok', since = ${now.getTime()}, recovering_since = NULL, notified = 'ok',
      last_ordinal = ${ordinal}, checked_at = NULL, value = NULL, samples = 0, problem = NULL, recent = '[]'
    WHERE workspace_id = ${workspaceId} AND alert_id = ${alertId}`
}

/** Makes a running check outdated. */
async function bumpTurn({ sql, workspaceId }: WorkspaceSql, alertId: string): Promise<void> {
  await sql`
    UPDATE alert_states SET revision = revision + 1
    WHERE workspace_id = ${workspaceId} AND alert_id = ${alertId}`
}

async function setChannels(
  { sql, workspaceId }: WorkspaceSql,
  alertId: string,
  channelIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(channelIds)]
  const channels = await sql<{ id: string }>`
    SELECT id FROM channels WHERE workspace_id = ${workspaceId} AND id IN (${ids})`
  const missingId = ids.find((id) => !channels.some((channel) => channel.id === id))
  if (missingId !== undefined) throw new NotFound('channel', missingId)
  await sql`DELETE FROM alert_channels WHERE workspace_id = ${workspaceId} AND alert_id = ${alertId}`
  if (ids.length > 0)
    await sql`
      INSERT INTO alert_channels (alert_id, channel_id, workspace_id)
      VALUES ${ids.map((id) => [alertId, id, workspaceId])}`
}

function requireAlert<Row>(alert: Row | undefined, id: string): Row {
  if (alert === undefined) throw new NotFound('alert', id)
  return alert
}
