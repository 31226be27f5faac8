/** Gives conventions access to attributes, and records which ones they have read. */
import { type AttributeNames, attributeNamesOf } from './attribute-names.ts'
import {
  booleanOrUndefined,
  numberOrUndefined,
  objectOf,
  parseStructure,
  plainValue,
  recordOrUndefined,
  textOrUndefined,
} from './json-value.ts'
import type { AttributeValue, Span, SpanEvent } from './span.ts'

export class AttributeReader {
  readonly span: Span
  readonly names: AttributeNames
  /** In the order of the names. */
  readonly #values: readonly AttributeValue[]
  readonly #isUnderstood: boolean[]

  constructor(span: Span) {
    this.span = span
    this.names = attributeNamesOf(span.attributes)
    this.#values = Object.values(span.attributes)
    this.#isUnderstood = this.#values.map(() => false)
  }

  /** The value of the first of the keys that the span has; marks all of the keys as understood. */
  value(...keys: readonly string[]): unknown {
    return this.#first(keys, itself)
  }

  text(...keys: readonly string[]): string | undefined {
    return this.#first(keys, textOrUndefined)
  }

  number(...keys: readonly string[]): number | undefined {
    return this.#first(keys, numberOrUndefined)
  }

  boolean(...keys: readonly string[]): boolean | undefined {
    return this.#first(keys, booleanOrUndefined)
  }

  record(...keys: readonly string[]): Readonly<Record<string, unknown>> | undefined {
    return this.#first(keys, recordOrUndefined)
  }

  /** A value, parsed if it is JSON text; undefined for an empty text. */
  structure(...keys: readonly string[]): unknown {
    return this.#first(keys, structureOrUndefined)
  }

  has(key: string): boolean {
    return this.names.placeOf(key) !== undefined
  }

  /** Attributes with a prefix such as `metadata.`, by the rest of their names. */
  below(prefix: string): Record<string, unknown> | undefined {
    const entries = this.#entriesBelow(prefix)
    return entries.length === 0 ? undefined : objectOf(entries)
  }

  /**
   * Objects flattened as `prefix.N.rest`, in the order of N, which may be any number and may have gaps; each `rest` is
   * unflattened as well.
   */
  list(prefix: string): unknown[] | undefined {
    const items = new Map<number, [string, unknown][]>()
    for (const [rest, value] of this.#entriesBelow(`${prefix}.`, /^\d+(\.|$)/)) {
      const dot = rest.indexOf('.')
      const index = Number(dot === -1 ? rest : rest.slice(0, dot))
      const entries = items.get(index) ?? []
      if (entries.length === 0) items.set(index, entries)
      entries.push([dot === -1 ? '' : rest.slice(dot + 1), value])
    }
    if (items.size === 0) return undefined
    return [...items].sort(([a], [b]) => a - b).map(([, entries]) => unflatten(entries))
  }

  /** Events with these names. */
  events(...names: readonly string[]): readonly SpanEvent[] {
    return this.span.events.filter(({ name }) => names.includes(name))
  }

  /** Marks attributes as understood for which there is no field, by position. */
  understand(places: readonly number[]): void {
    for (const place of places) this.#isUnderstood[place] = true
  }

  /** Names of the attributes that no convention read. */
  notUnderstood(): readonly string[] {
    return this.#isUnderstood.includes(false)
      ? this.names.names.filter((_name, place) => !this.#isUnderstood[place])
      : []
  }

  #first<Value>(keys: readonly string[], read: (value: unknown) => Value | undefined): Value | undefined {
    let first: Value | undefined
    for (const key of keys) {
      const place = this.names.placeOf(key)
      if (place === undefined) continue
      this.#isUnderstood[place] = true
      first ??= read(this.#values[place])
    }
    return first
  }

  #entriesBelow(prefix: string, rest?: RegExp): [string, unknown][] {
    const entries: [string, unknown][] = []
    for (const { place, rest: after } of this.names.below(prefix)) {
      if (rest !== undefined && !rest.test(after)) continue
      this.#isUnderstood[place] = true
      entries.push([after, plainValue(this.#values[place])])
    }
    return entries
  }
}

const itself = (value: unknown): unknown => value

function structureOrUndefined(value: unknown): unknown {
  const read = parseStructure(value)
  return read === '' || read === null ? undefined : read
}

type Node = Map<string, Node | { readonly leaf: unknown }>

/** Turns `a.b.0.c` into `{a: {b: [{c}]}}`; levels whose keys are all numbers become arrays, in numeric order. */
function unflatten(entries: readonly [string, unknown][]): unknown {
  if (entries.length === 1 && entries[0]![0] === '') return entries[0]![1]
  const root: Node = new Map()
  for (const [path, value] of entries) {
    const steps = path.split('.').slice(0, stepsMax)
    let node = root
    for (const [index, step] of steps.entries()) {
      if (index === steps.length - 1) {
        if (!node.has(step)) node.set(step, { leaf: value })
        break
      }
      const next = node.get(step)
      if (next instanceof Map) node = next
      else {
        const child: Node = new Map()
        node.set(step, child)
        node = child
      }
    }
  }
  return toValue(root)
}

/** More than any convention needs; a name with a thousand dots is not a structure. */
const stepsMax = 40

function toValue(node: Node): unknown {
  const entries = [...node].map(([key, child]): [string, unknown] => [
    key,
    child instanceof Map ? toValue(child) : child.leaf,
  ])
  if (entries.length > 0 && entries.every(([key]) => /^\d{1,15}$/.test(key))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
  }
  return objectOf(entries)
}
