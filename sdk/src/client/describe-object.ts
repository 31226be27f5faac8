/** Words for objects whose content JSON cannot see, or must not show: those of the platform, errors, bytes, maps. */

import { isCredentialHeader, leftOut } from './credentials.ts'

type Field = readonly [string, unknown]

export type Description =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'items'; readonly items: Iterable<unknown> }
  | { readonly type: 'fields'; readonly fields: Iterable<Field> }

const asValue = (value: unknown): Description => ({ type: 'value', value })
const asItems = (items: Iterable<unknown>): Description => ({ type: 'items', items })
const asFields = (fields: object): Description => ({ type: 'fields', fields: Object.entries(fields) })

/** Undefined for an object that says by itself what it has. Nothing that the application reads is read here. */
export function describeObject(value: object): Description | undefined {
  if (value instanceof Error) return describeError(value)
  if (ArrayBuffer.isView(value)) return describeView(value)
  // By its tag, not its class: of other realms and of packages that bring their own there are several of each.
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  const describe = Object.hasOwn(describeByTag, tag) ? describeByTag[tag] : undefined
  return describe === undefined ? describeMachine(value) : describe(value as never)
}

/** The casts of the tags: what has another form is unreadable. */
const describeByTag: Readonly<Record<string, (value: never) => Description>> = {
  Error: describeError,
  DOMException: describeError,
  ArrayBuffer: (value: ArrayBuffer) => asValue(`[${value.byteLength} bytes]`),
  SharedArrayBuffer: (value: SharedArrayBuffer) => asValue(`[${value.byteLength} bytes]`),
  Map: describeMap,
  Set: (value: Set<unknown>) => asItems(value),
  Headers: (value: Headers) => asFields(withoutCredentials(value)),
  FormData: (value: FormData) => asFields(groupByName(value)),
  Blob: (value: Blob) => asValue(`[${value.type || 'Blob'}, ${value.size} bytes]`),
  File: (value: File) => asValue(`[${value.name}, ${value.type || 'File'}, ${value.size} bytes]`),
  Request: ({ method, url, headers }: Request) => asFields({ method, url, headers }),
  Response: ({ status, url, headers }: Response) => asFields({ status, ...(url && { url }), headers }),
  AbortSignal: ({ aborted, reason }: AbortSignal) =>
    aborted ? asFields({ aborted, reason }) : asValue('[AbortSignal]'),
}

function describeError(error: Error): Description {
  const { name, message, cause, errors } = error as Error & { readonly errors?: unknown }
  const className = error.constructor.name
  return asFields({
    // Clients of vendors name only the class.
    name: name === 'Error' && /(?:Error|Exception)$/.test(className) ? className : name,
    message,
    cause,
    ...(Array.isArray(errors) && { errors }),
  })
}

/** Bytes as their count, and vectors of numbers as what they are. */
function describeView(value: ArrayBufferView): Description {
  const isBytes = value instanceof DataView || Object(value).BYTES_PER_ELEMENT === 1
  // Safe: what is no `DataView` is a typed array.
  return isBytes ? asValue(`[${value.byteLength} bytes]`) : asItems(value as unknown as Iterable<unknown>)
}

/** An object where its keys can be names, else pairs. */
function describeMap(value: Map<unknown, unknown>): Description {
  for (const key of value.keys()) if (Object(key) === key) return asItems(value)
  return { type: 'fields', fields: nameKeys(value) }
}

function* nameKeys(value: Map<unknown, unknown>): Iterable<Field> {
  for (const [key, each] of value) yield [String(key), each]
}

/** What a header that signs somebody in says is nobody's to record. */
const withoutCredentials = (headers: Iterable<readonly [string, unknown]>): object =>
  Object.fromEntries(
    Array.from(headers, ([name, value]) => [name, isCredentialHeader(name) ? leftOut : value]),
  )

function groupByName(entries: Iterable<readonly [string, unknown]>): object {
  const groups = new Map<string, unknown[]>()
  for (const [name, value] of entries) groups.set(name, [...(groups.get(name) ?? []), value])
  return Object.fromEntries(Array.from(groups, ([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

interface NodeStream {
  readonly pipe?: unknown
  readonly emit?: unknown
  readonly removeListener?: unknown
  readonly method?: unknown
  readonly url?: unknown
  readonly headers?: unknown
}

/**
 * What a stream, a connection, a pool or a client has is its state, with addresses and credentials in it; of a request that a
 * server got, what was asked is said.
 */
function describeMachine(value: object): Description | undefined {
  // Nothing else is read of what is none: a field may be computed.
  const { pipe, emit, removeListener } = value as NodeStream
  const isEmitter = typeof emit === 'function' && typeof removeListener === 'function'
  if (isEmitter && typeof pipe === 'function') {
    const { method, url, headers } = value as NodeStream
    if (typeof method === 'string' && typeof url === 'string' && Object(headers) === headers)
      return asFields({ method, url, headers: withoutCredentials(Object.entries(headers as object)) })
  }
  return isEmitter || isClient(value) ? asValue(`[${value.constructor.name}]`) : undefined
}

/** Fields that the clients of vendors have, whatever a build has made of the names of their classes. */
const clientFields = [
  // OpenAI, Anthropic, and others that are generated alike.
  ['baseURL', 'maxRetries'],
  // Google.
  ['apiClient'],
  // AWS, whose commands have the first as well.
  ['middlewareStack', 'config'],
]

const isClient = (value: object): boolean =>
  clientFields.some((names) => names.every((name) => Object.hasOwn(value, name)))
