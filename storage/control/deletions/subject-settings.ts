/** Settings that name an end user or an organization, in filters or in names. */
import { deleteCheck } from '../alerts/alert-jobs.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import type { RemovalMode } from './subject-references.ts'

const idsPerStatement = 500

/** Deletes saved views whose name or search names the subject. */
export function removeViews(
  db: WorkspaceDb,
  names: (text: string) => boolean,
  mode: RemovalMode,
): Promise<number> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const views = await sql<{ id: string; name: string; search: string }>`
      SELECT id, name, search FROM views WHERE workspace_id = ${workspaceId}`
    const ids = views.filter(({ name, search }) => names(name) || names(search)).map(({ id }) => id)
    if (mode === 'remove') await sql`DELETE FROM views WHERE workspace_id = ${workspaceId} AND id IN (${ids})`
    return ids.length
  })
}

/**
 * Deletes the selections (filters or ids) of earlier trace deletions that name the subject. A deletion that is not
 * complete still needs its selection, so it is only counted.
 */
export function forgetSelections(
  db: WorkspaceDb,
  names: (selection: string) => boolean,
  mode: RemovalMode,
): Promise<number> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const deletions = await sql<{ id: string; selection: string; done_at: number | null }>`
      SELECT id, selection, done_at FROM deletions
      WHERE workspace_id = ${workspaceId} AND type = 'traces' AND selection IS NOT NULL`
    const matches = deletions.filter(({ selection }) => names(selection))
    if (mode === 'count') return matches.length
    const ids = matches.filter(({ done_at }) => done_at !== null).map(({ id }) => id)
    await sql`UPDATE deletions SET selection = NULL WHERE workspace_id = ${workspaceId} AND id IN (${ids})`
    return ids.length
  })
}

/** Deletes dashboards whose charts name the subject. */
export function removeDashboards(
  db: WorkspaceDb,
  names: (text: string) => boolean,
  mode: RemovalMode,
): Promise<number> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const dashboards = await sql<{ id: string; name: string; description: string; charts: string }>`
      SELECT id, name, description, charts FROM dashboards WHERE workspace_id = ${workspaceId}`
    const ids = dashboards
      .filter(({ name, description, charts }) => names(name) || names(description) || names(charts))
      .map(({ id }) => id)
    if (mode === 'remove')
      await sql`DELETE FROM dashboards WHERE workspace_id = ${workspaceId} AND id IN (${ids})`
    return ids.length
  })
}

/** Deletes comments that name the subject. */
export function removeComments(
  db: WorkspaceDb,
  names: (text: string) => boolean,
  mode: RemovalMode,
): Promise<number> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const comments = await sql<{ id: string; text: string }>`
      SELECT id, text FROM comments WHERE workspace_id = ${workspaceId}`
    const ids = comments.filter(({ text }) => names(text)).map(({ id }) => id)
    if (mode === 'count') return ids.length
    for (let start = 0; start < ids.length; start += idsPerStatement) {
      const some = ids.slice(start, start + idsPerStatement)
      await sql`DELETE FROM comment_mentions WHERE workspace_id = ${workspaceId} AND comment_id IN (${some})`
      await sql`DELETE FROM comments WHERE workspace_id = ${workspaceId} AND id IN (${some})`
    }
    return ids.length
  })
}

