/**
 * Chooses which workspace's code or rule runs next. Threads are few, and code may take ten seconds: the workspace with the
 * fewest threads comes first, within it the evaluator with the fewest, and on a tie the one that has waited longest.
 */

/** The workspace and evaluator that a task runs for. */
export interface TaskOwner {
  readonly workspaceId: string
  /** Identifies an evaluator within its workspace. */
  readonly source: string
}

export interface FairScheduler {
  /** The index of the waiting task that may start now; undefined if none may. */
  next(waitingTasks: readonly TaskOwner[], runningTasks: readonly TaskOwner[]): number | undefined
}

/** One thread is always reserved for other workspaces. */
export function makeFairScheduler(threadsMax: number): FairScheduler {
  const threadsPerWorkspaceMax = Math.max(1, threadsMax - 1)
  /** The ordinal of each owner's last start. */
  const lastStart = new Map<string, number>()
  let starts = 0

  return {
    next(waitingOwners, runningOwners) {
      let best: { readonly index: number; readonly rank: readonly number[] } | undefined
      for (const [index, owner] of waitingOwners.entries()) {
        const ofWorkspace = runningOwners.filter(({ workspaceId }) => workspaceId === owner.workspaceId)
        if (ofWorkspace.length >= threadsPerWorkspaceMax) continue
        const ofSource = ofWorkspace.filter(({ source }) => source === owner.source)
        const rank = [
          ofWorkspace.length,
          lastStart.get(owner.workspaceId) ?? -1,
          ofSource.length,
          lastStart.get(keyOf(owner)) ?? -1,
        ]
        if (best === undefined || isBefore(rank, best.rank)) best = { index, rank }
      }
      if (best === undefined) return undefined
      // When nothing else waits or runs, the history does not matter.
      if (waitingOwners.length === 1 && runningOwners.length === 0) lastStart.clear()
      const owner = waitingOwners[best.index]!
      starts += 1
      lastStart.set(owner.workspaceId, starts).set(keyOf(owner), starts)
      return best.index
    },
  }
}

const keyOf = ({ workspaceId, source }: TaskOwner): string => `${workspaceId} ${source}`

function isBefore(first: readonly number[], second: readonly number[]): boolean {
  const index = first.findIndex((value, position) => value !== second[position])
  return index !== -1 && first[index]! < second[index]!
}
