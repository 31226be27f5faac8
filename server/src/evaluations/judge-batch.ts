/** A batch of rules: a few at a time, and no longer than others can wait. */
import type { Evaluation, Outcome } from '@plumbline/storage/control'

interface Trying {
  readonly tryOne: (of: Evaluation) => Promise<Outcome>
  readonly isStopped: () => boolean
}

/** Rules that their thread is asked at once. */
const atOnce = 5
/** What has not been judged then waits again, and other lanes have their turn. */
const batchMsMax = 500

/** What came of each; nothing of what is cut short by stopping, since that waits again. */
export async function judgeBatch(
  evaluations: readonly Evaluation[],
  { tryOne, isStopped }: Trying,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let endsAtMs = Infinity
  for (let at = 0; at < evaluations.length; at += atOnce) {
    if (isStopped()) return []
    const some = evaluations.slice(at, at + atOnce)
    if (performance.now() > endsAtMs) outcomes.push(...some.map(putOff))
    else outcomes.push(...(await Promise.all(some.map(tryOne))))
    // From when the first were judged, which have waited for the traces to be read.
    if (at === 0) endsAtMs = performance.now() + batchMsMax
  }
  return outcomes
}

/** It waits again, and has lost nothing. */
const putOff = (of: Evaluation): Outcome => ({
  of,
  type: 'again',
  problem: of.problem,
  dueAt: of.createdAt,
  isCharged: false,
})
