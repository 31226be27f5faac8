/** Checks of a trace beyond its schema: times that exist, unique ids, parents without a cycle. */
import { invalid, type Log, type Timestamp, type Trace } from '@plumbline/contract'
import { TimeSlice } from '../../json/time-slice.ts'
import { microsOf, readTimestamp } from '../../json/timestamp.ts'
import { checkNumbers } from '../usage/check-numbers.ts'
import { type Times, warningOfTimes } from './trace-times.ts'

interface TimeFields {
  readonly startTime?: Timestamp | null | undefined
  readonly endTime?: Timestamp | null | undefined
}

/** How many logs are checked before the clock is read again; most traces have fewer. */
const logsPerSlice = 1000

/** Checks a trace that arrived at `now` and its logs; throws `invalid_request`, and returns warnings. */
export async function checkTrace(trace: Trace, now: Date): Promise<string[]> {
  const times = checkTimes(trace, '')
  const arrivalUs = microsOf(now)
  const { logs } = trace
  if (logs == null || logs.length === 0) return warningOfTimes(times, [], arrivalUs)
  const timesOfLogs: Times[] = []
  const warnings: string[] = []
  const positions = new Map<string, number>()
  const slice = new TimeSlice()
  for (let index = 0; index < logs.length; index++) {
    if (index % logsPerSlice === logsPerSlice - 1 && slice.isOver) await slice.next()
    const log = logs[index] as Log
    const earlier = positions.get(log.id)
    if (earlier !== undefined) {
      throw invalid(`logs[${index}].id`, `must be unique in its trace, and logs[${earlier}] has it already`)
    }
    positions.set(log.id, index)
    const timesOfLog = checkTimes(log, `logs[${index}].`)
    timesOfLogs.push(timesOfLog)
    if (isReversed(timesOfLog))
      warnings.push(`logs[${index}].endTime is before logs[${index}].startTime; both are stored as sent.`)
    if (log.type === 'generation')
      for (const warning of checkNumbers(log, `logs[${index}].`)) warnings.push(warning)
  }
  for (const warning of await checkParents(logs, positions, slice)) warnings.push(warning)
  return [...warningOfTimes(times, timesOfLogs, arrivalUs), ...warnings]
}

/** Reads the times of a trace or log at `path`; throws `invalid_request`. */
export const checkTimes = ({ startTime, endTime }: TimeFields, path: string): Times => ({
  startUs: checkTime(startTime, `${path}startTime`),
  endUs: checkTime(endTime, `${path}endTime`),
})

const isReversed = ({ startUs, endUs }: Times): boolean =>
  startUs !== null && endUs !== null && endUs < startUs

function checkTime(value: Timestamp | null | undefined, path: string): bigint | null {
  if (value == null) return null
  const micros = readTimestamp(value)
  if (micros === undefined) {
    throw invalid(
      path,
      'must be an ISO 8601 date-time that exists, such as 2025-01-31T10:00:00Z, or a Unix time',
    )
  }
  return micros
}

/** Follows each log to its root at most once, so it takes O(n) for any depth. */
async function checkParents(
  logs: readonly Log[],
  positions: ReadonlyMap<string, number>,
  slice: TimeSlice,
): Promise<string[]> {
  const warnings: string[] = []
  const parents = new Int32Array(logs.length).fill(-1)
  for (let index = 0; index < logs.length; index++) {
    if (index % logsPerSlice === logsPerSlice - 1 && slice.isOver) await slice.next()
    const { parentId } = logs[index] as Log
    if (parentId == null) continue
    const parent = positions.get(parentId)
    if (parent !== undefined) parents[index] = parent
    else warnings.push(`logs[${index}].parentId names no log of this trace; the log is stored as a root.`)
  }
  const isRooted = new Uint8Array(logs.length)
  const visitedFrom = new Int32Array(logs.length).fill(-1)
  for (let start = 0; start < logs.length; start++) {
    if (start % logsPerSlice === logsPerSlice - 1 && slice.isOver) await slice.next()
    let index = start
    while (index >= 0 && isRooted[index] === 0) {
      if (visitedFrom[index] === start)
        throw invalid(`logs[${index}].parentId`, 'must not lead back to the log itself')
      visitedFrom[index] = start
      index = parents[index] as number
    }
    for (index = start; index >= 0 && isRooted[index] === 0; index = parents[index] as number)
      isRooted[index] = 1
  }
  return warnings
}
