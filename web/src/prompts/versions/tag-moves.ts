/** Which tag goes where: what may be moved, and what a step back leads to. Pure. */
import type { TagMove } from '@plumbline/sdk'

/** The tag that applications get which ask for none. */
export const productionTag = 'production'
/** The tag that the service itself keeps on the newest version. */
export const latestTag = 'latest'

export const isMovable = (tag: string): boolean => tag !== latestTag

/** The version that has each tag now. */
export type TagHolders = ReadonlyMap<string, string>

/** Follows from the moves, newest first: a tag moves, and never leaves its prompt. */
export const holdersOf = (moves: readonly TagMove[]): TagHolders =>
  new Map(moves.toReversed().map(({ tag, to }) => [tag, to]))

/** The tags that a version has. */
export const tagsOn = (version: string, holders: TagHolders): string[] =>
  [...holders].flatMap(([tag, holder]) => (holder === version ? [tag] : []))

/** All tags that can be moved, `production` first, also where nothing has it yet. */
export const movableTags = (holders: TagHolders): readonly string[] => [
  ...new Set([productionTag, ...[...holders.keys()].filter(isMovable).toSorted()]),
]

export interface StepBack {
  readonly tag: string
  readonly from: string
  readonly to: string
}

/**
 * What a rollback of a tag does: it returns to the version that had it before the one that has it now. A step back is a
 * move as well, so a second one returns to where the first began.
 */
export function stepBack(tag: string, moves: readonly TagMove[]): StepBack | undefined {
  const last = moves.find((move) => move.tag === tag)
  if (last?.from === undefined || last.from === last.to || !isMovable(tag)) return undefined
  return { tag, from: last.to, to: last.from }
}

/** Production first, then the others by name, and last the one that the service keeps. */
export const sortTags = (tags: readonly string[]): readonly string[] =>
  tags.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))

const rank = (tag: string): number => (tag === productionTag ? 0 : tag === latestTag ? 2 : 1)
