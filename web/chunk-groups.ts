/**
 * Groups modules into files of the built web app. The bundler creates a file for each set of modules used by the same
 * screens, more than fifty for one screen; this merges the files that add the least unused code to screens.
 */
import { gzipSync } from 'node:zlib'
import { bitsOf, countOf, indexesOf, type Screens } from './screen-bits.ts'

/** A file of a build before merging. */
export interface ExactChunk {
  readonly file: string
  /** Module ids; empty if the file is that of a screen and must stay separate. */
  readonly modules: readonly string[]
  readonly imports: readonly string[]
  readonly code: string
  /** The screens that load it, by index. */
  readonly screens: ReadonlySet<number>
  /** The screens that are blocked until it has loaded. */
  readonly waitingScreens: ReadonlySet<number>
}

/** Chunks that become one file. */
interface Group {
  readonly chunks: readonly ExactChunk[]
  readonly bytes: number
  readonly screens: Screens
  readonly waitingScreens: Screens
}

/** The groups that each group imports. */
type Graph = ReadonlyMap<Group, ReadonlySet<Group>>

/**
 * The number of already loaded bytes that multiplies the cost of a further byte by e. A small number favours the
 * largest screens, a large one the total; a greedy search cannot foresee which gives the best result.
 */
const bytesPerFactor = [20_000, 10_000, 7000, 5000]

/**
 * Groups chunks so that, if possible, no screen loads more than its `filesMax`: of several searches, the one whose
 * largest screen is the smallest.
 */
export function groupChunks(
  chunks: readonly ExactChunk[],
  filesMax: (screen: number) => number,
): ExactChunk[][] {
  const results = bytesPerFactor.map((bytes) => {
    const groups = search(chunks, filesMax, bytes)
    return { groups, largestLoad: Math.max(...loadsOf(groups, compressedBytes).values()) }
  })
  const { groups } = results.reduce((best, result) => (result.largestLoad < best.largestLoad ? result : best))
  return groups.filter(isShared).map((group) => [...group.chunks])
}

const isShared = ({ chunks }: Group): boolean => chunks.every(({ modules }) => modules.length > 0)

/** Merges the cheapest pair until no screen loads too many files. */
function search(
  chunks: readonly ExactChunk[],
  filesMax: (screen: number) => number,
  factorBytes: number,
): readonly Group[] {
  let groups: readonly Group[] = chunks.map((chunk) => ({
    chunks: [chunk],
    // Its approximate size as part of a larger file: compressed alone, a small file would appear much larger.
    bytes: chunk.code.length / 3,
    screens: bitsOf(chunk.screens),
    waitingScreens: bitsOf(chunk.waitingScreens),
  }))
  for (;;) {
    const fullScreens = fullScreensOf(groups, filesMax)
    if (fullScreens === 0n) return groups
    const graph = graphOf(groups)
    const pair = cheapestPair(groups, graph, fullScreens, factorBytes)
    if (pair === undefined) return groups
    groups = merge(groups, graph, pair)
  }
}

/** The screens that load too many files. */
function fullScreensOf(groups: readonly Group[], filesMax: (screen: number) => number): Screens {
  const counts = new Map<number, number>()
  for (const { screens } of groups)
    for (const screen of indexesOf(screens)) counts.set(screen, (counts.get(screen) ?? 0) + 1)
  return bitsOf([...counts].flatMap(([screen, count]) => (count > filesMax(screen) ? [screen] : [])))
}

/** The number of bytes that block each screen. */
function loadsOf(groups: readonly Group[], bytesOf: (group: Group) => number): ReadonlyMap<number, number> {
  const loads = new Map<number, number>()
  for (const group of groups) {
    const bytes = bytesOf(group)
    for (const screen of indexesOf(group.waitingScreens)) loads.set(screen, (loads.get(screen) ?? 0) + bytes)
  }
  return loads
}

const compressedBytes = ({ chunks }: Group): number =>
  gzipSync(chunks.map(({ code }) => code).join('\n')).length

