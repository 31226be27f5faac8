/** The traces of real frameworks in the repository's fixtures/traces, moved to the last days; installed alone, there are none. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log, Timestamp, Trace } from '@plumbline/sdk'
import type { Calendar } from './calendar.ts'
import { writeTime } from './run.ts'
import type { PlannedTrace } from './scene.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'traces')

/** Every fixture, spread over the last three days. */
export function readFixtureTraces({ startMs, endMs }: Calendar): PlannedTrace[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
  const firstMs = Math.max(startMs, endMs - 3 * 86_400_000)
  return files.map((name, at) => {
    // Safe: the folder holds bodies of traces only, and a test checks each against the contract.
    const body = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Trace
    const aimMs = firstMs + ((endMs - firstMs) * (at + 0.5)) / files.length
    return { of: 'trace', scores: [], body: moved(body, aimMs) }
  })
}

/** The same trace, begun at another time. */
function moved(body: Trace, aimMs: number): Trace {
  const byMs = aimMs - Date.parse(String(body.startTime))
  const shift = <Timed extends Trace | Log>(timed: Timed): Timed => ({
    ...timed,
    startTime: later(timed.startTime, byMs),
    endTime: later(timed.endTime, byMs),
  })
  return { ...shift(body), logs: body.logs?.map(shift) }
}

const later = (time: Timestamp | null | undefined, byMs: number): Timestamp | null =>
  typeof time === 'string' ? writeTime(Date.parse(time) + byMs) : null
