/** The lines that two texts have in common are kept, and the others marked: what a person reads as a change. */

/** Beyond this many pairs of lines, what differs is shown as taken out and put in whole. */
const pairsMax = 4_000_000

/** Lines marked `-` (only before), `+` (only after) or with a space (both). */
export function lineDiff(before: string, after: string): string[] {
  const one = before === '' ? [] : before.split('\n')
  const other = after === '' ? [] : after.split('\n')
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start++
  let end = 0
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end))
    end++
  return [
    ...one.slice(0, start).map((line) => ` ${line}`),
    ...middle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...one.slice(one.length - end).map((line) => ` ${line}`),
  ]
}

/** By the longest common subsequence. */
function middle(one: readonly string[], other: readonly string[]): string[] {
  if (one.length * other.length > pairsMax)
    return [...one.map((line) => `-${line}`), ...other.map((line) => `+${line}`)]
  const width = other.length + 1
  const longest = new Uint32Array((one.length + 1) * width)
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      longest[i * width + j] =
        one[i] === other[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
  const lines: string[] = []
  let i = 0
  let j = 0
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      lines.push(` ${one[i]}`)
      i++
      j++
    } else if (
      i < one.length &&
      (j === other.length || longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)
    )
      lines.push(`-${one[i++]}`)
    else lines.push(`+${other[j++]}`)
  }
  return lines
}
