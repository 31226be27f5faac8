/** Serializes any value. It never throws because of a value, since recording must not disturb the application. */
import { hideCredential, isCredentialField, leftOut, withoutPassword } from './credentials.ts'
import { describeObject } from './describe-object.ts'

/** Maximum size of the content of a span, which leaves room for the rest of it below the service's limit of 16 MiB. */
export const contentCharsMax = 15 * 2 ** 20

/** The JSON of a value would be too long. */
export class TooLarge extends Error {
  constructor() {
    super('A value is larger than what can be sent; it was left out.')
  }
}

/**
 * A value as JSON text. What JSON cannot represent is described in words: big integers, errors, maps, bytes, cycles. Throws
 * `TooLarge` as soon as the text is certain to exceed `charsMax`, without reading the rest of the value.
 */
export function toJson(value: unknown, charsMax = Number.POSITIVE_INFINITY): string {
  return JSON.stringify(copyValue(value, '', new CopyProgress(charsMax))) ?? 'null'
}

/** Deeper than real data; an endless chain of objects must not exhaust the stack. */
const depthMax = 500
/** Bounds graphs of objects that refer to each other, in which the number of paths explodes. */
const netCharsMax = 1e7
/** The cost of each value in such a graph, beside its text, which also bounds the time. */
const valueChars = 100

/** The position of a copy in its value, and the amount copied so far. */
class CopyProgress {
  readonly ancestors = new Set<object>()
  /** Plain objects are data to record, whereas instances of classes often hold internals, such as keys. */
  place: 'data' | 'instance' | 'list of an instance' = 'data'
  hasCircle = false
  #netChars = 0
  #jsonChars = 0
  readonly #jsonCharsMax: number

  constructor(jsonCharsMax: number) {
    this.#jsonCharsMax = jsonCharsMax
  }

  /** Counts characters of JSON: a lower bound of what is added. */
  add(chars: number): void {
    this.#netChars += valueChars + chars
    this.#jsonChars += chars
    if (this.#jsonChars > this.#jsonCharsMax) throw new TooLarge()
  }

  get isTooLargeNet(): boolean {
    return this.hasCircle && this.#netChars > netCharsMax
  }
}

/** Copies a value for `JSON.stringify`; undefined for values that it leaves out. */
function copyValue(value: unknown, key: string | number, progress: CopyProgress): unknown {
  if (progress.isTooLargeNet) return '[too large]'
  switch (typeof value) {
    case 'string':
      progress.add(value.length + 2)
      return progress.place === 'data' ? value : withoutPassword(value)
    case 'number':
      progress.add(numberChars(value))
      return value
    case 'bigint':
    case 'symbol':
      return copyValue(String(value), key, progress)
    case 'function':
      return copyValue(`[function ${value.name || 'without a name'}]`, key, progress)
    case 'object':
      if (value !== null) return copyObject(value, key, progress)
  }
  progress.add(4)
  return value
}

const numberChars = (value: number): number =>
  value >= 0 && value < 10 && Number.isInteger(value) ? 1 : Number.isFinite(value) ? String(value).length : 4

function copyObject(value: object, key: string | number, progress: CopyProgress): unknown {
  const { ancestors, place } = progress
  if (ancestors.has(value)) {
    progress.hasCircle = true
    return '[circular]'
  }
  if (ancestors.size >= depthMax) return '[too deep]'
  ancestors.add(value)
  try {
    return copyContent(value, key, progress)
  } catch (error) {
    if (error instanceof TooLarge) throw error
    return '[unreadable]'
  } finally {
    ancestors.delete(value)
    progress.place = place
  }
}

function copyContent(value: object, key: string | number, progress: CopyProgress): unknown {
  const isPlain = isPlainObject(value) || Array.isArray(value)
  const description = isPlain ? undefined : describeObject(value)
  if (description?.type === 'value') return copyValue(description.value, key, progress)
  if (description?.type === 'items') return copyItems(description.items, progress)
  if (description?.type === 'fields') return copyFields(description.fields, progress)
  if (!isPlain) progress.place = 'instance'
  // Dates and URLs become text; other classes may hide fields in their own serialization.
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const json: unknown = value.toJSON(String(key))
    if (json !== value) return copyValue(json, key, progress)
  }
  if (Array.isArray(value)) return copyItems(value, progress)
  const names = Object.keys(value)
  if (names.length === 0 && !isPlain) return copyValue(nameObject(value), key, progress)
  return copyOwnFields(value, names, progress)
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function copyItems(items: Iterable<unknown>, progress: CopyProgress): unknown[] {
  const copies: unknown[] = []
  if (progress.place === 'instance') progress.place = 'list of an instance'
  progress.add(1)
  for (const item of items) {
    progress.add(1)
    copies.push(copyValue(item, copies.length, progress))
  }
  return copies
}

function copyFields(fields: Iterable<readonly [string, unknown]>, progress: CopyProgress): object {
  const copy: Record<string, unknown> = {}
  progress.add(1)
  for (const [name, value] of fields)
    copyField(copy, name, isCredential(name, progress) ? hideCredential(value) : value, progress)
  return copy
}

function copyOwnFields(value: object, names: readonly string[], progress: CopyProgress): object {
  const copy: Record<string, unknown> = {}
  progress.add(1)
  for (const name of names)
    copyField(copy, name, readField(value, name, isCredential(name, progress)), progress)
  return copy
}

function copyField(
  copy: Record<string, unknown>,
  name: string,
  value: unknown,
  progress: CopyProgress,
): void {
  // Functions are left out, as in `JSON.stringify`.
  if (value === undefined || typeof value === 'function') return
  progress.add(name.length + 4)
  const field = copyValue(value, name, progress)
  if (name !== '__proto__') copy[name] = field
  else Object.defineProperty(copy, name, { value: field, enumerable: true })
}

const isCredential = (name: string, { place }: CopyProgress): boolean =>
  place !== 'data' && isCredentialField(name, place === 'list of an instance')

function readField(value: object, name: string, isHidden: boolean): unknown {
  try {
    if (!isHidden) return (value as Record<string, unknown>)[name]
    // Getters are not called.
    const { get, value: credential } = Object.getOwnPropertyDescriptor(value, name) ?? {}
    return get === undefined ? hideCredential(credential) : leftOut
  } catch {
    return '[unreadable]'
  }
}

/** Names an object without visible fields: its string form, else its class. */
function nameObject(value: object): string {
  const text = String(value)
  if (!text.startsWith('[object ')) return text
  const tag = text.slice(8, -1)
  return `[${tag === 'Object' ? (value.constructor?.name ?? tag) : tag}]`
}
