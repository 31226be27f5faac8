/**
 * Which modules go into one file of the built page. The bundler makes a file for each set of modules that the same screens
 * use, more than fifty for one screen; here those are put together that cost the screens the least code they do not run.
 */
import { gzipSync } from 'node:zlib'
import { bitsOf, countOf, indexesOf, type Screens } from './screen-bits.ts'

/** A file of a build in which nothing is put together yet. */
export interface ExactChunk {
  readonly file: string
  /** Ids of modules; none where the file is that of a screen and has to stay apart. */
  readonly modules: readonly string[]
  readonly imports: readonly string[]
  readonly code: string
  /** The screens that load it, by their places in a list. */
  readonly screens: ReadonlySet<number>
  /** Those of them that show nothing before it is there. */
  readonly waitingScreens: ReadonlySet<number>
}

/** Chunks that become one file. */
interface Group {
  readonly chunks: readonly ExactChunk[]
  readonly bytes: number
  readonly screens: Screens
  readonly waitingScreens: Screens
}

/** The groups that each group loads with itself. */
type Graph = ReadonlyMap<Group, ReadonlySet<Group>>

/**
 * A byte costs a screen e times as much for so many bytes that it loads already. A small number spares the largest screens,
 * a large one the sum of all; a search that always takes the cheapest step does not foresee with which it ends best.
 */
const bytesPerFactor = [20_000, 10_000, 7000, 5000]

/**
 * Groups of chunks, so that no screen loads more of them than `filesMax` says for it if that can be: of several searches, the
 * one whose largest screen is the smallest.
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

/** Puts the two together that cost the least, until no screen loads too many files. */
function search(
  chunks: readonly ExactChunk[],
  filesMax: (screen: number) => number,
  factorBytes: number,
): readonly Group[] {
  let groups: readonly Group[] = chunks.map((chunk) => ({
    chunks: [chunk],
    // About what it has as a part of a larger file: compressed alone, a small one would seem much larger.
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

/** The screens that load more files than they may. */
function fullScreensOf(groups: readonly Group[], filesMax: (screen: number) => number): Screens {
  const counts = new Map<number, number>()
  for (const { screens } of groups)
    for (const screen of indexesOf(screens)) counts.set(screen, (counts.get(screen) ?? 0) + 1)
  return bitsOf([...counts].flatMap(([screen, count]) => (count > filesMax(screen) ? [screen] : [])))
}

/** How many bytes each screen waits for. */
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

/** The two groups that cost the least for each screen with too many files that has a file less. */
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
  /** What it costs that these screens wait for `bytes` more. */
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
    // What the two load with them costs as well, so that no pair costs less than it does by itself.
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

/** What screens of one of the two would load besides, because the other imports it. */
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

/** Whether a group of both would import another that imports it: what runs first would then not be said. */
const wouldImportItself = ([first, second]: Pair, graph: Graph): boolean => {
  const hasBetween = (importer: Group, last: Group): boolean =>
    [...graph.get(importer)!].some((group) => group !== last && graph.get(group)!.has(last))
  return hasBetween(first, second) || hasBetween(second, first)
}

/** All that a screen's group imports, the screen loads too. */
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
