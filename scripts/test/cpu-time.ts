/** What work costs: user and system time, which says more than a clock where other programs use the same cores. */
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts the times of `/proc` in hundredths of a second. */
const ticksPerSecond = 100

/** CPU-seconds of this process. */
export function processCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** CPU-seconds of the processes that this one started and that have ended, with theirs; 0 where the system has no `/proc`. */
export const childrenCpuSeconds = (): number => readTimes('self')?.waitedSeconds ?? 0

/**
 * CPU-seconds of what the children of this process have started, as far as the children run. A browser ends without waiting
 * for its pages, so that nobody counts them afterwards. 0 where the system has no `/proc`.
 */
export function grandchildrenCpuSeconds(): number {
  const children = Map.groupBy(readAllTimes(), ({ parentId }) => parentId)
  const sumBelow = (processId: number): number =>
    (children.get(processId) ?? []).reduce(
      (sum, { id, ownSeconds, waitedSeconds }) => sum + ownSeconds + waitedSeconds + sumBelow(id),
      0,
    )
  return (children.get(process.pid) ?? []).reduce((sum, { id }) => sum + sumBelow(id), 0)
}

interface Times {
  readonly id: number
  readonly parentId: number
  readonly ownSeconds: number
  /** Of children that have ended and that it waited for, with theirs. */
  readonly waitedSeconds: number
}

function readAllTimes(): Times[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readTimes(name) ?? []) : []))
  } catch {
    // Another system than Linux: the figures leave out what child processes used.
    return []
  }
}

/** Undefined where there is no such process. */
function readTimes(name: string): Times | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${name}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // After the name, which may hold spaces: the state is field 3; the parent is field 4, times begin with field 14.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const secondsOf = (first: number): number =>
    (Number(fields[first - 3]) + Number(fields[first - 2])) / ticksPerSecond
  return {
    id: Number.parseInt(text, 10),
    parentId: Number(fields[1]),
    ownSeconds: secondsOf(14),
    waitedSeconds: secondsOf(16),
  }
}
