import { type OutlinedLog, type operations, ServiceError } from '@plumbline/contract'
import { readCursor, writeCursor } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { outlineLogs } from '../../traces/outline.ts'
import { toOutlinedLog } from '../../traces/view.ts'

/** A page ends before this size, so that very long names or ids do not make a page that a browser has to wait for. */
const pageCharactersMax = 500_000

/** The logs of a trace in the order they were sent, without their large fields. */
export const list: Verb<typeof operations.logs.list> = async (
  { id, q = '', costDetail: hasCostDetail = false, limit = 500, cursor },
  { workspace },
) => {
  const after = cursor === undefined ? undefined : readCursor('logs', cursor, ['index'])[0]
  // One more than a page has, to see whether another page follows.
  const query = { words: wordsOf(q), hasCostDetail, limit: limit + 1, after }
  const rows = await outlineLogs(id.toLowerCase(), query, workspace)
  if (rows === undefined) throw new ServiceError('trace_not_found', { id })
  const logs = firstOf(rows.map(toOutlinedLog), limit)
  const last = rows[logs.length - 1]
  const isMore = last !== undefined && rows.length > logs.length
  return { logs, ...(isMore && { nextCursor: writeCursor('logs', [last.position]) }) }
}

const wordsOf = (q: string): string[] => q.toLowerCase().split(/\s+/).filter(Boolean)

/** As many logs as fit in a page, but at least one. */
function firstOf(logs: readonly OutlinedLog[], limit: number): OutlinedLog[] {
  let characters = 0
  const end = logs.findIndex((log, index) => {
    characters += JSON.stringify(log).length
    return index > 0 && characters > pageCharactersMax
  })
  return logs.slice(0, end === -1 ? limit : Math.min(end, limit))
}
