/** In-memory counts, so that requests need not wait for a store; they are stored from time to time. */
import { ControlStoreAway } from '@plumbline/storage/control'

interface FlushOptions<Count> {
  readonly write: (workspaceId: string, counts: readonly Count[]) => Promise<unknown>
  /** The sum of two counts with the same key. */
  readonly add: (older: Count, newer: Count) => Count
}

/** How many different counts are kept while the store is unavailable; counts beyond that are lost. */
export const countsMax = 100_000

/**
 * Takes all counts out and stores them by workspace. If the store is unavailable, they are put back for the next time. Any
 * other error loses only the counts of its workspace, which may have been deleted. Rejects with the first error once all are
 * tried.
 */
export async function flushCounts<Count extends { readonly workspaceId: string }>(
  counts: Map<string, Count>,
  { write, add }: FlushOptions<Count>,
): Promise<void> {
  const errors: unknown[] = []
  const byWorkspace = Map.groupBy(counts, ([, count]) => count.workspaceId)
  // Cleared before the store is called, so that later counts start anew and no other flush stores the same ones.
  counts.clear()
  for (const [workspaceId, entries] of byWorkspace) {
    try {
      await write(
        workspaceId,
        entries.map(([, count]) => count),
      )
    } catch (error) {
      errors.push(error)
      if (!(error instanceof ControlStoreAway)) continue
      for (const [key, count] of entries) {
        const newer = counts.get(key)
        if (newer !== undefined) counts.set(key, add(count, newer))
        else if (counts.size < countsMax) counts.set(key, count)
      }
    }
  }
  if (errors.length > 0) throw errors[0]
}
