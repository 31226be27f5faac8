/**
 * Tracks whether stored rows may have newer replacements. Only then do reads need the condition of `current-rows.ts`,
 * which costs as much as a small statement. An embedded engine has no other writer, so this process knows; a read
 * during which a replacement began is run again. On a server every read has the condition.
 */
import type { Parameters } from './clients.ts'
import { withoutOlderRows } from './current-rows.ts'

/** What the control plane knows about the replacements of all nodes. */
export interface CompletedReplacements {
  /** Every replacement below this revision is complete. */
  readonly endRevision: number
  /** Whether a replacement has begun and is not complete. */
  readonly isOneUnfinished: boolean
}

export interface Replacements {
  note(replacements: CompletedReplacements): void
  /** Runs a replacement; one that fails counts as unfinished until it is run again. */
  run<Result>(revision: number, replace: () => Promise<Result>): Promise<Result>
  /** Runs a statement with the condition and its parameter, or without it if all rows are current. */
  read<Row>(sql: string, run: (sql: string, parameters: Parameters) => Promise<Row[]>): Promise<Row[]>
}

export function makeReplacements({ isOnlyWriter }: { readonly isOnlyWriter: boolean }): Replacements {
  let replacedBelow = 1
  /** Whether all replacements of earlier processes are complete. */
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
    async read(sql, run) {
      const startedBefore = startedCount
      if (areAllComplete()) {
        const rows = await run(withoutOlderRows(sql), {})
        if (startedCount === startedBefore) return rows
      }
      return run(sql, { replacedBelow })
    },
  }
}
