/**
 * chDB as a connection of `@clickhouse/client`. We do not use the client that ships with chDB, for three reasons: it
 * runs all parameterized statements of a process one after another, so a long search would block every read; it
 * converts inserts to strings; and it has a single session, which runs one statement at a time.
 */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { type ClickHouseClientConfigOptions, parseError } from '@clickhouse/client'
import type { ChdbResult, Session } from 'chdb'
import { nextBlockFile } from './block-files.ts'
import { literal, settingsAndParameters, settingsClause } from './chdb-parameters.ts'

type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>
type Statement = Parameters<Connection['command']>[0]
type Result<Method extends 'query' | 'exec' | 'command' | 'insert' | 'ping'> = ReturnType<Connection[Method]>

/** A pool of sessions on one folder, one per concurrent statement; further statements wait in order of arrival. */
export class ChdbConnection implements Connection {
  readonly #folder: string
  readonly #sessions: Session[]
  readonly #idle: Session[]
  readonly #waiting: ((session: Session) => void)[] = []

  constructor(folder: string, sessions: number, connectionArgs: string[]) {
    this.#folder = folder
    this.#sessions = Array.from({ length: sessions }, () => openSession(folder, connectionArgs))
    this.#idle = [...this.#sessions]
  }

  async query(params: Statement): Result<'query'> {
    const result = await this.#run(params)
    return { ...queryResult(params), stream: readable(result.bytes()) }
  }

  /** A call with values is an insert: `client.insert` cannot take rows that are already encoded. */
  async exec(params: Parameters<Connection['exec']>[0]): Result<'exec'> {
    if (params.values !== undefined) {
      await this.insert({ ...params, values: params.values })
      return { ...queryResult(params), stream: Readable.from([]) }
    }
    const result = await this.#run(params)
    return { ...queryResult(params), stream: readable(result.bytes()) }
  }

  async command(params: Statement): Result<'command'> {
    await this.#run(params)
    return queryResult(params)
  }

  async insert(params: Parameters<Connection['insert']>[0]): Result<'insert'> {
    const values =
      typeof params.values === 'string' ? Buffer.from(params.values) : await collect(params.values)
    await this.insertBytes(params.query, values, params.clickhouse_settings)
    return queryResult(params)
  }

  /**
   * Runs `INSERT INTO table (columns) FORMAT Native`. The binding passes text formats only, so the block goes through a
   * file in the engine's temporary folder. The file is usually deleted before the operating system has written it to
   * the disk.
   */
  async insertBytes(
    query: string,
    values: Buffer,
    settings: Statement['clickhouse_settings'],
  ): Promise<void> {
    const [, table, columns] = /^INSERT INTO (\w+) \(([\w, ]+)\) FORMAT Native\s*$/.exec(query) ?? []
    if (table === undefined || columns === undefined) throw new Error(`Not an insert: ${query}`)
    const path = nextBlockFile(this.#folder)
    const clause = settingsClause(engineSettings(settings))
    const sql = `INSERT INTO ${table} (${columns}) FROM INFILE ${literal(path)} ${clause} FORMAT Native`
    try {
      await writeFile(path, values, { mode: 0o600 })
      await this.#with((session) => session.queryAsync(sql))
    } finally {
      await rm(path, { force: true })
    }
  }

  async ping(): Result<'ping'> {
    try {
      await this.#with((session) => session.queryAsync('SELECT 1'))
      return { success: true }
    } catch (error) {
      return { success: false, error: error instanceof Error ? error : new Error(String(error)) }
    }
  }

  /** Waits for running statements: closing a session during a statement crashes the whole engine. */
  async close(): Promise<void> {
    const sessions = this.#sessions.splice(0)
    await Promise.all(sessions.map(() => this.#acquire()))
    for (const session of sessions) session.close()
  }

  #run(params: Statement): Promise<ChdbResult> {
    const { default_format: format, ...settings } = engineSettings(params.clickhouse_settings)
    const sql = settingsAndParameters(settings, params.query_params) + params.query
    return this.#with((session) => session.queryAsync(sql, { format: String(format ?? 'JSONEachRow') }))
  }

  async #with<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#sessions.length === 0) throw new Error('The trace store is closed.')
    const session = await this.#acquire()
    try {
      return await work(session)
    } catch (error) {
      throw parseError(error instanceof Error ? error.message : String(error))
    } finally {
      this.#release(session)
    }
  }

  #acquire(): Promise<Session> {
    const session = this.#idle.pop()
    return session === undefined
      ? new Promise((resolve) => this.#waiting.push(resolve))
      : Promise.resolve(session)
  }

  #release(session: Session): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(session)
    else next(session)
  }
}

/** Loads the library lazily: it is 500 MB, and a service on ClickHouse does not need it. */
function openSession(folder: string, connectionArgs: string[]): Session {
  const chdb = createRequire(import.meta.url)('chdb') as typeof import('chdb')
  return new chdb.Session(folder, { connectionArgs })
}

/** The settings that are not specific to the HTTP interface. */
function engineSettings(
  settings: Statement['clickhouse_settings'],
): Record<string, string | number | boolean> {
  const { wait_end_of_query, ...rest } = settings ?? {}
  return rest as Record<string, string | number | boolean>
}

function queryResult({ query_id }: Statement): { query_id: string; response_headers: Record<string, never> } {
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
