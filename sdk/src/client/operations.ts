/** A function for each operation of the contract, under its name. */
import type { InputOf, Operation, OutputOf, operations } from '@plumbline/contract'
import { fillPath, inputTravelsInQuery, pathFields, paths } from '@plumbline/contract/paths'
import { type Connection, exchange, type Request, toRequestFailed } from './exchange.ts'
import { type ConnectionOptions, makeConnection } from './make-connection.ts'

type OperationTable = typeof operations

/** `plumbline.prompts.get({ slug })`: each operation with its own types. */
export type Operations = {
  readonly [Resource in keyof OperationTable]: {
    readonly [Verb in keyof OperationTable[Resource]]: OperationTable[Resource][Verb] extends Operation
      ? Call<
          InputOf<OperationTable[Resource][Verb]>,
          ResultOf<Resource, Verb, OutputOf<OperationTable[Resource][Verb]>>
        >
      : never
  }
}

/** Responses other than JSON are the bytes of a file, or an event stream. */
type ResultOf<Resource, Verb, Output> = [Resource, Verb] extends
  | ['files', 'get']
  | ['playground', 'run']
  | [unknown, 'export']
  ? Blob
  : Output

const blobPaths: ReadonlySet<string> = new Set([
  paths.files.get,
  paths.traces.export,
  paths.datasets.export,
  paths.exchange.export,
  paths.audit.export,
  // The text of all events. To receive events as they arrive, send the request directly.
  paths.playground.run,
])

/**
 * Rejects with `RequestFailed` for a status of 400 or more, with `ServiceUnreachable` if there is no response, and with the
 * signal's reason if it is aborted. The input can be omitted if it has no required fields.
 */
type Call<Input, Output> =
  Record<never, unknown> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<Output>
    : (input: Input, options?: CallOptions) => Promise<Output>

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Timeout for the whole response, in milliseconds; that of the client by default. */
  readonly timeoutMs?: number
  /** A retry of a POST with the same key within 24 hours gets the first response, and stores nothing twice. */
  readonly idempotencyKey?: string
  /** The file for an operation that accepts one; its type is the media type. */
  readonly file?: Blob
  /** In a browser, lets the request outlive its page. All such bodies together may have at most 64 KB. */
  readonly keepalive?: boolean
}

/** The recording operations, whose input is masked. */
const recordingPaths: ReadonlySet<string> = new Set([
  paths.monitor.trace,
  paths.monitor.log,
  paths.scores.create,
  paths.scores.update,
])

/** Creates only the operations, so that pages that record nothing need not load the recording code. */
export const createOperations = (options: ConnectionOptions): Operations =>
  makeOperations(makeConnection(options))

/** The operations on one connection; `mask` is applied to the input of recording operations. */
export function makeOperations(connection: Connection, mask?: (input: object) => object): Operations {
  const resources = Object.entries(paths).map(([resource, verbs]) => [
    resource,
    Object.fromEntries(
      Object.entries(verbs).map(([verb, path]: [string, string]) => [
        verb,
        (input: object = {}, options: CallOptions = {}) =>
          call(
            connection,
            path,
            mask !== undefined && recordingPaths.has(path) ? mask(input) : input,
            options,
          ),
      ]),
    ),
  ])
  // Safe: the table of paths has every operation, and the types are derived from the same operations.
  return Object.fromEntries(resources) as Operations
}

async function call(
  connection: Connection,
  path: string,
  input: object,
  { idempotencyKey, signal, timeoutMs, file, keepalive }: CallOptions,
): Promise<unknown> {
  const headers: Record<string, string> =
    idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  const content = file === undefined ? {} : { body: file, contentType: file.type }
  const request = { ...makeRequest(path, input), ...content, headers, signal, timeoutMs, keepalive }
  const response = await exchange(connection, request)
  if (response.status >= 400) throw await toRequestFailed(response, Date.now())
  if (blobPaths.has(path)) return response.blob
  const text = await response.blob.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** The request of an operation: fields in braces go into the path, the rest into the query or the body. */
export function makeRequest(route: string, input: object): Pick<Request, 'method' | 'address' | 'body'> {
  const [method = '', path = ''] = route.split(' ')
  const fields = new Map<string, unknown>(Object.entries(input))
  const address = fillPath(path, Object.fromEntries(fields))
  for (const name of pathFields(path)) fields.delete(name)
  if (!inputTravelsInQuery(method as Parameters<typeof inputTravelsInQuery>[0])) {
    return { method, address, body: JSON.stringify(Object.fromEntries(fields)) }
  }
  const query = new URLSearchParams()
  for (const [name, value] of fields) {
    // In the interface, null means absent.
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return { method, address: query.size === 0 ? address : `${address}?${query}` }
}
