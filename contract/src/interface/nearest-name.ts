/** The known name that was probably meant: the one with the fewest differences, ignoring case; undefined if none is close. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const lowerName = name.toLowerCase()
  const [nearest] = names
    .map((candidate) => ({ candidate, limit: Math.floor(candidate.length / 3) }))
    // The difference in length is a lower bound, and the name may be very long.
    .filter(({ candidate, limit }) => Math.abs(candidate.length - name.length) <= limit)
    .map(({ candidate, limit }) => ({
      candidate,
      limit,
      distance: distanceOf(lowerName, candidate.toLowerCase()),
    }))
    .filter(({ distance, limit }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return nearest?.candidate
}

/** The number of letters to insert, delete, substitute, or swap with the next. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let index = 1; index <= a.length; index += 1) {
    const row = [index]
    for (let to = 1; to <= b.length; to += 1) {
      const previousRow = rows[index - 1] ?? []
      const isSame = a[index - 1] === b[to - 1]
      const isSwapped = index > 1 && to > 1 && a[index - 1] === b[to - 2] && a[index - 2] === b[to - 1]
      row.push(
        Math.min(
          (previousRow[to] ?? 0) + 1,
          (row[to - 1] ?? 0) + 1,
          (previousRow[to - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (rows[index - 2]?.[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(row)
  }
  return rows.at(-1)?.at(-1) ?? 0
}
