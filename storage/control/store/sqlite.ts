import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { AlreadyExists, ControlStoreAway, ControlStoreDamaged } from '../errors.ts'
import { type Database, type Durability, type Sql, type SqlScalar, statement } from './sql.ts'

/** The control store in one file, opened at once. Statements run one after another, on one connection. */
export function openSqlite(file: string): Database {
  // The timeout waits for another process that uses the same file; this process blocks meanwhile.
  const connection = mapErrors(
    () => new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true }),
  )
  try {
    refuseDamage(connection, file)
  } catch (error) {
    connection.close()
    throw error
  }
  // Longer than the default log of 1000 pages, since the writer that fills it waits for the checkpoint.
  mapErrors(() => connection.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4000'))
  // Overwrite deleted content: a removed secret must not remain in a free page, and thus in every backup.
  mapErrors(() => connection.exec('PRAGMA secure_delete = ON'))
  // FULL: a commit survives power loss once it returns. NORMAL: it does so after the next FULL commit.
  const sync = (durability: Durability): void =>
    mapErrors(() => connection.exec(`PRAGMA synchronous = ${durability === 'at once' ? 'FULL' : 'NORMAL'}`))
  sync('at once')
  const prepared = new LRUCache<string, StatementSync>({ max: 300 })

  const run: Sql = async <Row extends object>(...[strings, ...values]: Parameters<Sql>) => {
    const { text, parameters } = statement(strings, values, () => '?')
    return mapErrors(() => {
      let query = prepared.get(text)
      if (query === undefined) {
        query = connection.prepare(text)
        prepared.set(text, query)
      }
      return rowsAs<Row>(query.all(...parameters.map(sqliteNumber)))
    })
  }

  const runExclusive = createMutex()

  const transaction = <T>(work: (sql: Sql) => Promise<T>, durability: Durability = 'at once'): Promise<T> =>
    runExclusive(async () => {
      if (durability === 'later') sync(durability)
      // IMMEDIATE takes the write lock now: a transaction that reads first can then never fail to write.
      mapErrors(() => connection.exec('BEGIN IMMEDIATE'))
      let isOpen = true
      const sql: Sql = (strings, ...values) => {
        if (!isOpen) throw new Error('This transaction has ended: a statement in it was not awaited.')
        return run(strings, ...values)
      }
      try {
        const result = await work(sql)
        mapErrors(() => connection.exec('COMMIT'))
        return result
      } catch (error) {
        // Some failures, such as a full disk, have already rolled back.
        if (connection.isTransaction) connection.exec('ROLLBACK')
        throw error
      } finally {
        isOpen = false
        if (durability === 'later') sync('at once')
      }
    })

  return {
    engine: 'SQLite',
    sql: (strings, ...values) => runExclusive(() => run(strings, ...values)),
    transaction,
    migrate: (work) =>
      transaction((sql) => work(sql, async (text) => mapErrors(() => connection.exec(text)))),
    compact: () =>
      runExclusive(async () => mapErrors(() => connection.exec('PRAGMA wal_checkpoint(TRUNCATE)'))),
    close: () =>
      runExclusive(async () => {
        if (connection.isOpen) connection.close()
      }),
  }
}

/** Larger files would delay startup by seconds; `plumbline verify` checks those. */
const checkedBytesMax = 1024 ** 3

/** Throws `ControlStoreDamaged` for a corrupted file: a service using it would fail unpredictably. */
function refuseDamage(connection: DatabaseSync, file: string): void {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (bytes === 0 || bytes > checkedBytesMax) return
  const [row] = mapErrors(() => connection.prepare('PRAGMA quick_check(1)').all())
  const result = String(Object.values(row ?? {})[0])
  if (result !== 'ok') throw new ControlStoreDamaged(result.replace(/^\*{3}.*\*{3}\n/, ''))
}

/** Runs work one at a time, so that no other statement gets into an open transaction. */
function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

/** node:sqlite binds every number as a real; a bigint keeps an integer an integer in expressions too. Integers beyond 64 bits are rejected. */
function sqliteNumber(value: SqlScalar): SqlScalar | bigint {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}

/** Safe: the statement names its columns and the caller declares their types next to it; nothing else knows them. */
function rowsAs<Row extends object>(rows: object[]): Row[] {
  return rows as Row[]
}

// https://sqlite.org/rescode.html: the extended codes of a unique index and of a primary key, and the primary codes
// BUSY, LOCKED, READONLY, IOERR, FULL and CANTOPEN, which say nothing about the statement.
const uniqueCodes = new Set([2067, 1555])
const fullCode = 13
const awayCodes = new Set([5, 6, 8, 10, fullCode, 14])
// CORRUPT and NOTADB.
const damageCodes = new Set([11, 26])

/** Runs `work` and maps SQLite errors to the errors of this folder. */
function mapErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw storeErrorOf(error)
  }
}

/** Maps a SQLite error to an error of this folder; returns any other error unchanged. */
export function storeErrorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'ERR_INVALID_STATE') return new ControlStoreAway({ cause: error })
  if (!('errcode' in error) || typeof error.errcode !== 'number') return error
  if (uniqueCodes.has(error.errcode)) {
    const table = /failed: (\w+)\./.exec(error.message)?.[1] ?? 'unknown'
    return new AlreadyExists(table, { cause: error })
  }
  if (damageCodes.has(error.errcode & 0xff)) return new ControlStoreDamaged(error.message, { cause: error })
  if (awayCodes.has(error.errcode & 0xff))
    return new ControlStoreAway({ cause: error, isFull: (error.errcode & 0xff) === fullCode })
  return error
}
