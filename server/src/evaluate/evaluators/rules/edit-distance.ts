/** Only the beginnings of longer texts are compared, since the work grows with the product of the lengths. */
export const comparedLength = 3000

/** The Levenshtein distance: characters to add, remove or replace to turn one text into the other. */
export function editDistance(left: string, right: string): number {
  const [from, to] = [[...left], [...right]]
  let row = Uint32Array.from({ length: to.length + 1 }, (_, index) => index)
  let next = new Uint32Array(to.length + 1)
  for (let fromIndex = 1; fromIndex <= from.length; fromIndex++) {
    next[0] = fromIndex
    for (let toIndex = 1; toIndex <= to.length; toIndex++) {
      const replaced = row[toIndex - 1]! + (from[fromIndex - 1] === to[toIndex - 1] ? 0 : 1)
      next[toIndex] = Math.min(row[toIndex]! + 1, next[toIndex - 1]! + 1, replaced)
    }
    const previous = row
    row = next
    next = previous
  }
  return row[to.length]!
}

/** 1 for equal texts, 0 for texts with nothing in common. */
export function similarityOf(left: string, right: string): number {
  const [from, to] = [left.slice(0, comparedLength), right.slice(0, comparedLength)]
  const longest = Math.max([...from].length, [...to].length)
  return longest === 0 ? 1 : 1 - editDistance(from, to) / longest
}
