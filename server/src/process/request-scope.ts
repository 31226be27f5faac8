/**
 * The request that the running code belongs to, however far below the handler it is: an error that nothing handles, and
 * a stored row that cannot be read, are told to their request by it. It holds nothing that an answer is made from.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestScope {
  readonly requestId: string
  /** What was left out of the answer since it cannot be read: how many rows, by kind. */
  readonly unreadable: Map<string, number>
  /** Ends the request as failed: with 500, or by cutting the connection where the answer has begun. */
  fail(error: unknown): void
  /** True once the answer is sent: what runs later in its name is not the request any more. */
  isOver: boolean
}

export const requestScope = new AsyncLocalStorage<RequestScope>()
