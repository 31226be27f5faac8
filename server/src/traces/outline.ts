/** A trace with its logs only if they are few, pages of logs, and single logs, whether stored yet or not. */
import type { LogOutline, LogQuery, LogRow, TraceHead } from '@plumbline/storage/traces'
import { incompletenessOf } from '@plumbline/storage/traces/rows'
import type { Workspace } from '../workspace/workspace.ts'
import { inOrder, locateTrace } from './find.ts'

/** A trace with its scores, and with its logs if there are at most `logsMax`. */
export async function findHead(
  requestedId: string,
  logsMax: number,
  workspace: Workspace,
): Promise<TraceHead | undefined> {
  const located = await locateTrace(requestedId, workspace)
  if (located === undefined) return undefined
  if (located.storedId === undefined) {
    const { trace, logs, scores } = located.rows
    const isFew = logs.length <= logsMax
    return { trace, scores, logs: isFew ? logs : undefined, incompleteness: incompletenessOf(logs) }
  }
  // Pending scores are read before the store, for the reason given in `findTrace`.
  const pending = await workspace.recorder.pendingScores(located.storedId)
  const head = await workspace.traces.findHead(located.storedId, logsMax)
  return head && { ...head, scores: inOrder([...head.scores, ...pending]) }
}

/** A page of a trace's logs; undefined if the trace does not exist. */
export async function outlineLogs(
  requestedId: string,
  query: LogQuery,
  workspace: Workspace,
): Promise<LogOutline[] | undefined> {
  const located = await locateTrace(requestedId, workspace)
  if (located === undefined) return undefined
  if (located.storedId !== undefined) return workspace.traces.outlineLogs(located.storedId, query)
  const { words, limit, after = -1, hasCostDetail } = query
  return located.rows.logs
    .filter((log) => log.position > after && hasWords(log, words))
    .slice(0, limit)
    .map((log) => ({ ...log, error: errorText(log), costDetail: hasCostDetail ? log.costDetail : null }))
}

/** One log of a trace; undefined if the trace has no log with this id. Also returns whether the trace exists. */
export async function findLog(
  requestedId: string,
  logId: string,
  workspace: Workspace,
): Promise<{ log: LogRow | undefined } | undefined> {
  const located = await locateTrace(requestedId, workspace)
  if (located === undefined) return undefined
  const { storedId } = located
  if (storedId === undefined) return { log: located.rows.logs.find((log) => log.logId === logId) }
  const log = await workspace.traces.findLog(storedId, logId)
  if (log !== undefined) return { log }
  return (await workspace.traces.exists(storedId)) ? { log } : undefined
}

/** The word search of the trace store's `outlineLogs`, for logs that are not stored yet. */
function hasWords(log: LogRow, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = textOf(log)
  return words.every((word) => text.includes(word))
}

const textOf = (log: LogRow): string =>
  [log.name, `type:${log.type}`, log.model, log.logId, log.input, log.output, errorJson(log)]
    .join('\n')
    .replaceAll('\\"', '"')
    .toLowerCase()

function errorJson({ metadata }: LogRow): string | undefined {
  if (metadata?.includes('"error"') !== true) return undefined
  // Safe: the row was made from an object.
  const { error } = JSON.parse(metadata) as { error?: unknown }
  return JSON.stringify(error)
}

/** As much of an error as the trace store's outline returns. */
const errorCharactersMax = 600
const noErrors: readonly unknown[] = [undefined, 'null', 'false', '""']

function errorText(log: LogRow): string | null {
  const text = errorJson(log)
  return text === undefined || noErrors.includes(text) ? null : text.slice(0, errorCharactersMax)
}
