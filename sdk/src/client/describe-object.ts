/** Describes objects whose content JSON cannot see or must not show: platform objects, errors, bytes, maps. */

import { isCredentialHeader, leftOut } from './credentials.ts'

type Field = readonly [string, unknown]

export type Description =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'items'; readonly items: Iterable<unknown> }
  | { readonly type: 'fields'; readonly fields: Iterable<Field> }

const asValue = (value: unknown): Description => ({ type: 'value', value })
const asItems = (items: Iterable<unknown>): Description => ({ type: 'items', items })
const asFields = (fields: object): Description => ({ type: 'fields', fields: Object.entries(fields) })

/** Undefined for an object that can be serialized by its fields. Never consumes bodies or streams of the application. */
export function describeObject(value: object): Description | undefined {
  if (value instanceof Error) return describeError(value)
  if (ArrayBuffer.isView(value)) return describeView(value)
  // By tag instead of class: each class can exist several times, in other realms and in polyfills.
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  const describe = Object.hasOwn(describeByTag, tag) ? describeByTag[tag] : undefined
  return describe === undefined ? describeMachine(value) : describe(value as never)
}

/** The casts trust the tags: reading an object of another form throws, which makes it unreadable. */
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
    // Vendor clients set only the class name.
    name: name === 'Error' && /(?:Error|Exception)$/.test(className) ? className : name,
    message,
    cause,
    ...(Array.isArray(errors) && { errors }),
  })
}

/** Describes bytes by their number, and lists the elements of numeric arrays. */
function describeView(value: ArrayBufferView): Description {
  const isBytes = value instanceof DataView || Object(value).BYTES_PER_ELEMENT === 1
  // Safe: all views except `DataView` are typed arrays.
  return isBytes ? asValue(`[${value.byteLength} bytes]`) : asItems(value as unknown as Iterable<unknown>)
}

/** As an object if its keys can be names, otherwise as pairs. */
function describeMap(value: Map<unknown, unknown>): Description {
  for (const key of value.keys()) if (Object(key) === key) return asItems(value)
  return { type: 'fields', fields: nameKeys(value) }
}

function* nameKeys(value: Map<unknown, unknown>): Iterable<Field> {
  for (const [key, each] of value) yield [String(key), each]
}

/** Headers with credentials must not be recorded. */
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
 * Streams, connections, pools and clients are only named, since their state contains addresses and credentials. Requests
 * received by a server are described by method, URL and headers.
 */
function describeMachine(value: object): Description | undefined {
  // Other fields are not read unless the object is a stream, since they may be computed.
  const { pipe, emit, removeListener } = value as NodeStream
  const isEmitter = typeof emit === 'function' && typeof removeListener === 'function'
  if (isEmitter && typeof pipe === 'function') {
    const { method, url, headers } = value as NodeStream
    if (typeof method === 'string' && typeof url === 'string' && Object(headers) === headers)
      return asFields({ method, url, headers: withoutCredentials(Object.entries(headers as object)) })
  }
  return isEmitter || isClient(value) ? asValue(`[${value.constructor.name}]`) : undefined
}

/** Fields that identify vendor clients, even if a build has minified their class names. */
const clientFields = [
  // OpenAI, Anthropic, and other clients generated in the same way.
  ['baseURL', 'maxRetries'],
  // Google.
  ['apiClient'],
  // AWS, whose commands also have the first field.
  ['middlewareStack', 'config'],
]

const isClient = (value: object): boolean =>
  clientFields.some((names) => names.every((name) => Object.hasOwn(value, name)))
