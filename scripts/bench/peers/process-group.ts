/** A server as a process group: its resource usage, and how to kill it. Reads /proc, so Linux only. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface ProcessGroup {
  cpuSeconds(): number
  /** Shared pages are divided among the processes that share them. */
  memoryBytes(): number
  /** Resolves once every process has ended. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Ticks of /proc per second: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100

export function startGroup(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ProcessGroup {
  const child = spawn(command, args, { env, stdio: 'ignore', detached: true })
  const group = child.pid
  if (group === undefined) throw new Error(`${command} did not start.`)
  const exited = once(child, 'exit')
  // A separate process group would outlive the benchmark.
  const killAtExit = (): void => signalGroup(group, 'SIGKILL')
  process.once('exit', killAtExit)
  return {
    cpuSeconds: () => membersOf(group).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond,
    memoryBytes: () => membersOf(group).reduce((sum, { pid }) => sum + sharedFairly(pid), 0),
    async kill(signal) {
      signalGroup(group, signal)
      await exited
      while (membersOf(group).length > 0) await pause(50)
      process.off('exit', killAtExit)
    },
  }
}

/** Does nothing if every process has ended. */
function signalGroup(group: number, signal: 'SIGKILL' | 'SIGTERM'): void {
  try {
    process.kill(-group, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

interface Member {
  readonly pid: string
  /** Its own ticks and those of its ended children. */
  readonly ticks: number
}

function membersOf(group: number): Member[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const stat = textOf(`/proc/${pid}/stat`)
    // The name, which may contain spaces, is in parentheses.
    const [state, , memberOf, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(memberOf) !== group || state === 'Z') return []
    const ticks = fields.slice(8, 12).reduce((sum, field) => sum + Number(field), 0)
    return [{ pid, ticks }]
  })
}

const sharedFairly = (pid: string): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024

/** Empty for a process that has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The disk usage of the files in a folder. */
export function bytesOnDisk(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    if (!entry.isFile()) return sum
    const { blocks } = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }) ?? {
      blocks: 0,
    }
    return sum + blocks * 512
  }, 0)
}
