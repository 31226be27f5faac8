/**
 * Which modules go into one file of the built page. The bundler makes a file for each set of modules that the same screens
 * use, more than fifty for one screen; here those are put together that cost the screens the least code they do not run.
 */

/** A file of a build in which nothing is put together yet. */
export interface ExactChunk {
  readonly file: string
  /** Ids of modules; none where the file is that of a screen and has to stay apart. */
  readonly modules: readonly string[]
  readonly imports: readonly string[]
  readonly bytes: number
  /** The screens that load it, by their places in a list. */
  readonly screens: ReadonlySet<number>
}

interface Group {
  readonly chunks: readonly ExactChunk[]
  readonly bytes: number
  readonly screens: ReadonlySet<number>
}

/** Groups of chunks, so that no screen loads more of them than `chunksMax` says for it if that can be. */
export function groupChunks(
  chunks: readonly ExactChunk[],
  chunksMax: (screen: number) => number,
): ExactChunk[][] {
  const entryChunks = chunks.filter(({ modules }) => modules.length === 0)
  let groups: Group[] = chunks
    .filter(({ modules }) => modules.length > 0)
    .map((chunk) => ({ chunks: [chunk], bytes: chunk.bytes, screens: chunk.screens }))
  for (;;) {
    const fullScreens = findFullScreens([...groups, ...entryChunks], chunksMax)
    const weights = weightsOf([...groups, ...entryChunks])
    const pair = fullScreens.size === 0 ? undefined : cheapestPair(groups, entryChunks, fullScreens, weights)
    if (pair === undefined) return groups.map((group) => [...group.chunks])
    const [first, second] = pair
    const merged = {
      chunks: [...first.chunks, ...second.chunks],
      bytes: first.bytes + second.bytes,
      screens: first.screens.union(second.screens),
    }
    groups = [...groups.filter((group) => group !== first && group !== second), merged]
  }
}

/** The screens that load more files than they may. */
function findFullScreens(
  groups: readonly { readonly screens: ReadonlySet<number> }[],
  chunksMax: (screen: number) => number,
): ReadonlySet<number> {
  const counts = new Map<number, number>()
  for (const { screens } of groups)
    for (const screen of screens) counts.set(screen, (counts.get(screen) ?? 0) + 1)
  return new Set([...counts].flatMap(([screen, count]) => (count > chunksMax(screen) ? [screen] : [])))
}

/** What a screen may load; in exact pieces, which gzip makes larger than they are together. */
const bytesMax = 150_000
/** From here on a byte weighs more for a screen. */
const bytesBefore = 0.8 * bytesMax

/** How much a byte in vain weighs for each screen: the more, the more it loads. */
function weightsOf(
  groups: readonly { readonly bytes: number; readonly screens: ReadonlySet<number> }[],
): ReadonlyMap<number, number> {
  const loads = new Map<number, number>()
  for (const { bytes, screens } of groups)
    for (const screen of screens) loads.set(screen, (loads.get(screen) ?? 0) + bytes)
  const steepness = 60 / (bytesMax - bytesBefore)
  return new Map(
    [...loads].map(([screen, bytes]) => [screen, 1 + Math.max(0, bytes - bytesBefore) * steepness]),
  )
}

/** The two groups that cost the least for each screen with too many files that has a file less. */
function cheapestPair(
  groups: readonly Group[],
  entryChunks: readonly ExactChunk[],
  fullScreens: ReadonlySet<number>,
  weights: ReadonlyMap<number, number>,
): readonly [Group, Group] | undefined {
  const weigh = (screens: ReadonlySet<number>): number =>
    [...screens].reduce((sum, screen) => sum + (weights.get(screen) ?? 1), 0)
  const pairs: { readonly pair: readonly [Group, Group]; readonly cost: number }[] = []
  for (const [index, first] of groups.entries())
    for (const second of groups.slice(0, index)) {
      const relieved = first.screens.intersection(second.screens).intersection(fullScreens).size
      if (relieved === 0) continue
      const unused =
        first.bytes * weigh(second.screens.difference(first.screens)) +
        second.bytes * weigh(first.screens.difference(second.screens))
      pairs.push({ pair: [first, second], cost: unused / relieved })
    }
  pairs.sort((a, b) => a.cost - b.cost)
  return pairs.find(({ pair }) => !wouldImportItself(pair, groups, entryChunks))?.pair
}

/** Whether a group of both would import another that imports it: what runs first would then not be said. */
function wouldImportItself(
  pair: readonly [Group, Group],
  groups: readonly Group[],
  entryChunks: readonly ExactChunk[],
): boolean {
  const groupOf = new Map(groups.flatMap((group) => group.chunks.map(({ file }) => [file, group] as const)))
  const importsOfFile = new Map(
    [...groups.flatMap((group) => group.chunks), ...entryChunks].map(({ file, imports }) => [file, imports]),
  )
  const own = new Set(pair.flatMap(({ chunks }) => chunks.map(({ file }) => file)))
  const others = [...own].flatMap((file) => importsOfFile.get(file) ?? []).filter((file) => !own.has(file))
  const visitedChunks = new Set<string>()
  while (others.length > 0) {
    const file = others.pop()!
    if (own.has(file)) return true
    if (visitedChunks.has(file)) continue
    visitedChunks.add(file)
    // A group loads all that any of its files imports.
    for (const { file: sibling } of groupOf.get(file)?.chunks ?? []) others.push(sibling)
    others.push(...(importsOfFile.get(file) ?? []))
  }
  return false
}
