/** Sets of screens as bits: the search for file groups computes millions of unions. */

/** A bit for each screen, by index. */
export type Screens = bigint

export const bitsOf = (screens: Iterable<number>): Screens => {
  let bits = 0n
  for (const screen of screens) bits |= 1n << BigInt(screen)
  return bits
}

const indexes = new Map<Screens, readonly number[]>()

export function indexesOf(screens: Screens): readonly number[] {
  const cachedIndexes = indexes.get(screens)
  if (cachedIndexes !== undefined) return cachedIndexes
  const places = [...screens.toString(2)].reverse().flatMap((bit, place) => (bit === '1' ? [place] : []))
  indexes.set(screens, places)
  return places
}

export const countOf = (screens: Screens): number => indexesOf(screens).length
