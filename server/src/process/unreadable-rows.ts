/** Stored rows that cannot be read are left out of responses. They are logged here, and counted for the response's warning. */
import { type UnreadableRow, unreadableRows } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { type RequestScope, requestScope } from './request-scope.ts'

/** Messages already counted: each of several services in one process receives every message. */
const counted = new WeakSet<object>()

/** Listens until the returned function is called. */
export function watchUnreadableRows(logger: Pick<Logger, 'error'>): () => void {
  const onRow = (message: unknown): void => {
    // Safe: only `readable` publishes there.
    const { table, id, problem } = message as UnreadableRow
    const scope = requestScope.getStore()
    logger.error(
      { requestId: scope?.requestId, table, id, problem },
      'a stored row cannot be read and is left out',
    )
    if (scope === undefined || counted.has(message as object)) return
    counted.add(message as object)
    scope.unreadable.set(table, (scope.unreadable.get(table) ?? 0) + 1)
  }
  unreadableRows.subscribe(onRow)
  return () => void unreadableRows.unsubscribe(onRow)
}

/** Adds a warning to the response about the rows that were left out. */
export function withUnreadable(output: unknown, unreadable: RequestScope['unreadable'] | undefined): unknown {
  if (unreadable === undefined || unreadable.size === 0) return output
  const rows = [...unreadable].map(([table, count]) => `${count} of ${table}`).join(', ')
  const { warning } = output as { readonly warning?: string }
  const leftOut = `Stored rows that cannot be read were left out: ${rows}. The log lists them.`
  return { ...(output as object), warning: warning === undefined ? leftOut : `${warning} ${leftOut}` }
}
