/** Gives conventions access to attributes, and records each one read as understood. */
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
  /** A map, since conventions look up some hundred names. */
  readonly #attributes: ReadonlyMap<string, AttributeValue>
  readonly #namespaces: ReadonlySet<string>
  /** Bits of the lengths of its names, which tell most absent names without a look-up. */
  readonly #lengths: number
  readonly #understood = new Set<string>()

  constructor(span: Span) {
    this.span = span
    this.#attributes = new Map(Object.entries(span.attributes))
    const namespaces = new Set<string>()
    let lengths = 0
    for (const key of this.#attributes.keys()) {
      namespaces.add(namespaceOf(key))
      lengths |= 1 << (key.length & 31)
    }
    this.#namespaces = namespaces
    this.#lengths = lengths
  }

  /** Whether any attribute is in one of these namespaces. */
  hasAnyOf(namespaces: readonly string[]): boolean {
    return namespaces.some((namespace) => this.#namespaces.has(namespace))
  }

  /** The value of the first key that the span has; marks all of the keys as understood. */
  value(...keys: readonly string[]): unknown {
    let first: unknown
    for (const key of keys) {
      const value = this.#find(key)
      if (value === undefined) continue
      this.#understood.add(key)
      first ??= value
    }
    return first
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
    return this.#first(keys, (value) => {
      const read = parseStructure(value)
      return read === '' || read === null ? undefined : read
    })
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined
  }

  /** Attributes with a prefix such as `metadata.`, by the rest of their names. */
  below(prefix: string): Record<string, unknown> | undefined {
    const entries = this.#entriesBelow(prefix)
    return entries.length === 0 ? undefined : objectOf(entries)
  }

  /**
   * Objects flattened as `prefix.N.rest`, in the order of N, which may have gaps and be any number; unflattens each
   * `rest` as well.
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

  /** Marks attributes as understood that have no field of their own. */
  knows(test: (key: string) => boolean): void {
    for (const key of this.#attributes.keys()) if (test(key)) this.#understood.add(key)
  }

  /** Names of the attributes that no convention read. */
  notUnderstood(): string[] {
    return [...this.#attributes.keys()].filter((key) => !this.#understood.has(key))
  }

  #first<Value>(keys: readonly string[], read: (value: unknown) => Value | undefined): Value | undefined {
    let first: Value | undefined
    for (const key of keys) {
      const value = this.#find(key)
      if (value === undefined) continue
      this.#understood.add(key)
      first ??= read(value)
    }
    return first
  }

  #find(key: string): AttributeValue | undefined {
    return (this.#lengths & (1 << (key.length & 31))) === 0 ? undefined : this.#attributes.get(key)
  }

  #entriesBelow(prefix: string, rest?: RegExp): [string, unknown][] {
    const entries: [string, unknown][] = []
    for (const [key, value] of this.#attributes) {
      if (!key.startsWith(prefix)) continue
      const after = key.slice(prefix.length)
      if (rest !== undefined && !rest.test(after)) continue
      this.#understood.add(key)
      entries.push([after, plainValue(value)])
    }
    return entries
  }
}

function namespaceOf(key: string): string {
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index)
    if (code === dot || code === colon) return key.slice(0, index)
  }
  return key
}
const [dot, colon] = [0x2e, 0x3a]

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
