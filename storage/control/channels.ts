import { NotFound } from './errors.ts'
import { newId } from './id.ts'
import type { WorkspaceDb } from './workspace.ts'

/** Where messages of alerts go. What is sealed is opened by nobody here. */
export type Channel = {
  id: string
  name: string
  type: string
  /** What may be shown of where it leads. */
  target: string
  sealed: string
  disabledAt: Date | undefined
  problem: string | undefined
  /** How many alerts tell it. */
  alerts: number
  createdAt: Date
}

export type NewChannel = Readonly<Pick<Channel, 'name' | 'type' | 'target' | 'sealed'>>

/** What to change: undefined leaves it. */
export type ChannelChange = {
  readonly name?: string | undefined
  readonly leads?: { readonly target: string; readonly sealed: string } | undefined
  readonly isEnabled?: boolean | undefined
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
  created_at: number
}

/** Adds a channel; its name is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewChannel, now: Date): Promise<Channel> {
  return db.write(async ({ sql, workspaceId }) => {
    const id = newId()
    await sql`
      INSERT INTO channels (id, workspace_id, name, type, target, sealed, created_at)
      VALUES (${id}, ${workspaceId}, ${input.name}, ${input.type}, ${input.target}, ${input.sealed}, ${now.getTime()})`
    return { id, ...input, disabledAt: undefined, problem: undefined, alerts: 0, createdAt: now }
  })
}

/** Every channel, by name: a workspace has few. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Channel[]> {
  const rows = await sql<ChannelRow>`
    SELECT id, name, type, target, sealed, disabled_at, problem, created_at,
      (SELECT count(*) FROM alert_channels WHERE channel_id = channels.id) AS alerts
    FROM channels WHERE workspace_id = ${workspaceId} ORDER BY name`
  return rows.map(toChannel)
}

/** One channel, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceDb, id: string): Promise<Channel | undefined> {
  const rows = await sql<ChannelRow>`
    SELECT id, name, type, target, sealed, disabled_at, problem, created_at,
      (SELECT count(*) FROM alert_channels WHERE channel_id = channels.id) AS alerts
    FROM channels WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return rows.map(toChannel)[0]
}

/** Changes what is given. One that leads elsewhere, or is resumed, is enabled. */
export function update(db: WorkspaceDb, id: string, change: ChannelChange, now: Date): Promise<Channel> {
  return db.write(async (tx) => {
    const { sql, workspaceId } = tx
    const before = await find({ ...db, ...tx }, id)
    if (before === undefined) throw new NotFound('channel', id)
    const { name = before.name, leads = before, isEnabled } = change
    const isResumed = isEnabled ?? (change.leads !== undefined || before.disabledAt === undefined)
    const disabledAt = isResumed ? undefined : (before.disabledAt ?? now)
    const problem = isResumed || isEnabled === false ? undefined : before.problem
    await sql`
      UPDATE channels SET name = ${name}, target = ${leads.target}, sealed = ${leads.sealed},
        disabled_at = ${disabledAt?.getTime() ?? null}, problem = ${problem ?? null}
      WHERE workspace_id = ${workspaceId} AND id = ${id}`
    return { ...before, name, target: leads.target, sealed: leads.sealed, disabledAt, problem }
  })
}

/** Deletes a channel. Alerts tell it no more, and what waits for it is given up. */
export function remove(db: WorkspaceDb, id: string): Promise<void> {
  return db.write(async ({ sql, workspaceId }) => {
    await sql`DELETE FROM alert_channels WHERE workspace_id = ${workspaceId} AND channel_id = ${id}`
    await sql`
      UPDATE notifications SET status = 'failed', problem = 'The channel was deleted.'
      WHERE workspace_id = ${workspaceId} AND channel_id = ${id} AND status = 'waiting'`
    const [gone] = await sql<{ id: string }>`
      DELETE FROM channels WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    if (gone === undefined) throw new NotFound('channel', id)
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
  createdAt: new Date(row.created_at),
})
