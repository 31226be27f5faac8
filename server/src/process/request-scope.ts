/**
 * The request that the running code belongs to, however deep below the handler. It lets uncaught errors and unreadable rows
 * be reported to their request. Responses are never made from it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestScope {
  readonly requestId: string
  /** Rows left out of the response because they cannot be read: a count for each kind. */
  readonly unreadable: Map<string, number>
  /** Fails the request: with a 500, or by closing the connection if the response has started. */
  fail(error: unknown): void
  /** True once the response is sent: code that runs later in this scope no longer belongs to the request. */
  readonly isOver: boolean
}

export const requestScope = new AsyncLocalStorage<RequestScope>()