/** Deletes alerts whose rule names the subject, with the events and notifications of such rules. */
export function removeAlerts(
  db: WorkspaceDb,
  names: (text: string) => boolean,
  mode: RemovalMode,
): Promise<number> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const alerts = await sql<{ id: string; rule: string; name: string; note: string }>`
      SELECT id, rule, name, note FROM alerts WHERE workspace_id = ${workspaceId}`
    const ids = alerts
      .filter(({ rule, name, note }) => names(rule) || names(name) || names(note))
      .map(({ id }) => id)
    if (mode === 'count') return ids.length
    const events = await sql<{ id: string; alert_id: string; alert: string }>`
      SELECT id, alert_id, alert FROM alert_events WHERE workspace_id = ${workspaceId}`
    const eventIds = events
      .filter(({ alert_id, alert }) => ids.includes(alert_id) || names(alert))
      .map(({ id }) => id)
    for (let start = 0; start < eventIds.length; start += idsPerStatement) {
      const some = eventIds.slice(start, start + idsPerStatement)
      await sql`DELETE FROM notifications WHERE workspace_id = ${workspaceId} AND event_id IN (${some})`
      await sql`DELETE FROM alert_events WHERE workspace_id = ${workspaceId} AND id IN (${some})`
    }
    for (const id of ids) await deleteCheck(tx, id)
    await sql`DELETE FROM rollout_alerts WHERE workspace_id = ${workspaceId} AND alert_id IN (${ids})`
    await sql`DELETE FROM alert_channels WHERE workspace_id = ${workspaceId} AND alert_id IN (${ids})`
    await sql`DELETE FROM alert_states WHERE workspace_id = ${workspaceId} AND alert_id IN (${ids})`
    await sql`DELETE FROM alerts WHERE workspace_id = ${workspaceId} AND id IN (${ids})`
    return ids.length
  })
}

/** Ends feeds of annotation queues that name the subject. */
export function removeFeeds(
  db: WorkspaceDb,
  names: (feed: string) => boolean,
  mode: RemovalMode,
): Promise<number> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const queues = await sql<{ id: string; feed: string }>`
      SELECT id, feed FROM annotation_queues WHERE workspace_id = ${workspaceId} AND feed IS NOT NULL`
    const ids = queues.filter(({ feed }) => names(feed)).map(({ id }) => id)
    if (mode === 'remove')
      await sql`UPDATE annotation_queues SET feed = NULL WHERE workspace_id = ${workspaceId} AND id IN (${ids})`
    return ids.length
  })
}

/** Ends live rules of evaluators that name the subject. */
export function removeLiveRules(
  db: WorkspaceDb,
  names: (liveRule: string) => boolean,
  mode: RemovalMode,
): Promise<number> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const evaluators = await sql<{ id: string; live_rule: string }>`
      SELECT id, live_rule FROM evaluators WHERE workspace_id = ${workspaceId} AND live_rule IS NOT NULL`
    const ids = evaluators.filter(({ live_rule }) => names(live_rule)).map(({ id }) => id)
    if (mode === 'remove')
      await sql`UPDATE evaluators SET live_rule = NULL WHERE workspace_id = ${workspaceId} AND id IN (${ids})`
    return ids.length
  })
}

/** The settings recorded in an audit entry. */
export type ExaminedState = {
  entryId: string
  resource: string
  /** JSON texts: before and after. */
  states: string[]
}

const statesPerRead = 200

/** The settings of some resources that audit entries contain, in chunks; by audit_states_of_workspace. */
export async function* examineAuditStates(
  { sql, workspaceId }: WorkspaceDb,
  resources: readonly string[],
): AsyncGenerator<ExaminedState[], void> {
  for (let after = ''; ; ) {
    const rows = await sql<{
      entry_id: string
      resource: string
      before_state: string | null
      after_state: string | null
    }>`
      SELECT s.entry_id, e.resource, s.before_state, s.after_state
      FROM audit_states s JOIN audit_entries e ON e.id = s.entry_id
      WHERE s.workspace_id = ${workspaceId} AND e.resource IN (${resources}) AND s.entry_id > ${after}
      ORDER BY s.entry_id LIMIT ${statesPerRead}`
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.entry_id
    yield rows.map(({ entry_id, resource, before_state, after_state }) => ({
      entryId: entry_id,
      resource,
      states: [before_state, after_state].filter((state) => state !== null),
    }))
  }
}

/** Deletes the settings recorded in audit entries; the entries stay. By primary key. */
export async function removeAuditStates(
  { sql, workspaceId }: WorkspaceDb,
  entryIds: readonly string[],
): Promise<void> {
  await sql`DELETE FROM audit_states WHERE workspace_id = ${workspaceId} AND entry_id IN (${entryIds})`
}
