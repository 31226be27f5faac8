import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { recordedLogFields, recordedTraceFields, recordedValues } from '@plumbline/contract'
import { openClients } from '../engine/clients.ts'
import { openTraceStore } from '../open.ts'
import { text } from '../rows/column-types.ts'
import { column, encodeRows } from '../rows/row-block.ts'
import type { LogRow, ScoreRow, TraceRow } from '../rows/row-types.ts'
import { assembledRows, type RowOfAssembly, traceColumns } from '../rows/table-columns.ts'
import { encodeLogs, encodeScores, encodeTraces } from '../rows.ts'
import type { TraceStore } from '../store.ts'
import type { InsertBatch } from '../types.ts'
import { makeTraceFolder } from './testing-folder.ts'

export { shardOf } from '../shards/divide-rows.ts'
export { makeTraceFolder } from './testing-folder.ts'

/** A store in a folder that is deleted on close. One at a time per process: the engine allows one folder. */
export async function openTestTraceStore(): Promise<TraceStore> {
  const folder = await makeTraceFolder()
  const store = await openTraceStore({ folder })
  // As the service does after startup.
  store.noteReplacements({ endRevision: 1, isOneUnfinished: false })
  return {
    ...store,
    async close() {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Marks an open store as migrated by a newer version; resolves to a function that removes the mark. */
export async function markAsNewer(folder: string): Promise<() => Promise<void>> {
  const command = async (sql: string): Promise<void> => {
    const clients = openClients({ folder })
    await clients.command(sql)
    await clients.close()
  }
  await command(
    `INSERT INTO migrations (name, checksum, applied_at) VALUES ('9999_newer.sql', 'x', now64(3))`,
  )
  return () => command(`DELETE FROM migrations WHERE name = '9999_newer.sql'`)
}

/**
 * The folders of parts that an open store reads, below `store`; it keeps the folders of replaced parts for eight
 * minutes.
 */
export async function activeParts(folder: string): Promise<Set<string>> {
  const clients = openClients({ folder })
  const rows = await clients.read<{ path: string }>('SELECT path FROM system.parts WHERE active', {})
  await clients.close()
  return new Set(rows.map(({ path }) => partOf(path)))
}

/** The folder of a part, from a path to it or to a file in it. */
export const partOf = (path: string): string => /\/store\/\w+\/[\w-]+\/[^/]+/.exec(path)?.[0] ?? ''

export interface Records {
  readonly traces?: readonly TraceRow[]
  readonly logs?: readonly LogRow[]
  readonly scores?: readonly ScoreRow[]
}

/** Encodes rows for `insert`. */
export const batchOf = (
  { traces = [], logs = [], scores = [] }: Records,
  token: string = randomUUID(),
): InsertBatch => ({
  token,
  traces: encodeTraces(traces),
  logs: encodeLogs(logs),
  scores: encodeScores(scores),
})

/** A block of traces with their names as the number of errors: the engine accepts numeric names and rejects others. */
export function tracesWithNameAsErrors(traces: readonly TraceRow[]): Buffer {
  const columns = traceColumns.map((each) =>
    each.name === 'errors'
      ? column<RowOfAssembly<TraceRow>, string>('errors', text, ({ row }) => row.name)
      : each,
  )
  return encodeRows(columns, assembledRows(traces))
}

let last = 0

/** A unique UUIDv7 for the given time. */
export function testTraceId(timeMs = Date.now()): string {
  last += 1
  const time = timeMs.toString(16).padStart(12, '0')
  const random = Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${(last % 65536).toString(16).padStart(4, '0')}${random}`
}

/** A trace with only the required fields. */
export function testTrace(fields: Partial<TraceRow> & { workspaceId: string }): TraceRow {
  const traceId = fields.traceId ?? testTraceId()
  return {
    traceId,
    startUs: BigInt(Date.now()) * 1000n,
    endUs: null,
    durationUs: null,
    name: 'trace',
    featureSlug: null,
    experimentId: null,
    userId: null,
    userName: null,
    organizationId: null,
    organizationName: null,
    ...recordedValues(recordedTraceFields, () => undefined),
    input: null,
    output: null,
    idealOutput: null,
    metadata: null,
    evaluators: null,
    judges: [],
    evaluationConfig: null,
    sampled: false,
    sampleRate: null,
    sampledBy: null,
    warning: null,
    apiKeyId: null,
    inputTokens: 0,
    outputTokens: 0,
    cost: null,
    tokensEstimated: false,
    errors: 0,
    logCount: 0,
    models: [],
    logTypes: [],
    prompts: [],
    sent: null,
    ...fields,
  }
}

/** A log of a trace, with only the required fields. */
export function testLog(trace: TraceRow, fields: Partial<LogRow> = {}): LogRow {
  return {
    workspaceId: trace.workspaceId,
    traceId: trace.traceId,
    traceStartUs: trace.startUs,
    position: 0,
    logId: 'log',
    parentId: null,
    type: 'span',
    name: null,
    startUs: null,
    endUs: null,
    durationUs: null,
    input: null,
    output: null,
    idealOutput: null,
    metadata: null,
    evaluators: null,
    variables: null,
    prompt: null,
    promptSlug: null,
    promptVersion: null,
    model: null,
    provider: null,
    inputTokens: null,
    outputTokens: null,
    tokensEstimated: false,
    freshInputTokens: null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    textOutputTokens: null,
    reasoningTokens: null,
    otherTokens: {},
    serviceTier: null,
    cost: null,
    costEstimate: null,
    costDetail: null,
    countsInTotals: true,
    costInTotals: null,
    hasError: false,
    featureSlug: trace.featureSlug,
    experimentId: trace.experimentId,
    userId: trace.userId,
    organizationId: trace.organizationId,
    ...recordedValues(recordedLogFields, () => undefined),
    sent: null,
    ...fields,
  }
}

/** A score of a whole trace. */
export function testScore(trace: TraceRow, fields: Partial<ScoreRow> = {}): ScoreRow {
  return {
    workspaceId: trace.workspaceId,
    scoreId: testTraceId(),
    traceId: trace.traceId,
    logId: null,
    sessionId: null,
    name: 'accuracy',
    value: true,
    comment: null,
    createdAtMs: Date.now(),
    source: 'api',
    evaluatorSlug: null,
    evaluatorVersion: null,
    model: null,
    judgeTraceId: null,
    cost: null,
    inputTokens: null,
    outputTokens: null,
    apiKeyId: null,
    author: null,
    userId: null,
    revision: 0,
    ...fields,
  }
}

/** Counts rows with one of the texts in any column, by table, including deleted rows that are still on disk. */
export async function rowsOnDisk(folder: string, texts: readonly string[]): Promise<Record<string, number>> {
  const clients = openClients({ folder })
  try {
    const tables = await clients.read<{ name: string }>(
      `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
      {},
    )
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      const [row] = await clients.search<{ rows: string }>(
        `SELECT toString(count()) AS rows FROM ${name}
         WHERE arrayExists(text -> position(formatRow('TSVRaw', *), text) > 0, {texts:Array(String)})
         SETTINGS apply_deleted_mask = 0, apply_patch_parts = 0`,
        { texts },
      )
      if (row?.rows !== '0') counts[name] = Number(row?.rows)
    }
    return counts
  } finally {
    await clients.close()
  }
}

