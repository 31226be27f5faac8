/**
 * Whose code, or rule, runs next. Threads are few, and code may take ten seconds: the workspace with the fewest threads comes
 * first, then that of its evaluators with the fewest, then who has waited longest since it last had one.
 */

/** On whose behalf something runs. */
export interface Turn {
  readonly workspaceId: string
  /** Tells evaluators of a workspace apart. */
  readonly source: string
}

export interface Turns {
  /** The one of those that wait that may begin now, by its place; undefined if none may. */
  next(waiting: readonly Turn[], running: readonly Turn[]): number | undefined
}

/** No workspace has all threads, so that another's code finds one free: one is left to others. */
export function makeTurns(threadsMax: number): Turns {
  const threadsOfOne = Math.max(1, threadsMax - 1)
  /** When each had its last turn, in turns. */
  const lastTurn = new Map<string, number>()
  let turns = 0

  return {
    next(waiting, running) {
      let best: { readonly at: number; readonly rank: readonly number[] } | undefined
      for (const [at, turn] of waiting.entries()) {
        const ofWorkspace = running.filter(({ workspaceId }) => workspaceId === turn.workspaceId)
        if (ofWorkspace.length >= threadsOfOne) continue
        const ofSource = ofWorkspace.filter(({ source }) => source === turn.source)
        const rank = [
          ofWorkspace.length,
          lastTurn.get(turn.workspaceId) ?? -1,
          ofSource.length,
          lastTurn.get(keyOf(turn)) ?? -1,
        ]
        if (best === undefined || isBefore(rank, best.rank)) best = { at, rank }
      }
      if (best === undefined) return undefined
      // Only those that wait or run are told apart by their last turn.
      if (waiting.length === 1 && running.length === 0) lastTurn.clear()
      const turn = waiting[best.at]!
      turns += 1
      lastTurn.set(turn.workspaceId, turns).set(keyOf(turn), turns)
      return best.at
    },
  }
}

const keyOf = ({ workspaceId, source }: Turn): string => `${workspaceId} ${source}`

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, place) => value !== other[place])
  return at !== -1 && one[at]! < other[at]!
}
