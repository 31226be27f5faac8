/**
 * Counts which API key fetches which version: in memory, since every run of an application may wait for a fetch, and stored
 * each second. A crash loses at most one second of counts.
 */
import type { NewPromptFetch, WorkspaceControlStore } from '@plumbline/storage/control'
import { countsMax, flushCounts } from '../../workspace/flush-counts.ts'

/** One fetch by an API key. */
export type Fetch = Omit<NewPromptFetch, 'count' | 'firstAt' | 'lastAt'>

export interface FetchCounts {
  add(workspaceId: string, fetch: Fetch, time: Date): void
  /** Stores the in-memory counts; while the store is unavailable they are kept for the next time. */
  flush(): Promise<void>
}

declare module '../../workspace/workspace.ts' {
  interface Workspace {
    /** The fetch counts of prompt versions. */
    readonly fetchCounts: FetchCounts
  }
}

interface Count extends Fetch {
  readonly workspaceId: string
  count: number
  firstAt: Date
  lastAt: Date
}

type FetchStore = Pick<WorkspaceControlStore['promptFetches'], 'add'>

const hourMs = 3_600_000
/** The interface promises ninety days. */
export const fetchesKeptMs = 90 * 24 * hourMs

export function makeFetchCounts(storeOf: (workspaceId: string) => FetchStore): FetchCounts {
  const counted = new Map<string, Count>()

  return {
    add(workspaceId, fetch, time) {
      const { promptSlug, version, tag, apiKeyId } = fetch
      // Versions contain no white space; a tag may, so it comes last.
      const key = `${apiKeyId} ${Math.floor(time.getTime() / hourMs)} ${promptSlug} ${version} ${tag}`
      const entry = counted.get(key)
      if (entry !== undefined) {
        entry.count += 1
        entry.lastAt = time
      } else if (counted.size < countsMax) {
        counted.set(key, { ...fetch, workspaceId, count: 1, firstAt: time, lastAt: time })
      }
    },
    flush: () =>
      flushCounts(counted, {
        write: (workspaceId, counts) => storeOf(workspaceId).add(counts),
        add: (older, newer) => ({ ...newer, count: older.count + newer.count, firstAt: older.firstAt }),
      }),
  }
}
