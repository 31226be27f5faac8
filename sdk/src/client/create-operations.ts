/** In a file of its own: a page that records nothing loads none of the code that records. */
import { type ConnectionOptions, makeConnection } from './make-connection.ts'
import { makeOperations, type Operations } from './operations.ts'

/** Creates only the operations, for callers that record nothing. Throws a `TypeError` if the address or the key is invalid. */
export const createOperations = (options: ConnectionOptions): Operations =>
  makeOperations(makeConnection(options))
