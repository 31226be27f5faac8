/**
 * Facts that depend only on a span's attribute names. An instrumentation sets the same names in the same order on every
 * span, so they are computed once for all of its spans.
 */
import type { Convention } from './facts.ts'
import type { Attributes } from './span.ts'

/** An attribute with a prefix: its position, and the rest of its name. */
export interface NameBelow {
  readonly place: number
  readonly rest: string
}

export class AttributeNames {
  readonly names: readonly string[]
  readonly #places: ReadonlyMap<string, number>
  readonly #namespaces: ReadonlySet<string>
  /** A bit for each length of name, which rules out most absent names without a look-up. */
  readonly #lengths: number
  readonly #below = new Map<string, readonly NameBelow[]>()
  readonly #understoodBy = new Map<Convention, readonly number[]>()
  #present: readonly Convention[] | undefined

  constructor(names: readonly string[]) {
    this.names = names
    this.#places = new Map(names.map((name, place) => [name, place]))
    this.#namespaces = new Set(names.map(namespaceOf))
    this.#lengths = names.reduce((lengths, name) => lengths | lengthBit(name), 0)
  }

  /** The position of a name; undefined if the span has no such attribute. */
  placeOf(name: string): number | undefined {
    return (this.#lengths & lengthBit(name)) === 0 ? undefined : this.#places.get(name)
  }

  /** The names with a prefix. The cache stays small, since conventions use few prefixes. */
  below(prefix: string): readonly NameBelow[] {
    let namesBelow = this.#below.get(prefix)
    if (namesBelow === undefined) {
      namesBelow = this.names.flatMap((name, place) =>
        name.startsWith(prefix) ? [{ place, rest: name.slice(prefix.length) }] : [],
      )
      this.#below.set(prefix, namesBelow)
    }
    return namesBelow
  }

  /** The conventions whose namespaces occur among the names; the list must be the same in each call. */
  presentOf(conventions: readonly Convention[]): readonly Convention[] {
    this.#present ??= conventions.filter(
      ({ namespaces }) => namespaces?.some((namespace) => this.#namespaces.has(namespace)) ?? true,
    )
    return this.#present
  }

  /** The positions of names that a convention understands but does not read. */
  understoodBy(convention: Convention): readonly number[] {
    let places = this.#understoodBy.get(convention)
    if (places === undefined) {
      places = this.names.flatMap((name, place) => (convention.understands?.test(name) ? [place] : []))
      this.#understoodBy.set(convention, places)
    }
    return places
  }
}

/** Lengths wrap around at 32. */
const lengthBit = (name: string): number => 1 << (name.length & 31)

function namespaceOf(name: string): string {
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index)
    if (code === dot || code === colon) return name.slice(0, index)
  }
  return name
}
const [dot, colon] = [0x2e, 0x3a]

/** A node of a prefix tree over name sequences: each next name leads to another node. */
interface Beginning {
  readonly next: Map<string, Beginning>
  names: AttributeNames | undefined
}

/** Enough characters for some ten thousand different spans; without a limit, names that contain data would fill the memory. */
const rememberedCharactersMax = 1_000_000
/** Names past this number contain list indexes, and rarely repeat. */
const rememberedNamesMax = 100

const makeBeginning = (): Beginning => ({ next: new Map(), names: undefined })
let empty = makeBeginning()
let rememberedCharacters = 0

/** The names of some attributes; returns the same object for the same names in the same order. */
export function attributeNamesOf(attributes: Attributes): AttributeNames {
  const names = Object.keys(attributes)
  if (names.length > rememberedNamesMax) return new AttributeNames(names)
  let beginning = empty
  for (const name of names) {
    let next = beginning.next.get(name)
    if (next === undefined) {
      next = makeBeginning()
      beginning.next.set(name, next)
      rememberedCharacters += name.length
    }
    beginning = next
  }
  beginning.names ??= new AttributeNames(names)
  const attributeNames = beginning.names
  if (rememberedCharacters > rememberedCharactersMax) {
    empty = makeBeginning()
    rememberedCharacters = 0
  }
  return attributeNames
}
