/** Attributes as the conventions ask for them; whatever is asked for counts as understood. */
import {
  booleanOrUndefined,
  numberOrUndefined,
  objectOf,
  plainValue,
  recordOrUndefined,
  structured,
  textOrUndefined,
} from './json-value.ts'
import type { AttributeValue, Span, SpanEvent } from './span.ts'

export class SpanReader {
  readonly span: Span
  /** A map, since each of some hundred names is asked for. */
  readonly #attributes: ReadonlyMap<string, AttributeValue>
  readonly #namespaces: ReadonlySet<string>
  readonly #understood = new Set<string>()

  constructor(span: Span) {
    this.span = span
    this.#attributes = new Map(Object.entries(span.attributes))
    this.#namespaces = new Set([...this.#attributes.keys()].map((key) => key.split(/[.:]/, 1)[0]!))
  }

  /** Whether a name begins with one of these words. */
  hasAnyOf(namespaces: readonly string[]): boolean {
    return namespaces.some((namespace) => this.#namespaces.has(namespace))
  }

  /** The value of the first of these keys that the span has; every key counts as understood. */
  value(...keys: readonly string[]): unknown {
    let found: unknown
    for (const key of keys) {
      const value = this.#attributes.get(key)
      if (value === undefined) continue
      this.#understood.add(key)
      found ??= value
    }
    return found
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

  /** A value whose JSON text, if it is one, is read; an empty text is none. */
  structure(...keys: readonly string[]): unknown {
    return this.#first(keys, (value) => {
      const read = structured(value)
      return read === '' || read === null ? undefined : read
    })
  }

  has(key: string): boolean {
    return this.#attributes.has(key)
  }

  /** Attributes below a prefix such as `metadata.`, by what follows it. */
  below(prefix: string): Record<string, unknown> | undefined {
    const found = this.#entriesBelow(prefix)
    return found.length === 0 ? undefined : objectOf(found)
  }

  /**
   * Objects that were flattened as `prefix.N.rest`, in the order of N, which may have gaps and be any number;
   * below each, `rest` is unfolded again.
   */
  list(prefix: string): unknown[] | undefined {
    const items = new Map<number, [string, unknown][]>()
    for (const [rest, value] of this.#entriesBelow(`${prefix}.`, /^\d+(\.|$)/)) {
      const dot = rest.indexOf('.')
      const at = Number(dot === -1 ? rest : rest.slice(0, dot))
      const entries = items.get(at) ?? []
      if (entries.length === 0) items.set(at, entries)
      entries.push([dot === -1 ? '' : rest.slice(dot + 1), value])
    }
    if (items.size === 0) return undefined
    return [...items].sort(([a], [b]) => a - b).map(([, entries]) => unfold(entries))
  }

  /** Events of these names; their attributes are understood with them. */
  events(...names: readonly string[]): readonly SpanEvent[] {
    return this.span.events.filter(({ name }) => names.includes(name))
  }

  /** Marks what is kept and has no field of its own. */
  knows(test: (key: string) => boolean): void {
    for (const key of this.#attributes.keys()) if (test(key)) this.#understood.add(key)
  }

  /** Names of the attributes that nobody asked for. */
  notUnderstood(): string[] {
    return [...this.#attributes.keys()].filter((key) => !this.#understood.has(key))
  }

  #first<Value>(keys: readonly string[], read: (value: unknown) => Value | undefined): Value | undefined {
    let found: Value | undefined
    for (const key of keys) {
      const value = this.#attributes.get(key)
      if (value === undefined) continue
      this.#understood.add(key)
      found ??= read(value)
    }
    return found
  }

  #entriesBelow(prefix: string, rest?: RegExp): [string, unknown][] {
    const found: [string, unknown][] = []
    for (const [key, value] of this.#attributes) {
      if (!key.startsWith(prefix)) continue
      const after = key.slice(prefix.length)
      if (rest !== undefined && !rest.test(after)) continue
      this.#understood.add(key)
      found.push([after, plainValue(value)])
    }
    return found
  }
}

type Node = Map<string, Node | { readonly leaf: unknown }>

/** `a.b.0.c` as `{a: {b: [{c}]}}`; levels whose keys are all numbers become arrays, in their order. */
function unfold(entries: readonly [string, unknown][]): unknown {
  if (entries.length === 1 && entries[0]![0] === '') return entries[0]![1]
  const root: Node = new Map()
  for (const [path, value] of entries) {
    const steps = path.split('.').slice(0, stepsMax)
    let at = root
    for (const [index, step] of steps.entries()) {
      if (index === steps.length - 1) {
        if (!at.has(step)) at.set(step, { leaf: value })
        break
      }
      const next = at.get(step)
      if (next instanceof Map) at = next
      else {
        const made: Node = new Map()
        at.set(step, made)
        at = made
      }
    }
  }
  return folded(root)
}

/** More than any convention needs; a name of a thousand dots is no structure. */
const stepsMax = 40

function folded(node: Node): unknown {
  const entries = [...node].map(([key, below]): [string, unknown] => [
    key,
    below instanceof Map ? folded(below) : below.leaf,
  ])
  if (entries.length > 0 && entries.every(([key]) => /^\d{1,15}$/.test(key))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
  }
  return objectOf(entries)
}
