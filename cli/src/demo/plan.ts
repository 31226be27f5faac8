/** Generates the records of the demo one by one, so that a million take no more memory than one session. */
import { type Calendar, makeCalendar } from './calendar.ts'
import { makeDatasets } from './datasets.ts'
import { codeReview } from './features/code-review.ts'
import { docsSearch } from './features/docs-search.ts'
import { experimentRun } from './features/experiment-run.ts'
import { invoices } from './features/invoices.ts'
import { sales } from './features/sales.ts'
import { support } from './features/support.ts'
import { translation } from './features/translation.ts'
import { makeOddTraces } from './odd-traces.ts'
import { makePeople } from './people.ts'
import { makeRandom } from './random.ts'
import type { PlannedRecord, Scene, Session } from './scene.ts'

export interface PlanParts {
  readonly seed: number
  readonly nowMs: number
  readonly days: number
  readonly experiments: ReadonlyMap<string, string>
}

/** `metadata.demo` of every generated trace of a seed. */
export const markOf = (seed: number): string => `seed-${seed}`

/** The fractional parts of its multiples are evenly distributed from 0 to 1, for any number of them. */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/**
 * Endless sessions. The times of the first N sessions follow the rhythm of the calendar for any N, so that a later run can
 * add more.
 */
export function* planSessions({ seed, nowMs, days, experiments }: PlanParts): Generator<PlannedRecord> {
  const calendar = makeCalendar({ nowMs, days })
  const people = makePeople(seed)
  const kinds: readonly { weight: number; session: Session }[] = [
    { weight: 30, session: support },
    { weight: 34, session: docsSearch },
    { weight: 12, session: invoices },
    { weight: 6, session: translation },
    { weight: 9, session: codeReview },
    { weight: 6, session: sales },
    { weight: 1.2, session: experimentRun(makeDatasets(seed)) },
  ]
  for (let index = 0; ; index++) {
    const random = makeRandom(seed, 4, index)
    const scene: Scene = { random, calendar, people, experiments, mark: markOf(seed) }
    yield* random.weighted(kinds).session(scene, calendar.timeAt((index * goldenRatio) % 1))
  }
}

/** Records outside of sessions: traces of real frameworks, if available, and edge cases. */
export function planSpecials(
  { seed, nowMs, days }: Omit<PlanParts, 'experiments'>,
  readFixtureTraces: (calendar: Calendar) => PlannedRecord[] = () => [],
): PlannedRecord[] {
  const calendar: Calendar = makeCalendar({ nowMs, days })
  return [...readFixtureTraces(calendar), ...makeOddTraces(seed, calendar)]
}
