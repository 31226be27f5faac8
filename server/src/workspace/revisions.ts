/** Detects changes that other nodes made in workspaces: before each request if there are several nodes, and by polling. */
import type { ControlStore } from '@plumbline/storage/control'
import { resultWithin } from '@plumbline/storage/result-within'

export interface Revisions {
  /** Reports the workspaces that other nodes have changed, created or deleted since the last poll. */
  poll(): Promise<void>
  /**
   * Resolves once this node knows all changes that other nodes had made in a workspace at the time of the call. If the
   * control store does not respond, it soon resolves with false, and cached data is used.
   */
  catchUp(workspaceId: string): Promise<boolean>
}

interface Batch {
  readonly workspaceIds: Set<string>
  /** Resolves with false if the control store does not respond. */
  readonly promise: Promise<boolean>
}

/** Longer than a query for a few rows takes, and short enough for a request to wait. */
const usualQueryTimeoutMs = 300

export function makeRevisions(
  control: Pick<ControlStore, 'revisions'>,
  onChanged: (workspaceId: string) => void,
  queryTimeoutMs = usualQueryTimeoutMs,
): Revisions {
  const knownRevisions = new Map<string, number>()
  // False from the first query without a response until the poll succeeds again, so that not every request waits in vain.
  let isAnswering = true
  let running: Promise<unknown> = Promise.resolve()
  let next: Batch | undefined

  /** Compares the stored revisions of these workspaces; one that is being deleted counts as gone. */
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
    // Later callers may need changes that this query does not see.
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
