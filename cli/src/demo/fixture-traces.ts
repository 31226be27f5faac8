/** Traces of real frameworks from the repository's fixtures/traces, moved to the last days. The published package has none. */
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
  return files.map((name, index) => {
    // Safe: the folder contains only trace bodies, and a test checks each against the contract.
    const body = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Trace
    const startTimeMs = firstMs + ((endMs - firstMs) * (index + 0.5)) / files.length
    return { type: 'trace', scores: [], body: moveTo(body, startTimeMs) }
  })
}

/** The same trace at another start time. */
function moveTo(body: Trace, startTimeMs: number): Trace {
  const shiftMs = startTimeMs - Date.parse(String(body.startTime))
  const shiftAll = <Timed extends Trace | Log>(record: Timed): Timed => ({
    ...record,
    startTime: shiftTime(record.startTime, shiftMs),
    endTime: shiftTime(record.endTime, shiftMs),
  })
  return { ...shiftAll(body), logs: body.logs?.map(shiftAll) }
}

const shiftTime = (time: Timestamp | null | undefined, shiftMs: number): Timestamp | null =>
  typeof time === 'string' ? writeTime(Date.parse(time) + shiftMs) : null
