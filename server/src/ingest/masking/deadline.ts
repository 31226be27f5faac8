/** The time that masking may take, here and in the worker. */

import type { StoredTrace } from '@plumbline/storage/traces'

/** When rules stop being applied; the rest is then masked whole. */
export interface Deadline {
  readonly isOver: () => boolean
}

export const noDeadline: Deadline = { isOver: () => false }

export const deadlineIn = (ms: number): Deadline => {
  const endsAt = performance.now() + ms
  return { isOver: () => performance.now() > endsAt }
}

/** The time that rules may take: far more than they need for anything but input made to slow them down. */
export const maskingMsFor = (bytes: number): number => 2000 + (bytes / 1024) * 4

/** The approximate size of stored traces in bytes: that of their texts. */
export const sizeOf = (traces: readonly StoredTrace[]): number =>
  traces
    .flatMap(({ trace, logs, scores }) => [trace, ...logs, ...scores])
    .flatMap((row) => Object.values(row))
    .reduce((size: number, cell: unknown) => size + (typeof cell === 'string' ? cell.length : 8), 0)

/** How long this thread may spend on one record; requests wait meanwhile. */
const atOnceMsMax = 10

class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

/** The result, or undefined if it takes longer than this thread may spend. */
export function maskAtOnce<Result>(mask: (deadline: Deadline) => Result): Result | undefined {
  const { isOver } = deadlineIn(atOnceMsMax)
  try {
    return mask({
      isOver: () => {
        if (isOver()) throw new BudgetSpent()
        return false
      },
    })
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined
    throw error
  }
}
