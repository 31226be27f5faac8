/** A line diff for people: keeps the common lines and marks the others. */

/** Beyond this many line pairs, the differing part is shown as removed and added in full. */
const pairsMax = 4_000_000

/** Lines marked `-` (only before), `+` (only after) or with a space (both). */
export function lineDiff(oldText: string, newText: string): string[] {
  const oldLines = oldText === '' ? [] : oldText.split('\n')
  const newLines = newText === '' ? [] : newText.split('\n')
  let start = 0
  while (start < oldLines.length && start < newLines.length && oldLines[start] === newLines[start]) start++
  let end = 0
  while (
    end < oldLines.length - start &&
    end < newLines.length - start &&
    oldLines.at(-1 - end) === newLines.at(-1 - end)
  )
    end++
  return [
    ...oldLines.slice(0, start).map((line) => ` ${line}`),
    ...diffMiddle(oldLines.slice(start, oldLines.length - end), newLines.slice(start, newLines.length - end)),
    ...oldLines.slice(oldLines.length - end).map((line) => ` ${line}`),
  ]
}

/** By the longest common subsequence. */
function diffMiddle(oldLines: readonly string[], newLines: readonly string[]): string[] {
  if (oldLines.length * newLines.length > pairsMax)
    return [...oldLines.map((line) => `-${line}`), ...newLines.map((line) => `+${line}`)]
  const width = newLines.length + 1
  const longest = new Uint32Array((oldLines.length + 1) * width)
  for (let i = oldLines.length - 1; i >= 0; i--)
    for (let j = newLines.length - 1; j >= 0; j--)
      longest[i * width + j] =
        oldLines[i] === newLines[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
  const lines: string[] = []
  let i = 0
  let j = 0
  while (i < oldLines.length || j < newLines.length) {
    if (i < oldLines.length && j < newLines.length && oldLines[i] === newLines[j]) {
      lines.push(` ${oldLines[i]}`)
      i++
      j++
    } else if (
      i < oldLines.length &&
      (j === newLines.length || longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)
    )
      lines.push(`-${oldLines[i++]}`)
    else lines.push(`+${newLines[j++]}`)
  }
  return lines
}
