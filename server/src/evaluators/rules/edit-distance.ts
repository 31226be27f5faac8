/** Longer texts are compared by their beginnings: the work grows with the product of the lengths. */
export const comparedLength = 3000

/** How many characters have to be added, removed or replaced to make one text of the other (Levenshtein). */
export function editDistance(one: string, other: string): number {
  const [from, to] = [[...one], [...other]]
  let row = Uint32Array.from({ length: to.length + 1 }, (_, at) => at)
  let next = new Uint32Array(to.length + 1)
  for (let at = 1; at <= from.length; at++) {
    next[0] = at
    for (let with_ = 1; with_ <= to.length; with_++) {
      const replaced = row[with_ - 1]! + (from[at - 1] === to[with_ - 1] ? 0 : 1)
      next[with_] = Math.min(row[with_]! + 1, next[with_ - 1]! + 1, replaced)
    }
    const kept = row
    row = next
    next = kept
  }
  return row[to.length]!
}

/** 1 for equal texts, 0 for texts with nothing in common. */
export function similarityOf(one: string, other: string): number {
  const [from, to] = [one.slice(0, comparedLength), other.slice(0, comparedLength)]
  const longest = Math.max([...from].length, [...to].length)
  return longest === 0 ? 1 : 1 - editDistance(from, to) / longest
}
