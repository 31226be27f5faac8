/** Which tag goes where: what may be moved, and what a step back leads to. Pure. */
import type { PromptVersion, TagMove } from '@plumbline/sdk'

/** The tag that applications get which ask for none. */
export const productionTag = 'production'
/** The tag that the service itself keeps on the newest version. */
export const latestTag = 'latest'

export const isMovable = (tag: string): boolean => tag !== latestTag

/** The version that carries a tag now. */
export const holderOf = (tag: string, versions: readonly PromptVersion[]): string | undefined =>
  versions.find(({ tags }) => tags.includes(tag))?.version

/** All tags that can be moved, `production` first, also where nothing carries it yet. */
export function movableTags(versions: readonly PromptVersion[]): readonly string[] {
  const tagsInUse = versions.flatMap(({ tags }) => tags).filter(isMovable)
  return [...new Set([productionTag, ...tagsInUse.toSorted()])]
}

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
