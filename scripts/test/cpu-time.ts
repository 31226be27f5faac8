/** The CPU cost of work: user and system time, which says more than wall time if other programs use the same cores. */
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts the times of `/proc` in hundredths of a second. */
const ticksPerSecond = 100

/** CPU-seconds of this process. */
export function processCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** CPU-seconds of ended child processes, including their own children; 0 if the system has no `/proc`. */
export const childrenCpuSeconds = (): number => readTimes('self')?.waitedSeconds ?? 0

/**
 * CPU-seconds of processes started by running children of this process. A browser ends without waiting for its pages,
 * so they are not counted afterwards. 0 if the system has no `/proc`.
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
  /** Of ended children that it waited for, including their own children. */
  readonly waitedSeconds: number
}

function readAllTimes(): Times[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readTimes(name) ?? []) : []))
  } catch {
    // Not Linux: the figures leave out child processes.
    return []
  }
}

/** Undefined if there is no such process. */
function readTimes(name: string): Times | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${name}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // After the name, which may contain spaces: the state is field 3, the parent field 4, and times begin with field 14.
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
