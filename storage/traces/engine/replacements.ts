/**
 * Whether rows may be stored that others replace. Reads need the condition of `current-rows.ts` only then, and it costs
 * as much as a simple sum. An embedded engine has no other writer, so that this process knows; a read during which a
 * replacement began is run again. Of a server every read has the condition.
 */
import type { Parameters } from './clients.ts'

/** What the control plane knows of replacements, on all nodes. */
export interface CompletedReplacements {
  /** Every replacement below this revision is complete. */
  readonly endRevision: number
  /** Whether one was begun that is not complete. */
  readonly isOneUnfinished: boolean
}

export interface Replacements {
  note(replacements: CompletedReplacements): void
  /** Runs a replacement; one that fails counts as unfinished until it is run again. */
  run<Result>(revision: number, replace: () => Promise<Result>): Promise<Result>
  /** Runs a statement with the parameters of the condition. */
  read<Row>(statement: (parameters: Parameters) => Promise<Row[]>): Promise<Row[]>
}

export function makeReplacements({ isOnlyWriter }: { readonly isOnlyWriter: boolean }): Replacements {
  let replacedBelow = 1
  /** Whether none is left of an earlier process. */
  let isFirstNoted = false
  let startedCount = 0
  const unfinished = new Set<number>()
  const areAllComplete = (): boolean => isOnlyWriter && isFirstNoted && unfinished.size === 0

  return {
    note({ endRevision, isOneUnfinished }) {
      replacedBelow = Math.max(replacedBelow, endRevision)
      if (!isOneUnfinished) isFirstNoted = true
    },
    async run(revision, replace) {
      startedCount += 1
      unfinished.add(revision)
      const result = await replace()
      unfinished.delete(revision)
      return result
    },
    async read(statement) {
      const begunBefore = startedCount
      if (areAllComplete()) {
        const rows = await statement({ replacedBelow, isGrowing: false })
        if (startedCount === begunBefore) return rows
      }
      return statement({ replacedBelow, isGrowing: true })
    },
  }
}
