/**
 * Deletes traces in slices. A slice is planned first, so that the caller can store the plan, and then carried out: the
 * hourly sums are corrected under a token, and the rows are deleted by patches. Carrying it out again after a crash
 * gives the same result. Nothing else may change these traces meanwhile: the caller keeps the assembler away from them.
 */
import { judgedSessionKey, judgedTraceKey, judgesFeature } from '@plumbline/contract'
import { uuidPattern } from '@plumbline/contract/uuids'
import type { Clients } from '../engine/clients.ts'
import { addSums, logsHourly, tracesHourly } from '../metrics/hourly-sums.ts'
import { conditionsOfSelection } from '../read/trace-selection.ts'
import type { TraceKey, TraceSelection } from '../types.ts'
import { matchTraces, workspacesOf } from './trace-keys.ts'
import type {
  DeletedRows,
  DeletionSlice,
  DoomedTrace,
  Partitions,
  SlicePage,
  SliceToDelete,
} from './write-types.ts'

/** The next matching traces after a position, with their related rows; undefined if there are none. */
export async function planSlice(
  clients: Clients,
  selection: TraceSelection,
  page: SlicePage,
): Promise<DeletionSlice | undefined> {
  const selected = await nextTraces(clients, selection, page)
  if (selected.length === 0) return undefined
  // The judges come first, since the next slice continues after the last trace of this one.
  const traces = [...(await judgesOf(clients, selection.workspaceId, selected)), ...selected]
  return { traces, ...(await survey(clients, selection.workspaceId, traces)) }
}

/** The next matching traces after a position. */
export async function nextTraces(
  clients: Clients,
  selection: TraceSelection,
  { limit, after }: SlicePage,
): Promise<DoomedTrace[]> {
  const { sql, parameters } = conditionsOfSelection(selection)
  const position =
    after === undefined
      ? []
      : ['start_us >= {afterStart:Int64} AND (start_us, trace_id) > ({afterStart:Int64}, {afterTrace:UUID})']
  const rows = await clients.search<{ traceId: string; startUs: string; otelTraceId: string }>(
    `SELECT DISTINCT trace_id AS traceId, toString(start_us) AS startUs, otel_trace_id AS otelTraceId FROM traces
     WHERE ${[...sql, ...position].join(' AND ')} ORDER BY traces.start_us, traces.trace_id LIMIT {limit:UInt32}`,
    {
      ...parameters,
      limit,
      ...(after === undefined ? {} : { afterStart: after.startUs, afterTrace: after.traceId }),
    },
  )
  return rows.map((row) => ({ ...row, startUs: BigInt(row.startUs) }))
}

/** As many session ids as fit into a URL. */
const sessionsPerStatement = 50

/** The model calls that judged these traces or their sessions: they contain the same texts. */
async function judgesOf(
  clients: Clients,
  workspaceId: string,
  traces: readonly DoomedTrace[],
): Promise<DoomedTrace[]> {
  const judgedIds = new Set(traces.map(({ traceId }) => traceId))
  const judges = new Map<string, DoomedTrace>()
  // Served by the index of metadata values.
  const find = async (
    key: string,
    values: string,
    parameters: Record<string, unknown> = {},
  ): Promise<void> => {
    const rows = await clients.search<{ traceId: string; startUs: string }>(
      `SELECT trace_id AS traceId, toString(start_us) AS startUs FROM traces
       WHERE workspace_id = {workspace:String} AND feature_slug = {feature:String}
         AND metadata_texts[{key:String}] IN ${values}`,
      { workspace: workspaceId, feature: judgesFeature, key, ...parameters },
    )
    for (const { traceId, startUs } of rows)
      if (!judgedIds.has(traceId)) judges.set(traceId, { traceId, startUs: BigInt(startUs), otelTraceId: '' })
  }
  await find(judgedTraceKey, `(${[...judgedIds].map((id) => `'${id}'`).join(',')})`)
  const sessions = await sessionsOf(clients, workspaceId, traces)
  for (let start = 0; start < sessions.length; start += sessionsPerStatement)
    await find(judgedSessionKey, '{sessions:Array(String)}', {
      sessions: sessions.slice(start, start + sessionsPerStatement),
    })
  return [...judges.values()]
}

/** The sessions of some traces, by the primary key. */
async function sessionsOf(
  clients: Clients,
  workspaceId: string,
  traces: readonly DoomedTrace[],
): Promise<string[]> {
  const keys = keysOf(workspaceId, traces)
  const rows = await clients.search<{ session: string }>(
    `SELECT DISTINCT session_id AS session FROM traces
     WHERE ${matchTraces('traces', keys)} AND session_id IS NOT NULL ORDER BY session`,
    workspacesOf(keys),
  )
  return rows.map(({ session }) => session)
}

type Survey = Pick<DeletionSlice, 'rows' | 'partitions'>

/** Counts the rows that belong to some traces, and lists their partitions. */
async function survey(
  clients: Clients,
  workspaceId: string,
  traces: readonly DoomedTrace[],
): Promise<Survey> {
  const keys = keysOf(workspaceId, traces)
  const tables = [
    `SELECT 'traces' AS name, _partition_id AS partition, uniqExact(trace_id) AS rows FROM traces WHERE ${matchTraces('traces', keys)} GROUP BY partition`,
    `SELECT 'logs' AS name, _partition_id AS partition, count() AS rows FROM logs WHERE ${matchTraces('logs', keys)} GROUP BY partition`,
    `SELECT 'scores' AS name, _partition_id AS partition, uniqExact(score_id) AS rows FROM scores WHERE ${scoresOf(traces)} GROUP BY partition`,
    `SELECT 'spans' AS name, _partition_id AS partition, count() AS rows FROM spans WHERE ${spansOf(traces)} GROUP BY partition`,
  ]
  const counts = await clients.read<{ name: keyof DeletedRows; partition: string; rows: string }>(
    `SELECT name, partition, toString(rows) AS rows FROM (${tables.join(' UNION ALL ')}) ORDER BY name, partition`,
    workspacesOf(keys),
  )
  const rows: DeletedRows = { traces: 0, logs: 0, scores: 0, spans: 0 }
  for (const { name, rows: count } of counts) rows[name] += Number(count)
  const byTable = Map.groupBy(counts, ({ name }) => name)
  const partitions = Object.fromEntries(
    [...byTable].map(([name, entries]) => [name, entries.map(({ partition }) => partition)]),
  )
  return { rows, partitions }
}

