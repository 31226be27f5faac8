import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Clients } from './clients.ts'
import { onCluster } from './cluster.ts'
import { TraceStoreNewer } from './errors.ts'
import { dropLocks, withMigrationLock } from './migration-lock.ts'

const folder = new URL('../migrations/', import.meta.url)

/** A file in `migrations`. Migrations only go forward, and never change once released. */
export type Migration = { name: string; checksum: string; statements: string[] }

/** Every migration, in order. */
export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      return {
        name,
        checksum: createHash('sha256').update(text).digest('hex'),
        statements: statementsOf(text),
      }
    })
}

/**
 * Applies pending migrations; an up-to-date store costs one query.
 *
 * `isOurs`: no other process can use the store, so an existing lock was left by a dead one. `cluster`: every server in
 * it gets the same tables.
 */
export async function migrate(
  clients: Clients,
  {
    migrations = readMigrations(),
    isOurs = false,
    cluster,
    beforeMigration = () => {},
    onMigrated = () => {},
  }: {
    migrations?: readonly Migration[]
    isOurs?: boolean
    cluster?: string | undefined
    beforeMigration?: (name: string) => void
    onMigrated?: (name: string, tookMs: number) => void
  } = {},
): Promise<void> {
  const [next] = await findPending(clients, migrations)
  if (next === undefined) return
  beforeMigration(next.name)
  const run = (statement: string) =>
    clients.maintain(cluster === undefined ? statement : onCluster(statement, cluster))
  if (isOurs) await dropLocks(clients)
  await run(createMigrations)
  await withMigrationLock(clients, async () => {
    for (const migration of await findPending(clients, migrations)) {
      const startedAt = performance.now()
      // Each statement is idempotent, so that a killed migration can run again.
      for (const statement of migration.statements) await run(statement)
      await clients.command(
        `INSERT INTO migrations (name, checksum, applied_at) VALUES ('${migration.name}', '${migration.checksum}', now64(3))`,
      )
      onMigrated(migration.name, performance.now() - startedAt)
    }
  })
  if (isOurs) await reattachViews(clients)
}

/**
 * The embedded engine gives a view another identity once it is loaded from its folder, and a view uses its identity in
 * the tokens that detect repeated blocks. Without this, a batch that is repeated after the process that created the
 * views has ended would count twice in the hourly sums.
 */
async function reattachViews(clients: Clients): Promise<void> {
  const views = await clients.read<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'`,
    {},
  )
  for (const { name } of views) {
    await clients.maintain(`DETACH TABLE ${name} SYNC`)
    await clients.maintain(`ATTACH TABLE ${name}`)
  }
}

/**
 * Rejects with `TraceStoreNewer` if a newer version has migrated the store since it was opened, as in a rolling
 * upgrade: an insert that fails then says nothing about its rows.
 */
export async function refuseNewer(clients: Clients): Promise<void> {
  await findPending(clients, readMigrations())
}

async function findPending(clients: Clients, migrations: readonly Migration[]): Promise<Migration[]> {
  const [table] = await clients.read(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'migrations'`,
    {},
  )
  if (table === undefined) return [...migrations]
  const applied = new Map<string, string>()
  const rows = await clients.read<{ name: string; checksum: string }>(
    `SELECT name, checksum FROM migrations`,
    {},
  )
  for (const row of rows) applied.set(row.name, row.checksum)
  const unknown = [...applied.keys()]
    .sort()
    .findLast((name) => migrations.every((candidate) => candidate.name !== name))
  if (unknown !== undefined)
    throw new TraceStoreNewer(
      `The trace store was migrated by a newer version of Plumbline (${unknown}): start that version.`,
    )
  for (const { name, checksum } of migrations) {
    if (applied.has(name) && applied.get(name) !== checksum) {
      throw new Error(`The migration ${name} was changed after it had been applied to this trace store.`)
    }
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

export const createMigrations = `CREATE TABLE IF NOT EXISTS migrations (name String, checksum String, applied_at DateTime64(3, 'UTC'))
     ENGINE = MergeTree ORDER BY name SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
     COMMENT 'Which files of the folder migrations were applied, with the checksum of their text.'`

/** The current tables as the engine reports them, to compare with `schema.sql`. */
export async function currentSchema(clients: Clients): Promise<string> {
  const tables = await clients.read<{ database: string; sql: string }>(
    `SELECT database, formatQuery(create_table_query) AS sql FROM system.tables
     WHERE database = currentDatabase() ORDER BY name`,
    {},
  )
  return tables.map(({ database, sql }) => `${sql.replaceAll(`${database}.`, '')};\n`).join('\n')
}

/** Statements end with a semicolon at the end of a line. */
function statementsOf(text: string): string[] {
  return text
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
