/** The connections of this process to PostgreSQL, for the control store and the shared spool alike. */
import pg from 'pg'
import { AlreadyExists, ControlStoreAway } from '../errors.ts'
import { HangingServer, makeCircuitBreaker } from './circuit-breaker.ts'

interface PoolOptions {
  /** The name shown in pg_stat_activity. */
  readonly name: string
  /** The maximum number of connections. */
  readonly max: number
  readonly types?: pg.CustomTypesConfig
}

export interface PostgresPool {
  /** Runs `work` with a dedicated connection. Fails at once with `ControlStoreAway` while PostgreSQL does not respond. */
  withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const connectMs = 5_000
/** Generous, since a loaded server may take long to start a process for a new connection. */
export const probeMs = 4_000

/** Gives `sslmode` the meaning of PostgreSQL's own tools; otherwise the client treats `require` as `verify-full`. */
const withStandardModes = (url: string): string =>
  /[?&]sslmode=/.test(url) && !url.includes('uselibpqcompat=') ? `${url}&uselibpqcompat=true` : url

/** The options of every connection of this process. */
export const connectionOf = (url: string, name: string) => ({
  connectionString: withStandardModes(url),
  application_name: name,
  connectionTimeoutMillis: connectMs,
  keepAlive: true,
})

/** The options of a connection whose statements a working server answers at once. */
export const probeConnectionOf = (url: string, name: string) => ({
  ...connectionOf(url, name),
  connectionTimeoutMillis: probeMs,
  query_timeout: probeMs,
})

/** Connects on the first statement. */
export function openPool(url: string, { name, max, types }: PoolOptions): PostgresPool {
  const connection = connectionOf(url, name)
  const pool = new pg.Pool({ ...connection, max, query_timeout: 30_000, ...(types && { types }) })
  // Losing an idle connection is harmless: the pool drops it, and the next statement opens another.
  pool.on('error', () => undefined)
  const breaker = makeCircuitBreaker(() => assertAnswers(url, `${name} probe`))

  const withClient = async <T>(
    work: (client: pg.PoolClient) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const client = await mapErrors(() => pool.connect())
    let failure: Error | undefined
    // The query of a connection that breaks while in use also fails, and handles the error.
    const breakOff = (error: Error): void => {
      failure = error
    }
    // Otherwise the connection would keep its statement until the server recovers, and then run work that was reported
    // as failed.
    const giveUp = (): void => void client.end()
    client.on('error', breakOff)
    signal.addEventListener('abort', giveUp)
    try {
      signal.throwIfAborted()
      return await work(client)
    } catch (error) {
      if (error instanceof ControlStoreAway) failure = error
      throw error
    } finally {
      signal.removeEventListener('abort', giveUp)
      client.off('error', breakOff)
      client.release(failure)
    }
  }

  return {
    withClient: (work) =>
      breaker
        .run((signal) => withClient(work, signal))
        .catch((error: unknown) => {
          throw error instanceof HangingServer ? new ControlStoreAway({ cause: error }) : error
        }),
    close: async () => {
      breaker.close()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Asserts that the server responds at all, even if only to refuse another connection. */
async function assertAnswers(url: string, name: string): Promise<void> {
  const client = new pg.Client(probeConnectionOf(url, name))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT 1')
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  } finally {
    // Not awaited: a hanging server would not respond.
    void client.end().catch(() => undefined)
  }
}

/** Runs `work` and maps errors of PostgreSQL and the network to errors of the control store. */
export async function mapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof pg.DatabaseError) {
      if (error.code === '23505') throw new AlreadyExists(error.table ?? 'unknown', { cause: error })
      if (isAway(error.code ?? ''))
        throw new ControlStoreAway({ cause: error, isFull: error.code === diskFull })
      throw error
    }
    // Any other error comes from the connection: refused, reset, timed out, ended.
    throw new ControlStoreAway({ cause: error })
  }
}

const diskFull = '53100'

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection lost (08), role or database refused (28,
// 3D000), as during a password change, out of resources (53), shutting down or starting (57P), read-only, as a standby
// reports during a failover, server timeouts (57014, 55P03, 25P03), and rolled back because of another transaction
// (40001, or 40P01 for a deadlock), where repeating the request is right as well.
function isAway(code: string): boolean {
  return ['08', '28', '53', '57P'].some((start) => code.startsWith(start)) || awayCodes.has(code)
}

const awayCodes: ReadonlySet<string> = new Set('3D000 25006 57014 55P03 25P03 40001 40P01'.split(' '))
