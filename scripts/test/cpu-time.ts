/** What work costs: user and system time, which says more than a clock where other programs use the same cores. */
import { readFileSync } from 'node:fs'

/** Linux counts the times of `/proc` in hundredths of a second. */
const ticksPerSecond = 100

/** CPU-seconds of this process. */
export function processCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** CPU-seconds of the processes that this one started and that have ended, with theirs; 0 where the system has no `/proc`. */
export function childrenCpuSeconds(): number {
  let text: string
  try {
    text = readFileSync('/proc/self/stat', 'latin1')
  } catch {
    // Another system than Linux: the figures leave out what child processes used.
    return 0
  }
  // After the name, which may hold spaces: the state is field 3; the times of children are fields 16 and 17.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
}