function graphOf(groups: readonly Group[]): Graph {
  const groupOf = new Map(groups.flatMap((group) => group.chunks.map(({ file }) => [file, group] as const)))
  const importsOf = (group: Group): readonly Group[] =>
    group.chunks.flatMap(({ imports }) => imports.flatMap((file) => groupOf.get(file) ?? []))
  const allImportsOf = (group: Group): ReadonlySet<Group> => {
    const loaded = new Set<Group>()
    const waiting = [...importsOf(group)]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === group || loaded.has(next)) continue
      loaded.add(next)
      waiting.push(...importsOf(next))
    }
    return loaded
  }
  return new Map(groups.map((group) => [group, allImportsOf(group)]))
}

type Pair = readonly [Group, Group]

/** The pair of groups with the least cost per affected screen with too many files. */
function cheapestPair(
  groups: readonly Group[],
  graph: Graph,
  fullScreens: Screens,
  factorBytes: number,
): Pair | undefined {
  const costOfByte = new Map(
    [...loadsOf(groups, ({ bytes }) => bytes)].map(([screen, bytes]) => [
      screen,
      Math.exp(bytes / factorBytes),
    ]),
  )
  /** The cost of `bytes` more for these screens. */
  const costOf = (screens: Screens, bytes: number): number =>
    indexesOf(screens).reduce((sum, screen) => sum + (costOfByte.get(screen) ?? 1), 0) *
    Math.expm1(bytes / factorBytes)
  const pairs: { readonly pair: Pair; readonly cost: number; readonly relieved: number }[] = []
  const shared = groups.filter(isShared)
  for (const [index, first] of shared.entries())
    for (const second of shared.slice(0, index)) {
      const relieved = countOf(first.screens & second.screens & fullScreens)
      if (relieved === 0) continue
      const cost =
        costOf(second.waitingScreens & ~first.waitingScreens, first.bytes) +
        costOf(first.waitingScreens & ~second.waitingScreens, second.bytes)
      pairs.push({ pair: [first, second], cost, relieved })
    }
  pairs.sort((a, b) => a.cost / a.relieved - b.cost / b.relieved)
  let best: { readonly pair: Pair; readonly cost: number } | undefined
  for (const { pair, cost, relieved } of pairs) {
    // The imports of both count as well, so that no pair costs less than by itself.
    if (best !== undefined && cost / relieved >= best.cost) break
    if (wouldImportItself(pair, graph)) continue
    const more = loadedMore(pair, graph)
    const relievedWhole = more.reduce(
      (count, { screens }) => count - countOf(screens & fullScreens),
      relieved,
    )
    if (relievedWhole <= 0) continue
    const whole = more.reduce(
      (sum, { group, waitingScreens }) => sum + costOf(waitingScreens, group.bytes),
      cost,
    )
    if (best === undefined || whole / relievedWhole < best.cost) best = { pair, cost: whole / relievedWhole }
  }
  return best?.pair
}

/** The code that screens of one would additionally load because the other imports it. */
const loadedMore = ([first, second]: Pair, graph: Graph) =>
  [
    [first, second],
    [second, first],
  ].flatMap(([importing, other]) =>
    [...graph.get(importing!)!]
      .filter((group) => group !== other && (other!.screens & ~group.screens) !== 0n)
      .map((group) => ({
        group,
        screens: other!.screens & ~group.screens,
        waitingScreens: other!.waitingScreens & ~group.waitingScreens,
      })),
  )

/** Whether the merged group would be in an import cycle, which leaves the execution order undefined. */
const wouldImportItself = ([first, second]: Pair, graph: Graph): boolean => {
  const hasBetween = (importer: Group, last: Group): boolean =>
    [...graph.get(importer)!].some((group) => group !== last && graph.get(group)!.has(last))
  return hasBetween(first, second) || hasBetween(second, first)
}

/** A screen also loads everything its groups import. */
function merge(groups: readonly Group[], graph: Graph, [first, second]: Pair): readonly Group[] {
  const merged = {
    chunks: [...first.chunks, ...second.chunks],
    bytes: first.bytes + second.bytes,
    screens: first.screens | second.screens,
    waitingScreens: first.waitingScreens | second.waitingScreens,
  }
  const loaded = graph.get(first)!.union(graph.get(second)!)
  const others = groups
    .filter((group) => group !== first && group !== second)
    .map((group) =>
      loaded.has(group)
        ? {
            ...group,
            screens: group.screens | merged.screens,
            waitingScreens: group.waitingScreens | merged.waitingScreens,
          }
        : group,
    )
  return [...others, merged]
}