export interface ManyTraces {
  readonly workspaceId: string
  readonly count: number
  /** Arrival of the first and last trace; the others are spread evenly between them. */
  readonly from: Date
  readonly to: Date
}

/** Makes the engine itself generate traces with two logs each: a million in half a minute. */
export async function fillWithTraces(
  folder: string,
  { workspaceId, count, from, to }: ManyTraces,
): Promise<void> {
  const clients = openClients({ folder })
  const stepMs = (to.getTime() - from.getTime()) / count
  const arrivalMs = `toInt64(${from.getTime()} + number * ${stepMs})`
  const hex = (value: string, digits: number) => `leftPad(lower(hex(${value})), ${digits}, '0')`
  const ids = `concat(substring(${hex(arrivalMs, 16)}, 5, 8), '-', substring(${hex(arrivalMs, 16)}, 13, 4),
    '-7000-8000-', ${hex('number', 12)})`
  const traceOf = `'${workspaceId}' AS workspace_id, toUUID(${ids}) AS trace_id,
    fromUnixTimestamp64Milli(${arrivalMs}, 'UTC') AS received_at`
  const text = `concat('"', arrayStringConcat(arrayMap(word -> toString(cityHash64(number, word) % 50000), range(40)), ' '), '"')`
  try {
    for (let first = 0; first < count; first += fillRows) {
      const numbers = `numbers(${first}, ${Math.min(fillRows, count - first)})`
      await clients.command(
        `INSERT INTO logs (workspace_id, trace_id, received_at, trace_start_us, position, log_id, type, input, output)
         SELECT ${traceOf}, ${arrivalMs} * 1000, place, toString(place), 'generation', ${text}, ${text}
         FROM ${numbers} ARRAY JOIN [0, 1] AS place ${fillSettings}`,
      )
      await clients.command(
        `INSERT INTO traces (workspace_id, trace_id, received_at, start_us, name, output, log_count)
         SELECT ${traceOf}, ${arrivalMs} * 1000, 'trace', ${text}, 2 FROM ${numbers} ${fillSettings}`,
      )
    }
  } finally {
    await clients.close()
  }
}

const fillRows = 50_000
const fillSettings = "SETTINGS exclude_materialize_skip_indexes_on_insert = 'word_index'"

/** How many mutations have rewritten parts of the store. */
export async function countMutations(folder: string): Promise<number> {
  const clients = openClients({ folder })
  try {
    const [row] = await clients.read<{ mutations: string }>(
      'SELECT toString(count()) AS mutations FROM system.mutations WHERE database = currentDatabase()',
      {},
    )
    return Number(row?.mutations)
  } finally {
    await clients.close()
  }
}
