/** Every record of the demo, made one after another: a million of them take no more memory than one session. */
import { type Calendar, makeCalendar } from './calendar.ts'
import { makeDatasets } from './datasets.ts'
import { codeReview } from './features/code-review.ts'
import { docsSearch } from './features/docs-search.ts'
import { experimentRun } from './features/experiment-run.ts'
import { invoices } from './features/invoices.ts'
import { sales } from './features/sales.ts'
import { support } from './features/support.ts'
import { translation } from './features/translation.ts'
import { readFixtureTraces } from './fixture-traces.ts'
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

/** What `metadata.demo` says in every made-up trace of a seed. */
export const markOf = (seed: number): string => `seed-${seed}`

/** The fractions of its multiples fill 0 to 1 evenly, however many there are. */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/**
 * Sessions without end. The times of any first part of them follow the rhythm of the calendar, so that more can
 * be added to what an earlier run has made.
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

/** What no session makes: traces of real frameworks, and odd ones. */
export function planSpecials({ seed, nowMs, days }: Omit<PlanParts, 'experiments'>): PlannedRecord[] {
  const calendar: Calendar = makeCalendar({ nowMs, days })
  return [...readFixtureTraces(calendar), ...makeOddTraces(seed, calendar)]
}
