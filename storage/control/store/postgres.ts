import pg from 'pg'
import { AlreadyExists, ControlStoreAway } from '../errors.ts'
import { type Database, type Durability, type Sql, statement } from './sql.ts'

// bigint, and numeric, the type of sum(bigint): values here are far below 2^53.
const numberTypes: readonly number[] = [20, 1700]

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    numberTypes.includes(id) ? Number : pg.types.getTypeParser(id, format),
}

/** An arbitrary advisory lock id that no other program uses in the same database. */
const migrationLock = 7_586_244_701

/** The control store in PostgreSQL, through a pool. Connects with the first statement. */
export function openPostgres(url: string): Database {
  const connection = {
    connectionString: url,
    application_name: 'plumbline',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
  }
  const pool = new pg.Pool({ ...connection, max: 10, query_timeout: 30_000 })
  // Losing an idle connection is harmless: the pool drops it, and the next statement opens another.
  pool.on('error', () => undefined)

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await mapErrors(() => pool.connect())
    let failure: Error | undefined
    // A connection that breaks while in use also reports to its query, which is where it is handled.
    const broke = (error: Error): void => {
      failure = error
    }
    client.on('error', broke)
    try {
      return await work(client)
    } catch (error) {
      if (error instanceof ControlStoreAway) failure = error
      throw error
    } finally {
      client.off('error', broke)
      client.release(failure)
    }
  }

  return {
    engine: 'PostgreSQL',
    sql: (strings, ...values) => withClient((client) => sqlOf(client)(strings, ...values)),
    transaction: (work, durability) => withClient((client) => inTransaction(client, work, durability)),
    migrate: async (work) => {
      // A connection of its own: a migration may take longer than any statement of the pool.
      const client = new pg.Client(connection)
      client.on('error', () => undefined)
      await mapErrors(() => client.connect())
      try {
        return await inTransaction(client, async (sql) => {
          await sql`SELECT pg_advisory_xact_lock(${migrationLock})`
          return work(sql, async (text) => {
            await mapErrors(() => client.query(text))
          })
        })
      } finally {
        await client.end()
      }
    },
    compact: async () => {},
    close: async () => {
      if (!pool.ended) await pool.end()
    },
  }
}

async function inTransaction<T>(
  client: pg.ClientBase,
  work: (sql: Sql) => Promise<T>,
  durability: Durability = 'at once',
): Promise<T> {
  const run = sqlOf(client)
  let isOpen = true
  const sql: Sql = (strings, ...values) => {
    if (!isOpen) throw new Error('This transaction has ended: a statement in it was not awaited.')
    return run(strings, ...values)
  }
  const begin = durability === 'at once' ? 'BEGIN' : 'BEGIN; SET LOCAL synchronous_commit = off'
  await mapErrors(() => client.query(begin))
  try {
    const result = await work(sql)
    await mapErrors(() => client.query('COMMIT'))
    return result
  } catch (error) {
    // On a lost connection the server rolls back, and the first error is the one to report.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    isOpen = false
  }
}

function sqlOf(client: pg.ClientBase): Sql {
  return async <Row extends object>(...[strings, ...values]: Parameters<Sql>) => {
    const { text, parameters } = statement(strings, values, (position) => `$${position}`)
    const result = await mapErrors(() => client.query<Row>(text, parameters))
    return result.rows
  }
}

/** Runs `work` and turns what PostgreSQL or the network reports into the errors of this folder. */
export async function mapErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof pg.DatabaseError) {
      if (error.code === '23505') throw new AlreadyExists(error.table ?? 'unknown', { cause: error })
      if (isAway(error.code ?? '')) throw new ControlStoreAway({ cause: error })
      throw error
    }
    // Any other error comes from the connection: refused, reset, timed out, ended.
    throw new ControlStoreAway({ cause: error })
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection lost (08), out of resources (53),
// shutting down or starting (57P), and read-only, which is what a standby answers while a failover is under way.
function isAway(code: string): boolean {
  return code.startsWith('08') || code.startsWith('53') || code.startsWith('57P') || code === '25006'
}
