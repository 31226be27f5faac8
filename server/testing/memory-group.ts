/** A Linux control group with a memory limit, for processes that tests start. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface MemoryGroup {
  /** Goes before the command of a process that is to be in the group. */
  readonly prefix: readonly string[]
  /** The highest memory use of all its processes together. */
  peakBytes(): number
  /** How often the kernel killed one of its processes. */
  kills(): number
  /** To be called once its processes have ended. */
  remove(): void
}

const root = '/sys/fs/cgroup'
const enter = ['sh', '-c', 'echo $$ > "$0" && exec "$@"']

/** The files of both versions of the kernel's interface. */
const files = existsSync(join(root, 'memory'))
  ? {
      parent: join(root, 'memory'),
      limit: 'memory.limit_in_bytes',
      peak: 'memory.max_usage_in_bytes',
      events: 'memory.oom_control',
    }
  : { parent: root, limit: 'memory.max', peak: 'memory.peak', events: 'memory.events' }

/** Undefined if no group can be made, which requires root and a writable cgroup file system. */
export function makeMemoryGroup(limitBytes: number): MemoryGroup | undefined {
  const folder = join(files.parent, `plumbline-${randomUUID()}`)
  const readText = (file: string): string => readFileSync(join(folder, file), 'utf8')
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, files.limit), String(limitBytes))
  } catch {
    return undefined
  }
  return {
    prefix: [...enter, join(folder, 'cgroup.procs')],
    peakBytes: () => Number(readText(files.peak)),
    kills: () => Number(/^oom_kill (\d+)$/m.exec(readText(files.events))?.[1]),
    remove: () => rmdirSync(folder),
  }
}
