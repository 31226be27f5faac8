/** Counts that are kept in memory, since every request may wait for them, and written from time to time. */
import { ControlStoreAway } from '@plumbline/storage/control'

interface FlushOptions<Count> {
  readonly write: (workspaceId: string, counts: readonly Count[]) => Promise<unknown>
  /** The sum of two counts with the same key. */
  readonly add: (older: Count, newer: Count) => Count
}

/** So many different counts are kept while the store is away; what would be counted beyond them is not. */
export const countsMax = 100_000

/**
 * Takes the counts out and writes those of each workspace. What cannot be written because the store is away is put
 * back for the next time. Any other error loses the counts of its workspace alone, which may have been deleted.
 * Rejects with the first error once all are tried.
 */
export async function flushCounts<Count extends { readonly workspaceId: string }>(
  counts: Map<string, Count>,
  { write, add }: FlushOptions<Count>,
): Promise<void> {
  const errors: unknown[] = []
  const byWorkspace = Map.groupBy(counts, ([, count]) => count.workspaceId)
  // Before the request to the store, so that what comes meanwhile is counted anew, and no other flush writes the same.
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
