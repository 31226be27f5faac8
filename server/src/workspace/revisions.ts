/** Hears of what other nodes changed in workspaces: before each request where there are several nodes, and by a poll. */
import type { ControlStore } from '@plumbline/storage/control'
import { resultWithin } from '@plumbline/storage/result-within'

export interface Revisions {
  /** Tells which workspaces other nodes have changed since the last time, new and deleted ones too. */
  poll(): Promise<void>
  /**
   * Resolves when what other nodes had changed in a workspace at the time of the call is known here. When the control
   * store does not respond it resolves with false after a moment: what is in memory serves meanwhile.
   */
  catchUp(workspaceId: string): Promise<boolean>
}

interface Batch {
  readonly workspaceIds: Set<string>
  /** False without a response of the control store. */
  readonly promise: Promise<boolean>
}

/** Longer than any query for a few rows takes, and short enough for a request to wait. */
const usualQueryTimeoutMs = 300

export function makeRevisions(
  control: Pick<ControlStore, 'revisions'>,
  onChanged: (workspaceId: string) => void,
  queryTimeoutMs = usualQueryTimeoutMs,
): Revisions {
  const knownRevisions = new Map<string, number>()
  // False from the first query without a response until the poll succeeds again: not each request waits in vain.
  let isAnswering = true
  let running: Promise<unknown> = Promise.resolve()
  let next: Batch | undefined

  /** Compares what the store says of these workspaces; one that is being deleted is no longer there. */
  const compare = (workspaceIds: Iterable<string>, revisions: ReadonlyMap<string, number>): void => {
    for (const workspaceId of workspaceIds) {
      const revision = revisions.get(workspaceId)
      if (knownRevisions.get(workspaceId) === revision) continue
      if (revision === undefined) knownRevisions.delete(workspaceId)
      else knownRevisions.set(workspaceId, revision)
      onChanged(workspaceId)
    }
  }

  const noResponse = (): false => {
    isAnswering = false
    return false
  }

  const readBatch = async (): Promise<boolean> => {
    const { workspaceIds } = next!
    // Who calls from now on may have to hear of something that this query does not see.
    next = undefined
    try {
      const revisions = await resultWithin(queryTimeoutMs, control.revisions([...workspaceIds]))
      if (revisions === undefined) return noResponse()
      compare(workspaceIds, revisions)
      return true
    } catch {
      return noResponse()
    }
  }

  return {
    async poll() {
      const revisions = await control.revisions()
      compare(new Set([...revisions.keys(), ...knownRevisions.keys()]), revisions)
      isAnswering = true
    },
    async catchUp(workspaceId) {
      if (!isAnswering) return false
      if (next === undefined) {
        const promise = running.then(readBatch)
        next = { workspaceIds: new Set(), promise }
        running = promise
      }
      next.workspaceIds.add(workspaceId)
      return next.promise
    },
  }
}
