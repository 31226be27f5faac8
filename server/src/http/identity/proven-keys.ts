/** API keys that were found in the store, and how long they may be accepted without it. */
import { LRUCache } from 'lru-cache'
import type { EndedKeys } from '../../process/foundation.ts'
import type { Caller } from '../../requests/verb.ts'

export interface ProvenKey {
  readonly caller: Caller
  readonly expiresAtMs: number
  /** Whether its workspace has changed, so that the key must be looked up again. */
  isStale: boolean
  /** When the key was last known to be valid. */
  knownAtMs: number
}

export interface ProvenKeys {
  get(hash: string): ProvenKey | undefined
  set(hash: string, entry: ProvenKey): void
  delete(hash: string): void
  /** Has the keys of a workspace looked up again. They are still accepted for a while if the store is unavailable. */
  markStale(workspaceId: string, nowMs: number): void
  end(keys: EndedKeys): void
}

/** How long a key is accepted while neither the store nor other nodes can confirm that it is valid. */
const unknownMsMax = 10 * 60_000

export const isOutdated = ({ knownAtMs }: ProvenKey, nowMs: number): boolean =>
  nowMs - knownAtMs > unknownMsMax

export function makeProvenKeys(): ProvenKeys {
  const entries = new LRUCache<string, ProvenKey>({ max: 10_000 })
  return {
    get: (hash) => entries.get(hash),
    set: (hash, entry) => void entries.set(hash, entry),
    delete: (hash) => void entries.delete(hash),
    markStale(workspaceId, nowMs) {
      for (const entry of entries.values()) {
        if (entry.caller.workspaceId !== workspaceId || entry.isStale) continue
        entry.isStale = true
        entry.knownAtMs = nowMs
      }
    },
    end({ workspaceId, id }) {
      for (const [hash, { caller }] of entries.entries())
        if (caller.workspaceId === workspaceId && (id === undefined || caller.id === id)) entries.delete(hash)
    },
  }
}
