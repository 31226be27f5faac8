/** The effect of removing items from a queue, in words. Pure. */
import type { AnnotationItem } from '@plumbline/sdk'
import { exactNumber } from '../ui/text/format.ts'

/** The selected items that can be removed, and the facts for the confirmation. */
export interface Removal {
  readonly removable: readonly AnnotationItem[]
  /** How many of those a person is working on. */
  readonly claimedCount: number
  /** How many stay, since they have scores. */
  readonly keptCount: number
}

export function removalOf(items: readonly AnnotationItem[]): Removal {
  const has = (item: AnnotationItem, status: string): boolean =>
    item.turns.some((turn) => turn.status === status)
  const removable = items.filter((item) => !item.isDone && !has(item, 'judged'))
  return {
    removable,
    claimedCount: removable.filter((item) => has(item, 'held')).length,
    keptCount: items.length - removable.length,
  }
}

export const itemCountLabel = (count: number): string =>
  `${exactNumber(count)} ${count === 1 ? 'item' : 'items'}`

/** Why some selected items stay; undefined if none does. */
export function describeStayingItems(keptCount: number): string | undefined {
  if (keptCount === 0) return undefined
  return keptCount === 1
    ? '1 item stays because it has been annotated.'
    : `${exactNumber(keptCount)} items stay because they have been annotated.`
}

/** The consequences, in a sentence or two each. */
export function describeRemoval({ removable, claimedCount, keptCount }: Removal): readonly string[] {
  const pronoun = removable.length === 1
  const stays = describeStayingItems(keptCount)
  return [
    pronoun
      ? 'It will no longer be assigned to anyone, and the automatic feed will not add it again. Its trace is kept.'
      : 'They will no longer be assigned to anyone, and the automatic feed will not add them again. Their traces are kept.',
    ...(claimedCount === 0
      ? []
      : [
          `Someone is annotating ${pronoun ? 'it' : `${exactNumber(claimedCount)} of them`} right now. They will see this when they submit, and keep their input.`,
        ]),
    ...(stays === undefined ? [] : [stays]),
  ]
}
