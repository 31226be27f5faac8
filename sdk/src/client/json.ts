/** JSON of whatever an application hands over: it never throws at what a value is, since recording must not disturb what it records. */
import { hideCredential, isCredentialField, leftOut, withoutPassword } from './credentials.ts'
import { describeObject } from './describe-object.ts'

/** How much of a value a span may hold: leaves room below the service's limit of 16 MiB for the rest of it. */
export const contentCharsMax = 15 * 2 ** 20

/** The JSON of a value would be longer than it may be. */
export class TooLarge extends Error {
  constructor() {
    super('A value is larger than what can be sent; it was left out.')
  }
}

/**
 * A value as JSON text. What JSON cannot say is put into words: big integers, errors, maps, bytes, circles. Throws `TooLarge`
 * as soon as the text is sure to be longer than `charsMax`, before all of the value is read.
 */
export function toJson(value: unknown, charsMax = Number.POSITIVE_INFINITY): string {
  return JSON.stringify(copyValue(value, '', new CopyProgress(charsMax))) ?? 'null'
}

/** The application's own objects nest less; a chain of objects without an end must not exhaust the stack. */
const depthMax = 500
/** In a net of objects that refer to each other the ways through it are without number. */
const netCharsMax = 1e7
/** What a value counts in a net, beside its text: as its time is bounded too. */
const valueChars = 100

/** Where a copy is in its value, and how much it has copied. */
class CopyProgress {
  readonly ancestors = new Set<object>()
  /** What plain objects hold is the caller's to record; what instances of classes hold is often nobody's, such as a key. */
  place: 'data' | 'instance' | 'list of an instance' = 'data'
  hasCircle = false
  #netChars = 0
  #jsonChars = 0
  readonly #jsonCharsMax: number

  constructor(jsonCharsMax: number) {
    this.#jsonCharsMax = jsonCharsMax
  }

  /** At least so many characters of JSON are added. */
  add(chars: number): void {
    this.#netChars += valueChars + chars
    this.#jsonChars += chars
    if (this.#jsonChars > this.#jsonCharsMax) throw new TooLarge()
  }

  get isTooLargeNet(): boolean {
    return this.hasCircle && this.#netChars > netCharsMax
  }
}

/** What `JSON.stringify` makes the same text of; undefined for what it leaves out. */
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
  // Of dates and addresses their text; what others say of themselves may leave out what they hide.
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
  // As JSON does: what an object can do is not what it has.
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
    // One that is computed is not asked for.
    const { get, value: credential } = Object.getOwnPropertyDescriptor(value, name) ?? {}
    return get === undefined ? hideCredential(credential) : leftOut
  } catch {
    return '[unreadable]'
  }
}

/** An object that shows nothing of itself: what it calls itself, else its class. */
function nameObject(value: object): string {
  const text = String(value)
  if (!text.startsWith('[object ')) return text
  const tag = text.slice(8, -1)
  return `[${tag === 'Object' ? (value.constructor?.name ?? tag) : tag}]`
}
