import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { failNotificationJobs } from './notification-job.ts'

/** Where notifications are sent. This package never decrypts `sealed`. */
export type Channel = {
  id: string
  name: string
  type: string
  /** The part of the target that may be shown. */
  target: string
  sealed: string
  disabledAt: Date | undefined
  problem: string | undefined
  /** How many alerts notify it. */
  alerts: number
  /** The events that it receives besides alerts, such as `prompt.published`. */
  events: string[]
  createdAt: Date
}

export type NewChannel = Readonly<
  Pick<Channel, 'name' | 'type' | 'target' | 'sealed'> & { events?: readonly string[] }
>

/** The new target of a channel, as a function of the channel within the transaction. */
type NewLeads = (channel: Channel) => Pick<Channel, 'target' | 'sealed'>

/** Undefined leaves a field unchanged. */
export type ChannelChange = {
  readonly name?: string | undefined
  readonly leads?: NewLeads | undefined
  readonly isEnabled?: boolean | undefined
  readonly events?: readonly string[] | undefined
}

type ChannelRow = {
  id: string
  name: string
  type: string
  target: string
  sealed: string
  disabled_at: number | null
  problem: string | null
  alerts: number
  events: string
  created_at: number
}

/** Adds a channel; its name is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewChannel, now: Date): Promise<Channel> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const id = newId()
    const events = [...(input.events ?? [])]
    await sql`
      INSERT INTO channels (id, workspace_id, name, type, target, sealed, created_at, events)
      VALUES (${id}, ${workspaceId}, ${input.name}, ${input.type}, ${input.target}, ${input.sealed}, ${now.getTime()},
        ${JSON.stringify(events)})`
    return { id, ...input, events, disabledAt: undefined, problem: undefined, alerts: 0, createdAt: now }
  })
}

/** Every channel, by name: a workspace has few. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Channel[]> {
  const rows = await sql<ChannelRow>`
    SELECT id, name, type, target, sealed, disabled_at, problem, created_at, events,
      (SELECT count(*) FROM alert_channels WHERE channel_id = channels.id) AS alerts
    FROM channels WHERE workspace_id = ${workspaceId} ORDER BY name`
  return rows.map(toChannel)
}

/** One channel, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceDb, id: string): Promise<Channel | undefined> {
  const rows = await sql<ChannelRow>`
    SELECT id, name, type, target, sealed, disabled_at, problem, created_at, events,
      (SELECT count(*) FROM alert_channels WHERE channel_id = channels.id) AS alerts
    FROM channels WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return rows.map(toChannel)[0]
}

/** Changes the given fields. A new target also enables the channel. */
export function update(db: WorkspaceDb, id: string, change: ChannelChange, now: Date): Promise<Channel> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    // Locks the channel: its notifications may disable it meanwhile, and they are not serialized with the workspace's
    // writers.
    await sql`UPDATE channels SET name = name WHERE workspace_id = ${workspaceId} AND id = ${id}`
    const existing = await find({ ...db, ...tx }, id)
    if (existing === undefined) throw new NotFound('channel', id)
    const { name = existing.name, isEnabled } = change
    const { target, sealed } = change.leads?.(existing) ?? existing
    const events = [...(change.events ?? existing.events)]
    const isResumed = isEnabled ?? (change.leads !== undefined || existing.disabledAt === undefined)
    const disabledAt = isResumed ? undefined : (existing.disabledAt ?? now)
    const problem = isResumed || isEnabled === false ? undefined : existing.problem
    await sql`
      UPDATE channels SET name = ${name}, target = ${target}, sealed = ${sealed},
        disabled_at = ${disabledAt?.getTime() ?? null}, problem = ${problem ?? null},
        events = ${JSON.stringify(events)}
      WHERE workspace_id = ${workspaceId} AND id = ${id}`
    return { ...existing, name, target, sealed, disabledAt, problem, events }
  })
}

/** Seals the target of a channel again; a stopped channel stays stopped. */
export function reseal(db: WorkspaceDb, id: string, seal: (channel: Channel) => string): Promise<Channel> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const existing = await find({ ...db, ...tx }, id)
    if (existing === undefined) throw new NotFound('channel', id)
    const sealed = seal(existing)
    await sql`UPDATE channels SET sealed = ${sealed} WHERE workspace_id = ${workspaceId} AND id = ${id}`
    return { ...existing, sealed }
  })
}

/** Deletes a channel, detaches it from alerts and fails its queued notifications. */
export function remove(db: WorkspaceDb, id: string, now: Date): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    await sql`DELETE FROM alert_channels WHERE workspace_id = ${workspaceId} AND channel_id = ${id}`
    const problem = 'The channel was deleted.'
    await sql`
      UPDATE notifications SET status = 'failed', problem = ${problem}
      WHERE workspace_id = ${workspaceId} AND channel_id = ${id} AND status = 'waiting'`
    await failNotificationJobs(sql, { workspaceId, channelId: id, problem, now })
    const [deletedRow] = await sql<{ id: string }>`
      DELETE FROM channels WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    if (deletedRow === undefined) throw new NotFound('channel', id)
  })
}

const toChannel = (row: ChannelRow): Channel => ({
  id: row.id,
  name: row.name,
  type: row.type,
  target: row.target,
  sealed: row.sealed,
  disabledAt: row.disabled_at === null ? undefined : new Date(row.disabled_at),
  problem: row.problem ?? undefined,
  alerts: row.alerts,
  // Safe: only this file writes it.
  events: JSON.parse(row.events) as string[],
  createdAt: new Date(row.created_at),
})
