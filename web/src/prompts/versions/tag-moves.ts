/** The rules of tag moves: which tags can be moved, and where a rollback leads. Pure. */
import type { TagMove } from '@plumbline/sdk'

/** The tag of applications that request none. */
export const productionTag = 'production'
/** The tag that the service keeps on the newest version. */
export const latestTag = 'latest'

export const isMovable = (tag: string): boolean => tag !== latestTag

/** The version that has each tag now. */
export type TagHolders = ReadonlyMap<string, string>

/** Derived from the moves, newest first: a tag is never removed from its prompt. */
export const holdersOf = (moves: readonly TagMove[]): TagHolders =>
  new Map(moves.toReversed().map(({ tag, to }) => [tag, to]))

/** The tags that a version has. */
export const tagsOn = (version: string, holders: TagHolders): string[] =>
  [...holders].flatMap(([tag, holder]) => (holder === version ? [tag] : []))

/** All tags that can be moved, `production` first, even if no version has it yet. */
export const movableTags = (holders: TagHolders): readonly string[] => [
  ...new Set([productionTag, ...[...holders.keys()].filter(isMovable).toSorted()]),
]

export interface StepBack {
  readonly tag: string
  readonly from: string
  readonly to: string
}

/**
 * A rollback returns the tag to the version that had it before the current one. It is a move as well, so a second
 * rollback undoes the first.
 */
export function stepBack(tag: string, moves: readonly TagMove[]): StepBack | undefined {
  const last = moves.find((move) => move.tag === tag)
  if (last?.from === undefined || last.from === last.to || !isMovable(tag)) return undefined
  return { tag, from: last.to, to: last.from }
}

/** Production first, then the others by name, and last the one that the service manages. */
export const sortTags = (tags: readonly string[]): readonly string[] =>
  tags.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))

const rank = (tag: string): number => (tag === productionTag ? 0 : tag === latestTag ? 2 : 1)
