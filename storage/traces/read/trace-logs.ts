/** The logs of one trace: in pages for a tree, and one of them whole. */
import type { Clients } from '../engine/clients.ts'
import { type Columns, logColumns, readRow, selectList } from '../rows/read-rows.ts'
import type { LogRow } from '../rows/row-types.ts'
import type { LogOutline, LogQuery } from '../types.ts'
import { byLogKey, type CurrentTrace, findCurrent, ofCurrent, type TraceKey, traceKey } from './find.ts'

/** The beginning of an error is enough to show. */
const errorCharactersMax = 600

/** JSON texts that mean no error. */
const noErrors: readonly unknown[] = ['', 'null', 'false', '""']

const {
  position,
  logId,
  parentId,
  type,
  name,
  startUs,
  endUs,
  model,
  inputTokens,
  outputTokens,
  tokensEstimated,
  cost,
  costEstimate,
  costDetail,
  countsInTotals,
  costInTotals,
} = logColumns

const detailedColumns: Columns<LogOutline> = {
  position,
  logId,
  parentId,
  type,
  name,
  startUs,
  endUs,
  model,
  inputTokens,
  outputTokens,
  tokensEstimated,
  cost,
  costEstimate,
  costDetail,
  countsInTotals,
  costInTotals,
  error: {
    sql: `substringUTF8(JSONExtractRaw(metadata, 'error'), 1, ${errorCharactersMax})`,
    read: (cell) => (noErrors.includes(cell) ? null : String(cell)),
  },
}
const outlineColumns: Columns<LogOutline> = {
  ...detailedColumns,
  costDetail: { sql: "''", read: () => null },
}

/**
 * The text of a log that a search reads, like `textOf` in the server for logs that are not stored yet. Escaped quotes
 * in JSON are unescaped, so that quotes match as they were written.
 */
const texts = `lowerUTF8(replaceAll(concatWithSeparator('\\n', ifNull(name, ''), concat('type:', type), ifNull(model, ''), log_id, input, output, JSONExtractRaw(metadata, 'error')), '\\\\"', '"'))`

/** A page of logs by primary key, in the order they were sent; a search reads the texts of all logs of the trace. */
export async function outlineLogs(
  clients: Clients,
  workspaceId: string,
  traceId: string,
  { words, hasCostDetail, limit, after }: LogQuery,
): Promise<LogOutline[] | undefined> {
  const columns = hasCostDetail ? detailedColumns : outlineColumns
  const conditions = [
    ...(after === undefined ? [] : ['position > {after:UInt32}']),
    ...words.map((_, index) => `position(${texts}, {word${index}:String}) > 0`),
  ]
  return readCurrent(clients, workspaceId, traceId, async (key, current) => {
    const rows = await clients.read<Record<string, unknown>>(
      `SELECT ${selectList(columns)} FROM logs
       WHERE ${[byLogKey, ...conditions].join(' AND ')} ORDER BY logs.position LIMIT {limit:UInt32}`,
      {
        ...ofCurrent(key, current),
        limit,
        ...(after === undefined ? {} : { after }),
        ...Object.fromEntries(words.map((word, index) => [`word${index}`, word])),
      },
    )
    // Without a search the first page of a trace with logs is empty only while the trace is being replaced.
    const isReplaced = words.length === 0 && after === undefined && rows.length === 0
    return {
      result: rows.map((row) => readRow(columns, row)),
      isCurrent: !isReplaced || current.logCount === 0,
    }
  })
}

/** One log of a trace, by primary key. */
export const findLog = (
  clients: Clients,
  workspaceId: string,
  traceId: string,
  searchedId: string,
): Promise<LogRow | undefined> =>
  readCurrent(clients, workspaceId, traceId, async (key, current) => {
    const [row] = await clients.read<Record<string, unknown>>(
      `SELECT ${selectList(logColumns)} FROM logs WHERE ${byLogKey} AND log_id = {log:String} LIMIT 1`,
      { ...ofCurrent(key, current), log: searchedId },
    )
    return { result: row && readRow(logColumns, row), isCurrent: row !== undefined }
  })

/** Reads the current revision of a trace, and reads again if another has replaced it meanwhile. */
async function readCurrent<Result>(
  clients: Clients,
  workspaceId: string,
  traceId: string,
  read: (key: TraceKey, current: CurrentTrace) => Promise<{ result: Result; isCurrent: boolean }>,
): Promise<Result | undefined> {
  const key = traceKey(workspaceId, traceId)
  if (key === undefined) return undefined
  const current = await findCurrent(clients, key)
  if (current === undefined) return undefined
  const { result, isCurrent } = await read(key, current)
  if (isCurrent || !current.isReplaceable) return result
  const next = await findCurrent(clients, key)
  return next === undefined || next.revision === current.revision ? result : (await read(key, next)).result
}
