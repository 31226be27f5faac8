/** Checks of a trace beyond its schema: existing times, unique ids, parents without a cycle. */
import { invalid, type Log, type Timestamp, type Trace } from '@plumbline/contract'
import { TimeSlice } from '../../json/time-slice.ts'
import { readTimestamp } from '../../json/timestamp.ts'
import { tokensMax } from '../usage/totals.ts'

interface Timed {
  readonly startTime?: Timestamp | null | undefined
  readonly endTime?: Timestamp | null | undefined
}

/** Logs checked between two reads of the clock; most traces have fewer. */
const logsPerSlice = 1000

/** Checks a trace and its logs; throws `invalid_request`, and returns warnings. */
export async function checkTrace(trace: Trace): Promise<string[]> {
  const warnings = checkTimes(trace, '')
  const { logs } = trace
  if (logs == null || logs.length === 0) return warnings
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
    for (const warning of checkTimes(log, `logs[${index}].`)) warnings.push(warning)
    if (log.type === 'generation')
      for (const warning of checkNumbers(log, `logs[${index}].`)) warnings.push(warning)
  }
  for (const warning of await checkParents(logs, positions, slice)) warnings.push(warning)
  return warnings
}

/** Checks the times of a trace or log at `path`; throws `invalid_request`, and warns if the end is before the start. */
export function checkTimes({ startTime, endTime }: Timed, path: string): string[] {
  const start = checkTime(startTime, `${path}startTime`)
  const end = checkTime(endTime, `${path}endTime`)
  if (start === undefined || end === undefined || end >= start) return []
  return [`${path}endTime is before ${path}startTime; both are stored as sent.`]
}

type Numbers = Pick<Extract<Log, { type: 'generation' }>, 'inputTokens' | 'outputTokens' | 'cost'>

/** Warns of numbers that no call has; they are stored, and in no sum. */
export function checkNumbers({ inputTokens, outputTokens, cost }: Numbers, path: string): string[] {
  const numbers = { inputTokens, outputTokens, cost }
  return Object.entries(numbers).flatMap(([name, number]) => {
    const isPossibleNumber = number == null || (number >= 0 && (name === 'cost' || number <= tokensMax))
    return isPossibleNumber
      ? []
      : [`${path}${name} cannot be ${number}; it is stored as sent, and the log is left out of sums.`]
  })
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
  const walkedIn = new Int32Array(logs.length).fill(-1)
  for (let start = 0; start < logs.length; start++) {
    if (start % logsPerSlice === logsPerSlice - 1 && slice.isOver) await slice.next()
    let index = start
    while (index >= 0 && isRooted[index] === 0) {
      if (walkedIn[index] === start)
        throw invalid(`logs[${index}].parentId`, 'must not lead back to the log itself')
      walkedIn[index] = start
      index = parents[index] as number
    }
    for (index = start; index >= 0 && isRooted[index] === 0; index = parents[index] as number)
      isRooted[index] = 1
  }
  return warnings
}
