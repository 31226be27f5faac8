import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { MigrationRefused } from '../errors.ts'
import type { Database } from './sql.ts'

/** One step forward, from a file such as `0001_create_control_tables.sql`. */
export type Migration = { number: number; name: string; text: string; checksum: string }

type AppliedRow = { number: number; name: string; checksum: string }

/** The migrations of a folder, in the order they are applied. */
export function migrationsIn(folder: URL): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return { number: Number(name.slice(0, 4)), name, text, checksum: sha256(text) }
  })
}

/**
 * The part of a script for one engine. Nearly all of it applies to both; engine-specific statements, such as triggers,
 * follow a line `-- engine: SQLite` or `-- engine: PostgreSQL`, until `-- engine: all`.
 */
export const forEngine = (text: string, engine: Database['engine']): string =>
  text
    .split(/^(?=-- engine: )/m)
    .filter((part) => {
      const [, name = 'all'] = /^-- engine: (\w+)/.exec(part) ?? []
      return name === 'all' || name === engine
    })
    .join('')

export interface MigrationListener {
  /** Called before a migration is applied; if it throws, the store is left unchanged. */
  readonly beforeMigration?: (name: string) => void
  readonly onMigrated?: (name: string, tookMs: number) => void
}

/** Applies pending migrations. If several nodes start at once, one applies them and the others wait. */
export function migrate(
  database: Database,
  migrations: readonly Migration[],
  now: Date,
  { beforeMigration = () => {}, onMigrated = () => {} }: MigrationListener = {},
): Promise<void> {
  return database.migrate(async (sql, script) => {
    await script(`CREATE TABLE IF NOT EXISTS control_migrations (
      number bigint PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL)`)
    const applied =
      await sql<AppliedRow>`SELECT number, name, checksum FROM control_migrations ORDER BY number`
    for (const row of applied) refuseUnknown(row, migrations)
    // Compares with all applied numbers, not the last one: a later file may fill a gap.
    const appliedNumbers = new Set(applied.map(({ number }) => number))
    for (const migration of migrations.filter(({ number }) => !appliedNumbers.has(number))) {
      beforeMigration(migration.name)
      const startedAt = performance.now()
      await script(forEngine(migration.text, database.engine))
      await sql`
        INSERT INTO control_migrations (number, name, checksum, applied_at)
        VALUES (${migration.number}, ${migration.name}, ${migration.checksum}, ${now.getTime()})`
      onMigrated(migration.name, performance.now() - startedAt)
    }
  })
}

function refuseUnknown(row: AppliedRow, migrations: readonly Migration[]): void {
  const migration = migrations.find(({ number }) => number === row.number)
  if (migration === undefined) {
    throw new MigrationRefused(
      `The control store was migrated by a newer version of Plumbline (${row.name}): start that version.`,
    )
  }
  if (migration.checksum !== row.checksum) {
    throw new MigrationRefused(
      `The migration ${migration.name} was changed after the control store had applied it as ${row.name}: start the version of Plumbline that wrote this store.`,
    )
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
