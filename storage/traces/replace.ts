/**
 * Traces that are assembled again take the place of what is stored of them, in an order that can be cut short anywhere
 * and run once more: the new rows are added, the hourly sums are given the difference, the old rows are deleted. Each
 * insert has a token of the revision, so that it happens once; a delete that happens twice deletes nothing more.
 * Until the last step both are there, and readers take the higher revision.
 */
import type { Clients } from './clients.ts'
import { arrivalMs } from './encode-rows.ts'
import { insertBatch } from './insert.ts'
import type { InsertBatch, InsertResult } from './store.ts'

/** Where rows of a trace lie. */
export type TraceKey = { readonly workspaceId: string; readonly traceId: string; readonly startUs: bigint }

export type Replacement = Omit<InsertBatch, 'token'> & {
  /** Higher than every revision before. */
  readonly revision: number
  /** Every place where rows of these traces lie, or will: with this revision, and with lower ones. */
  readonly keys: readonly TraceKey[]
  /** Whether there can be rows with a lower revision. */
  readonly replaces: boolean
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const keysPerDelete = 1000

/** Stores the new rows, counts the difference, and deletes the old rows. */
export async function replaceTraces(clients: Clients, replacement: Replacement): Promise<InsertResult> {
  const { revision, traces, logs, scores, keys } = replacement
  const token = `assembly ${revision}`
  const result = await insertBatch(clients, { token, traces, logs, scores })
  if (keys.length === 0) return result
  for (const [table, columns] of [
    ['traces', tracesHourly],
    ['logs', logsHourly],
  ] as const)
    await addDifference(clients, table, columns, replacement, token)
  if (replacement.replaces) {
    // What lists show goes first: a log without its trace is nowhere, a trace without its logs would be wrong.
    for (const table of ['traces', 'logs'] as const)
      for (let start = 0; start < keys.length; start += keysPerDelete)
        await clients.command(
          `DELETE FROM ${table} WHERE ${at(table, keys.slice(start, start + keysPerDelete))} AND revision < ${revision}
           SETTINGS lightweight_delete_mode = 'lightweight_update_force', lightweight_deletes_sync = 2, enable_lightweight_update = 1`,
          workspacesOf(keys),
        )
  }
  return result
}

/** Columns of a roll-up, each with what a row adds to it; `sign` is 1 for new rows and -1 for old ones. */
type Columns = {
  readonly keys: Readonly<Record<string, string>>
  readonly sums: Readonly<Record<string, string>>
}

const unsigned = (sum: string): string => `toString(toUInt64(sum(sign * toInt64(${sum}))))`
const signed = (sum: string): string => `toString(sum(sign * ifNull(${sum}, 0)))`
const float = (sum: string): string => `sum(sign * ifNull(${sum}, 0))`

const tracesHourly: Columns = {
  keys: {
    workspace_id: 'workspace_id',
    hour_us: 'start_us - positiveModulo(start_us, 3600000000)',
    feature_slug: 'feature_slug',
    experiment_id: 'experiment_id',
  },
  sums: {
    traces: unsigned('1'),
    failed_traces: unsigned('t.errors > 0'),
    errors: unsigned('t.errors'),
    logs: unsigned('t.log_count'),
    input_tokens: float('t.input_tokens'),
    output_tokens: float('t.output_tokens'),
    cost: float('t.cost'),
    priced: unsigned('t.cost IS NOT NULL'),
    duration_us: signed('t.duration_us'),
    timed: unsigned('t.duration_us IS NOT NULL'),
  },
}

const logsHourly: Columns = {
  keys: {
    workspace_id: 'workspace_id',
    hour_us: 'trace_start_us - positiveModulo(trace_start_us, 3600000000)',
    feature_slug: 'feature_slug',
    experiment_id: 'experiment_id',
    type: 'type',
    model: 'model',
    provider: 'provider',
    prompt_slug: 'prompt_slug',
    prompt_version: 'prompt_version',
  },
  sums: {
    logs: unsigned('1'),
    errors: unsigned('t.has_error'),
    input_tokens: float('if(t.counts_in_totals, t.input_tokens, 0)'),
    output_tokens: float('if(t.counts_in_totals, t.output_tokens, 0)'),
    cost: float('t.cost_in_totals'),
    priced: unsigned('t.cost_in_totals IS NOT NULL'),
    duration_us: signed('t.duration_us'),
    timed: unsigned('t.duration_us IS NOT NULL'),
  },
}

/**
 * Adds to the hourly sums what the new rows add and the old rows added. Counts have no sign: what is to be taken off
 * is added as its complement to 2^64, as the engine's own sums wrap around.
 */
async function addDifference(
  clients: Clients,
  table: 'traces' | 'logs',
  { keys: groups, sums }: Columns,
  { keys, revision }: Replacement,
  token: string,
): Promise<void> {
  const names = [...Object.keys(groups), ...Object.keys(sums)]
  const selected = [...Object.values(groups), ...Object.values(sums)].map(
    (sql, index) => `${sql} AS c${index}`,
  )
  const grouped = Object.keys(groups).map((_, index) => `c${index}`)
  const rows = await clients.read<Record<string, unknown>>(
    `WITH if(revision = ${revision}, 1, -1) AS sign
     SELECT ${selected.join(', ')} FROM ${table} AS t
     WHERE ${at(table, keys)} AND revision <= ${revision} GROUP BY ${grouped.join(', ')} ORDER BY ALL`,
    workspacesOf(keys),
  )
  if (rows.length === 0) return
  const lines = rows.map((row) => {
    const line = Object.fromEntries(names.map((name, index) => [name, row[`c${index}`]]))
    return `${JSON.stringify(line)}\n`
  })
  await clients.insert(`${table}_hourly`, Buffer.from(lines.join('')), `${token}/${table}_hourly`)
}

/** The condition for rows of these traces, for the primary key. Ids and starts are written out: they are many. */
function at(table: 'traces' | 'logs', keys: readonly TraceKey[]): string {
  const safe = keys.filter(({ traceId }) => uuid.test(traceId))
  const start = table === 'traces' ? 'start_us' : 'trace_start_us'
  const arrivals = safe.map(({ traceId }) => arrivalMs(traceId))
  const within = `received_at >= fromUnixTimestamp64Milli(${Math.min(...arrivals)}) AND received_at <= fromUnixTimestamp64Milli(${Math.max(...arrivals)})`
  return `workspace_id IN {workspaces:Array(String)} AND ${start} IN (${unique(safe.map(({ startUs }) => String(startUs)))})
    AND trace_id IN (${unique(safe.map(({ traceId }) => `'${traceId}'`))}) AND ${within}`
}

const unique = (texts: readonly string[]): string => [...new Set(texts)].join(',')

const workspacesOf = (keys: readonly TraceKey[]): { workspaces: string[] } => ({
  workspaces: [...new Set(keys.map(({ workspaceId }) => workspaceId))],
})
