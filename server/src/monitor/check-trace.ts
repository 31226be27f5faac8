/** What a schema cannot say of a trace: times that exist, ids that are unique, parents without a cycle. */
import { invalid, type Log, type Timestamp, type Trace } from '@plumbline/contract'
import { TimeSlice } from '../time-slice.ts'
import { readTimestamp } from './timestamp.ts'

interface Timed {
  readonly startTime?: Timestamp | null | undefined
  readonly endTime?: Timestamp | null | undefined
}

/** Logs that are checked between two looks at the clock: most traces have fewer. */
const logsAtOnce = 1000

/** Checks a trace and its logs; throws `invalid_request`, and returns the sentences to warn with. */
export async function checkTrace(trace: Trace): Promise<string[]> {
  const warnings = checkTimes(trace, '')
  const { logs } = trace
  if (logs == null || logs.length === 0) return warnings
  const positions = new Map<string, number>()
  const slice = new TimeSlice()
  for (let at = 0; at < logs.length; at++) {
    if (at % logsAtOnce === logsAtOnce - 1 && slice.isOver) await slice.next()
    const log = logs[at] as Log
    const earlier = positions.get(log.id)
    if (earlier !== undefined) {
      throw invalid(`logs[${at}].id`, `must be unique in its trace, and logs[${earlier}] has it already`)
    }
    positions.set(log.id, at)
    for (const warning of checkTimes(log, `logs[${at}].`)) warnings.push(warning)
  }
  for (const warning of checkParents(logs, positions)) warnings.push(warning)
  return warnings
}

/** Checks the times of a trace or log at `path`; throws `invalid_request`, and warns of an end before the start. */
export function checkTimes({ startTime, endTime }: Timed, path: string): string[] {
  const start = checkTime(startTime, `${path}startTime`)
  const end = checkTime(endTime, `${path}endTime`)
  if (start === undefined || end === undefined || end >= start) return []
  return [`${path}endTime is before ${path}startTime; both are stored as sent.`]
}

function checkTime(value: Timestamp | null | undefined, path: string): bigint | undefined {
  if (value == null) return undefined
  const micros = readTimestamp(value)
  if (micros === undefined) {
    throw invalid(
      path,
      'must be an ISO 8601 date-time that exists, such as 2025-01-31T10:00:00Z, or a Unix time',
    )
  }
  return micros
}

/** Each log is followed up to a root once: O(n) for any depth. */
function checkParents(logs: readonly Log[], positions: ReadonlyMap<string, number>): string[] {
  const warnings: string[] = []
  const parents = logs.map(({ parentId }, at) => {
    if (parentId == null) return -1
    const parent = positions.get(parentId)
    if (parent === undefined)
      warnings.push(`logs[${at}].parentId names no log of this trace; the log is stored as a root.`)
    return parent ?? -1
  })
  const isRooted = new Uint8Array(logs.length)
  const walkedIn = new Int32Array(logs.length).fill(-1)
  for (let start = 0; start < logs.length; start++) {
    let at = start
    while (at >= 0 && isRooted[at] === 0) {
      if (walkedIn[at] === start)
        throw invalid(`logs[${at}].parentId`, 'must not lead back to the log itself')
      walkedIn[at] = start
      at = parents[at] as number
    }
    for (at = start; at >= 0 && isRooted[at] === 0; at = parents[at] as number) isRooted[at] = 1
  }
  return warnings
}
