/**
 * Who fetches which version: counted in memory, since every run of an application may wait for a fetch, and written
 * down each second. What a crash takes with it is one second of counts.
 */
import type { NewPromptFetch, WorkspaceControlStore } from '@plumbline/storage/control'

/** One fetch by an API key. */
export type Fetch = Omit<NewPromptFetch, 'count' | 'firstAt' | 'lastAt'>

export interface FetchCounts {
  add(workspaceId: string, fetch: Fetch, time: Date): void
  /** Writes down what is counted in memory; what cannot be written is kept for the next time. */
  flush(): Promise<void>
}

declare module '../../workspace/workspace.ts' {
  interface Workspace {
    /** Who fetches which version of which prompt. */
    readonly fetchCounts: FetchCounts
  }
}

interface Counted extends Fetch {
  readonly workspaceId: string
  count: number
  firstAt: Date
  lastAt: Date
}

type FetchStore = Pick<WorkspaceControlStore['promptFetches'], 'add'>

/** So many different ones are counted while the store is away; what is fetched beyond them is not. */
const countedMax = 100_000
const hourMs = 3_600_000
/** The interface says ninety days. */
export const fetchesKeptMs = 90 * 24 * hourMs

export function makeFetchCounts(storeOf: (workspaceId: string) => FetchStore): FetchCounts {
  const counted = new Map<string, Counted>()

  return {
    add(workspaceId, fetch, time) {
      const { promptSlug, version, tag, apiKeyId } = fetch
      // Versions have no white space; a tag may, and so is the last.
      const key = `${apiKeyId} ${Math.floor(time.getTime() / hourMs)} ${promptSlug} ${version} ${tag}`
      const entry = counted.get(key)
      if (entry !== undefined) {
        entry.count += 1
        entry.lastAt = time
      } else if (counted.size < countedMax) {
        counted.set(key, { ...fetch, workspaceId, count: 1, firstAt: time, lastAt: time })
      }
    },
    async flush() {
      const byWorkspace = Map.groupBy(counted, ([, { workspaceId }]) => workspaceId)
      for (const [workspaceId, entries] of byWorkspace) {
        // Taken out before the store is asked, so that what is fetched meanwhile is counted anew.
        for (const [key] of entries) counted.delete(key)
        try {
          await storeOf(workspaceId).add(entries.map(([, fetches]) => fetches))
        } catch (error) {
          for (const [key, fetches] of entries) putBack(key, fetches)
          throw error
        }
      }
    },
  }

  function putBack(key: string, fetches: Counted): void {
    const since = counted.get(key)
    counted.set(
      key,
      since === undefined
        ? fetches
        : { ...since, count: since.count + fetches.count, firstAt: fetches.firstAt },
    )
  }
}
