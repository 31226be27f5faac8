import { exactNumber } from '../ui/text/format.ts'

/** The result of adding to a queue, as a sentence. */
export function describeAddedItems({
  added: addedCount,
  existing,
}: {
  readonly added: number
  readonly existing: number
}): string {
  const items = (count: number): string => `${exactNumber(count)} ${count === 1 ? 'item' : 'items'}`
  if (addedCount === 0 && existing === 0) return 'No traces match: nothing was added'
  if (existing === 0) return `Added ${items(addedCount)}`
  return addedCount === 0
    ? `All ${items(existing)} were already in the queue`
    : `Added ${items(addedCount)}; ${exactNumber(existing)} were already there`
}
