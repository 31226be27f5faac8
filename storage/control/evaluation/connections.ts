import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { dayOf } from './connection-limits.ts'

/** A model provider. The key arrives encrypted, and this package never decrypts it. */
export type Connection = {
  id: string
  name: string
  provider: string
  baseUrl: string | undefined
  region: string | undefined
  /** Names of models to offer. */
  models: readonly string[]
  sealedKey: string | undefined
  /** The last characters of the key. */
  keyEnd: string | undefined
  /** Concurrent calls; undefined for the default. */
  concurrencyMax: number | undefined
  /** US dollars; undefined for no limit. */
  spendMaxPerDay: number | undefined
  createdAt: Date
}

/** A connection with today's spend (UTC) by evaluators, health probes and experiment runs, in US dollars. */
export type SpendingConnection = Connection & { spentToday: number }

export type NewConnection = Omit<Connection, 'id' | 'createdAt'>

/** Undefined leaves a field unchanged, null clears it. */
export type ConnectionChange = {
  /** Checks the connection before it changes; throwing leaves it unchanged. */
  readonly check?: (connection: Connection) => void
  readonly name?: string
  readonly baseUrl?: string | null
  readonly region?: string | null
  readonly models?: readonly string[]
  readonly key?: { readonly sealed: string; readonly end: string } | null
  readonly concurrencyMax?: number | null
  readonly spendMaxPerDay?: number | null
}

type ConnectionRow = {
  id: string
  name: string
  provider: string
  base_url: string | null
  region: string | null
  models: string
  sealed_key: string | null
  key_end: string | null
  concurrency_max: number | null
  spend_max_per_day: number | null
  created_at: number
}

type SpendingRow = ConnectionRow & { spent_today: number }

/** Adds a connection; its name is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewConnection, now: Date): Promise<SpendingConnection> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const connection = { id: newId(), ...input, createdAt: now, spentToday: 0 }
    await sql`
      INSERT INTO connections
        (id, workspace_id, name, provider, base_url, region, models, sealed_key, key_end, concurrency_max,
          spend_max_per_day, created_at)
      VALUES (${connection.id}, ${workspaceId}, ${input.name}, ${input.provider}, ${input.baseUrl ?? null},
        ${input.region ?? null}, ${JSON.stringify(input.models)}, ${input.sealedKey ?? null},
        ${input.keyEnd ?? null}, ${input.concurrencyMax ?? null}, ${input.spendMaxPerDay ?? null},
        ${now.getTime()})`
    return connection
  })
}

/** Every connection, by name: a workspace has few. The spend is read by primary key. */
export async function list({ sql, workspaceId }: WorkspaceDb, now: Date): Promise<SpendingConnection[]> {
  const rows = await sql<SpendingRow>`
    SELECT c.id, c.name, c.provider, c.base_url, c.region, c.models, c.sealed_key, c.key_end, c.concurrency_max,
      c.spend_max_per_day, c.created_at, coalesce(s.cost, 0) AS spent_today
    FROM connections c
    LEFT JOIN evaluation_spend s
      ON s.workspace_id = c.workspace_id AND s.connection_id = c.id AND s.day = ${dayOf(now)}
    WHERE c.workspace_id = ${workspaceId} ORDER BY c.name`
  return rows.map(toSpendingConnection)
}

/** One connection, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceDb, id: string): Promise<Connection | undefined> {
  const rows = await sql<ConnectionRow>`
    SELECT id, name, provider, base_url, region, models, sealed_key, key_end, concurrency_max, spend_max_per_day,
      created_at
    FROM connections
    WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return rows.map(toConnection)[0]
}

/** Changes the given fields. */
export function update(
  db: WorkspaceDb,
  id: string,
  change: ConnectionChange,
  now: Date,
): Promise<SpendingConnection> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [row] = await sql<SpendingRow>`
      SELECT c.id, c.name, c.provider, c.base_url, c.region, c.models, c.sealed_key, c.key_end, c.concurrency_max,
        c.spend_max_per_day, c.created_at, coalesce(s.cost, 0) AS spent_today
      FROM connections c
      LEFT JOIN evaluation_spend s
        ON s.workspace_id = c.workspace_id AND s.connection_id = c.id AND s.day = ${dayOf(now)}
      WHERE c.workspace_id = ${workspaceId} AND c.id = ${id}`
    if (row === undefined) throw new NotFound('connection', id)
    change.check?.(toConnection(row))
    const changed: SpendingRow = {
      ...row,
      name: change.name ?? row.name,
      base_url: change.baseUrl === undefined ? row.base_url : change.baseUrl,
      region: change.region === undefined ? row.region : change.region,
      models: change.models === undefined ? row.models : JSON.stringify(change.models),
      sealed_key: change.key === undefined ? row.sealed_key : (change.key?.sealed ?? null),
      key_end: change.key === undefined ? row.key_end : (change.key?.end ?? null),
      concurrency_max: change.concurrencyMax === undefined ? row.concurrency_max : change.concurrencyMax,
      spend_max_per_day: change.spendMaxPerDay === undefined ? row.spend_max_per_day : change.spendMaxPerDay,
    }
    await sql`
      UPDATE connections SET name = ${changed.name}, base_url = ${changed.base_url},
        region = ${changed.region}, models = ${changed.models}, sealed_key = ${changed.sealed_key},
        key_end = ${changed.key_end}, concurrency_max = ${changed.concurrency_max},
        spend_max_per_day = ${changed.spend_max_per_day}
      WHERE workspace_id = ${workspaceId} AND id = ${id}`
    // Its models must pass the health probe again, which may run now.
    await sql`
      UPDATE evaluation_groups SET probed_at = NULL, held_until = 0, problem = NULL, problems = 0
      WHERE workspace_id = ${workspaceId} AND connection_id = ${id}`
    return toSpendingConnection(changed)
  })
}

/** Deletes a connection with its key. */
export function remove(db: WorkspaceDb, id: string): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [deletedRow] = await sql<{ id: string }>`
      DELETE FROM connections WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    if (deletedRow === undefined) throw new NotFound('connection', id)
  })
}

function toSpendingConnection(row: SpendingRow): SpendingConnection {
  return { ...toConnection(row), spentToday: row.spent_today }
}

function toConnection(row: ConnectionRow): Connection {
  const { id, name, provider } = row
  const models: string[] = JSON.parse(row.models)
  return {
    id,
    name,
    provider,
    baseUrl: row.base_url ?? undefined,
    region: row.region ?? undefined,
    models,
    sealedKey: row.sealed_key ?? undefined,
    keyEnd: row.key_end ?? undefined,
    concurrencyMax: row.concurrency_max ?? undefined,
    spendMaxPerDay: row.spend_max_per_day ?? undefined,
    createdAt: new Date(row.created_at),
  }
}
