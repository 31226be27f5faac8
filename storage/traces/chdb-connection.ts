/**
 * chDB as a connection of `@clickhouse/client`. The one that ships with chDB is not used, for three reasons: it runs
 * all statements with parameters of a process one after the other, so that a long search would hold every read; it
 * turns inserts into strings; and it has one session, which runs one statement at a time.
 */
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { type ClickHouseClientConfigOptions, parseError } from '@clickhouse/client'
import type { ChdbResult, Session } from 'chdb'
import { settingsAndParameters } from './chdb-parameters.ts'

type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>
type Statement = Parameters<Connection['command']>[0]
type Answer<Method extends 'query' | 'exec' | 'command' | 'insert' | 'ping'> = ReturnType<Connection[Method]>

/** As many sessions on one folder as statements may run at a time; more wait in order of arrival. */
export class ChdbConnection implements Connection {
  readonly #sessions: Session[]
  readonly #idle: Session[]
  readonly #waiting: ((session: Session) => void)[] = []

  constructor(folder: string, sessions: number, connectionArgs: string[]) {
    this.#sessions = Array.from({ length: sessions }, () => openSession(folder, connectionArgs))
    this.#idle = [...this.#sessions]
  }

  async query(params: Statement): Answer<'query'> {
    const result = await this.#run(params)
    return { ...answer(params), stream: readable(result.bytes()) }
  }

  /** With values it is an insert: `client.insert` has no way to take rows that are bytes already. */
  async exec(params: Parameters<Connection['exec']>[0]): Answer<'exec'> {
    if (params.values !== undefined) {
      await this.insert({ ...params, values: params.values })
      return { ...answer(params), stream: Readable.from([]) }
    }
    const result = await this.#run(params)
    return { ...answer(params), stream: readable(result.bytes()) }
  }

  async command(params: Statement): Answer<'command'> {
    await this.#run(params)
    return answer(params)
  }

  async insert(params: Parameters<Connection['insert']>[0]): Answer<'insert'> {
    const values =
      typeof params.values === 'string' ? Buffer.from(params.values) : await collect(params.values)
    await this.insertBytes(params.query, values, params.clickhouse_settings)
    return answer(params)
  }

  /** Takes `INSERT INTO table FORMAT JSONEachRow`, and hands the bytes over without a copy. */
  async insertBytes(
    query: string,
    values: Buffer,
    settings: Statement['clickhouse_settings'],
  ): Promise<void> {
    const [, table] = /^INSERT INTO (\w+) FORMAT JSONEachRow\s*$/.exec(query) ?? []
    if (table === undefined) throw new Error(`Not an insert: ${query}`)
    await this.#with((session) =>
      session.insert({ table, format: 'JSONEachRow', values, settings: engineSettings(settings) }),
    )
  }

  async ping(): Answer<'ping'> {
    try {
      await this.#with((session) => session.queryAsync('SELECT 1'))
      return { success: true }
    } catch (error) {
      return { success: false, error: error instanceof Error ? error : new Error(String(error)) }
    }
  }

  /** Waits for what is under way: a session closed under a statement takes the whole engine down. */
  async close(): Promise<void> {
    const sessions = this.#sessions.splice(0)
    await Promise.all(sessions.map(() => this.#take()))
    for (const session of sessions) session.close()
  }

  #run(params: Statement): Promise<ChdbResult> {
    const { default_format: format, ...settings } = engineSettings(params.clickhouse_settings)
    const sql = settingsAndParameters(settings, params.query_params) + params.query
    return this.#with((session) => session.queryAsync(sql, { format: String(format ?? 'JSONEachRow') }))
  }

  async #with<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#sessions.length === 0) throw new Error('The trace store is closed.')
    const session = await this.#take()
    try {
      return await work(session)
    } catch (error) {
      throw parseError(error instanceof Error ? error.message : String(error))
    } finally {
      this.#give(session)
    }
  }

  #take(): Promise<Session> {
    const session = this.#idle.pop()
    return session === undefined
      ? new Promise((resolve) => this.#waiting.push(resolve))
      : Promise.resolve(session)
  }

  #give(session: Session): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(session)
    else next(session)
  }
}

/** Loaded when a folder is opened, not before: the library is 500 MB, and a service on ClickHouse needs none of it. */
function openSession(folder: string, connectionArgs: string[]): Session {
  const chdb = createRequire(import.meta.url)('chdb') as typeof import('chdb')
  return new chdb.Session(folder, { connectionArgs })
}

/** Without what only HTTP knows. */
function engineSettings(
  settings: Statement['clickhouse_settings'],
): Record<string, string | number | boolean> {
  const { wait_end_of_query, ...rest } = settings ?? {}
  return rest as Record<string, string | number | boolean>
}

function answer({ query_id }: Statement): { query_id: string; response_headers: Record<string, never> } {
  return { query_id: query_id ?? randomUUID(), response_headers: {} }
}

function readable(bytes: Uint8Array): Readable {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Readable.from(buffer.length === 0 ? [] : [buffer], { objectMode: false })
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = await stream.toArray()
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}