const rolledUpColumns = [
  ['traces', tracesHourly],
  ['logs', logsHourly],
] as const

/**
 * Carries a planned slice out; idempotent per token. It yields to inserts before each statement, so that an insert that
 * arrives meanwhile waits for one statement at most. Resolves with the time spent waiting.
 */
export async function deleteSlice(
  clients: Clients,
  workspaceId: string,
  { traces, token, keepsSums }: SliceToDelete,
  yieldToInserts: () => Promise<void> = async () => {},
): Promise<{ waitedMs: number }> {
  let waitedMs = 0
  if (traces.length === 0) return { waitedMs }
  const keys = keysOf(workspaceId, traces)
  const workspaces = workspacesOf(keys)
  for (const [table, columns] of keepsSums ? [] : rolledUpColumns)
    await addSums(clients, {
      table,
      columns,
      rows: `FROM ${table} AS t WHERE ${matchTraces(table, keys)}`,
      sign: '-1',
      workspaces,
      token,
    })
  // Traces first: a log without its trace is invisible, but a trace without its logs would be wrong.
  const conditions = [
    ['traces', matchTraces('traces', keys)],
    ['logs', matchTraces('logs', keys)],
    ['scores', scoresOf(traces)],
    ['spans', spansOf(traces)],
  ] as const
  const hasSpans = traces.some(({ otelTraceId }) => otelTraceId !== '')
  for (const [table, condition] of conditions)
    if (table !== 'spans' || hasSpans) {
      const startedAt = performance.now()
      await yieldToInserts()
      waitedMs += performance.now() - startedAt
      await clients.maintain(`DELETE FROM ${table} WHERE ${condition} ${byPatch}`, workspaces)
    }
  return { waitedMs }
}

/** Deletes spans that arrived for deleted traces; idempotent. */
export async function deleteSpans(
  clients: Clients,
  workspaceId: string,
  otelTraceIds: readonly string[],
): Promise<void> {
  const condition = spansOf(otelTraceIds.map((otelTraceId) => ({ otelTraceId })))
  await clients.command(`DELETE FROM spans WHERE ${condition} ${byPatch}`, { workspaces: [workspaceId] })
}

/** Deletes some scores of one end user, up to a limit; returns how many, and their partitions. */
export async function deleteScoresOfUser(
  clients: Clients,
  workspaceId: string,
  {
    userIds,
    untilMs,
    limit,
  }: { readonly userIds: readonly string[]; readonly untilMs: number; readonly limit: number },
): Promise<{ scores: number; partitions: Partitions }> {
  const ofUser = `workspace_id = {workspace:String} AND user_id IN {users:Array(String)}
    AND created_at <= fromUnixTimestamp64Milli({until:Int64})`
  const scores = await clients.search<{ id: string; traceId: string; partition: string }>(
    `SELECT DISTINCT score_id AS id, trace_id AS traceId, _partition_id AS partition FROM scores
     WHERE ${ofUser} ORDER BY id LIMIT {limit:UInt32}`,
    { workspace: workspaceId, users: userIds, until: untilMs, limit },
  )
  if (scores.length === 0) return { scores: 0, partitions: {} }
  // By ids, so that the stored patch does not contain a statement with the user.
  await clients.command(
    `DELETE FROM scores WHERE workspace_id IN {workspaces:Array(String)}
       AND trace_id IN (${quoteIds(scores.map(({ traceId }) => traceId))})
       AND score_id IN (${quoteIds(scores.map(({ id }) => id))}) ${byPatch}`,
    { workspaces: [workspaceId] },
  )
  return {
    scores: scores.length,
    partitions: { scores: [...new Set(scores.map(({ partition }) => partition))] },
  }
}

const keysOf = (workspaceId: string, traces: readonly DoomedTrace[]): TraceKey[] =>
  traces.map(({ traceId, startUs }) => ({ workspaceId, traceId, startUs }))

const quoteIds = (ids: readonly string[]): string => [...new Set(ids)].map((id) => `'${id}'`).join(',')

const hex32 = /^[0-9a-f]{32}$/

const scoresOf = (traces: readonly Pick<DoomedTrace, 'traceId'>[]): string =>
  `workspace_id IN {workspaces:Array(String)}
   AND trace_id IN (${quoteIds(traces.map(({ traceId }) => traceId).filter((id) => uuidPattern.test(id)))})`

/** An empty list matches nothing. */
const spansOf = (traces: readonly Pick<DoomedTrace, 'otelTraceId'>[]): string => {
  const ids = traces.map(({ otelTraceId }) => otelTraceId).filter((id) => hex32.test(id))
  return `workspace_id IN {workspaces:Array(String)} AND otel_trace_id IN (${ids.length === 0 ? "''" : quoteIds(ids)})`
}

/** A patch costs one insert; rewriting the mask would take time proportional to the size of the parts. */
const byPatch =
  "SETTINGS lightweight_delete_mode = 'lightweight_update_force', lightweight_deletes_sync = 2, enable_lightweight_update = 1"
