import pg from 'pg'
import { connectionOf, mapErrors, openPool } from './postgres-pool.ts'
import { type Database, type Durability, type Sql, statement } from './sql.ts'

// bigint, and numeric, the type of sum(bigint): values here are far below 2^53.
const numberTypes: readonly number[] = [20, 1700]

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    numberTypes.includes(id) ? Number : pg.types.getTypeParser(id, format),
}

/** An arbitrary advisory lock id that no other program uses in the same database. */
const migrationLock = 7_586_244_701

/** The control store in PostgreSQL, through a pool. Connects on the first statement. */
export function openPostgres(url: string): Database {
  const { withClient, close } = openPool(url, { name: 'plumbline', max: 10, types })

  return {
    engine: 'PostgreSQL',
    sql: (strings, ...values) => withClient((client) => sqlOf(client)(strings, ...values)),
    transaction: (work, durability) => withClient((client) => inTransaction(client, work, durability)),
    migrate: async (work) => {
      // A separate connection, since a migration may take longer than any statement of the pool.
      const client = new pg.Client({ ...connectionOf(url, 'plumbline migration'), types })
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
    close,
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
