/** The typed client: an object with a function for each operation of the contract, and nothing that is not in it. */
import {
  type InputOf,
  inputTravelsInQuery,
  type Operation,
  type OutputOf,
  operations,
  pathFields,
} from '@plumbline/contract'

type Operations = typeof operations

/** `client.prompts.get({ slug })`: each operation under its own name, with its own types. */
export type Client = {
  readonly [Resource in keyof Operations]: {
    readonly [Verb in keyof Operations[Resource]]: Operations[Resource][Verb] extends Operation
      ? Call<Operations[Resource][Verb]>
      : never
  }
}

type Call<Op extends Operation> = (input: InputOf<Op>, options?: CallOptions) => Promise<OutputOf<Op>>

export interface CallOptions {
  readonly signal?: AbortSignal
  /** A retry under the same key within 24 hours gets the first answer and stores nothing twice. */
  readonly idempotencyKey?: string
}

export interface ClientOptions {
  /** Address of the service, such as `http://localhost:4747`. */
  readonly baseUrl: string
  /** An API key: `pl_…`. */
  readonly apiKey: string
  /** Another fetch than the platform's. */
  readonly fetch?: typeof globalThis.fetch
}

/** The service refused a request, or failed at it; the message is the sentence that it answered. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly status: number
  /** Seconds after which another try makes sense, where the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, sentence: string, retryAfterSeconds: number | undefined) {
    super(sentence)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A client of one service under one key. Every call rejects with `RequestFailed` for a status of 400 or more. */
export function createClient(options: ClientOptions): Client {
  const resources = Object.entries(operations as Record<string, Record<string, Operation>>).map(
    ([resource, verbs]) => [
      resource,
      Object.fromEntries(
        Object.entries(verbs).map(([verb, operation]) => [
          verb,
          (input: object, call?: CallOptions) => send(operation, input, options, call),
        ]),
      ),
    ],
  )
  // Safe: the object was made from the operations that the type is made from.
  return Object.fromEntries(resources) as Client
}

async function send(
  operation: Operation,
  input: object,
  options: ClientOptions,
  call: CallOptions = {},
): Promise<unknown> {
  const { address, body } = travelling(operation, input as Record<string, unknown>)
  const headers: Record<string, string> = { authorization: `Bearer ${options.apiKey}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey
  const answer = await (options.fetch ?? fetch)(options.baseUrl.replace(/\/+$/, '') + address, {
    method: operation.method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  })
  const text = await answer.text()
  if (!answer.ok) throw failureOf(answer, text)
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return text === '' ? undefined : isJson ? JSON.parse(text) : text
}

/** The parts of an input by the way they travel: in the path, in the query, or as the JSON body. */
function travelling(
  { method, path }: Operation,
  input: Record<string, unknown>,
): { address: string; body?: string } {
  const inPath = new Set(pathFields(path))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(String(input[name])),
  )
  const rest = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined)
  if (!inputTravelsInQuery(method)) return { address: filled, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]))
  return { address: query.size === 0 ? filled : `${filled}?${query}` }
}

function failureOf(answer: Response, text: string): RequestFailed {
  let sentence = `The service answered ${answer.status}.`
  try {
    sentence = (JSON.parse(text) as { error: string }).error
  } catch {
    // A proxy in between may answer in its own words; the status is all there is then.
  }
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new RequestFailed(answer.status, sentence, Number.isFinite(retryAfter) ? retryAfter : undefined)
}
