/** The version to use if the caller names none: the next patch of the highest existing `x.y.z`, or 1.0.0. */
export function nextVersion(versions: readonly string[]): string {
  const highest = versions
    .map(parse)
    .filter((parts) => parts !== undefined)
    .sort(compare)
    .at(-1)
  return highest === undefined ? '1.0.0' : `${highest[0]}.${highest[1]}.${highest[2] + 1n}`
}

type Parts = readonly [major: bigint, minor: bigint, patch: bigint]

/** Only plain `x.y.z` counts; other names have no successor. */
function parse(version: string): Parts | undefined {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version)
  if (match === null) return undefined
  return [BigInt(match[1] ?? 0), BigInt(match[2] ?? 0), BigInt(match[3] ?? 0)]
}

function compare(a: Parts, b: Parts): number {
  for (const place of [0, 1, 2] as const) {
    if (a[place] !== b[place]) return a[place] < b[place] ? -1 : 1
  }
  return 0
}
