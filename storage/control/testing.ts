import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import pg from 'pg'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { startPostgres } from '../../scripts/test/postgres-for-tests.ts'
import type { NewConnection } from './evaluation/connections.ts'
import {
  type ControlStore,
  type ControlStoreLocation,
  openControlStore,
  type WorkspaceControlStore,
} from './store/open.ts'

export { rowsOfControl } from './testing-rows.ts'

interface Engine {
  readonly name: string
  /** A database without tables. */
  readonly emptyPlace: () => Promise<Place>
  /** A database with all tables and no rows; outside of a test run it is empty, and opening it applies the migrations. */
  readonly migratedPlace: () => Promise<Place>
}

/** The engines; the test command may leave one out. */
export const engines: readonly Engine[] = [
  { name: 'SQLite', emptyPlace: emptyFile, migratedPlace: migratedFile },
  { name: 'PostgreSQL', emptyPlace: emptyDatabase, migratedPlace: migratedDatabase },
].filter(({ name }) => hostEnvironment.PLUMBLINE_TEST_ENGINES?.split(',').includes(name) ?? true)

/** An empty database for a control store; `remove` it afterwards. */
export type Place = { location: ControlStoreLocation; remove: () => Promise<void> }

/** A workspace for one test, in a store shared by the tests of a file. */
export type OpenedWorkspace = { store: ControlStore; workspaceId: string; workspace: WorkspaceControlStore }

/** Runs the tests on each engine; every `open()` creates a workspace. */
export function forEachControlStore(
  name: string,
  tests: (open: () => Promise<OpenedWorkspace>) => void,
): void {
  for (const engine of engines) {
    describe(`${name} on ${engine.name}`, () => {
      let place: Place
      let store: ControlStore
      before(async () => {
        place = await engine.migratedPlace()
        store = await openControlStore(place.location)
      })
      after(async () => {
        await store?.close()
        await place?.remove()
      })
      tests(async () => {
        const { id } = await store.createWorkspace({ name: 'Test' })
        return { store, workspaceId: id, workspace: store.scopedTo({ workspaceId: id }) }
      })
    })
  }
}

/** A connection with only the required fields. */
export const testConnection = (fields: Partial<NewConnection> = {}): NewConnection => ({
  name: 'Ours',
  provider: 'open-ai',
  baseUrl: undefined,
  region: undefined,
  models: [],
  sealedKey: undefined,
  keyEnd: undefined,
  concurrencyMax: undefined,
  spendMaxPerDay: undefined,
  ...fields,
})

async function emptyFile(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-control-'))
  return {
    location: { file: join(folder, 'control.db') },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Where a test run keeps the stores that tests copy. Migrations take a tenth of a second of CPU on SQLite and two
 * tenths on PostgreSQL, and a test run opens a hundred stores.
 */
const migratedStores = hostEnvironment.PLUMBLINE_TEST_MIGRATED_STORES

async function migratedFile(): Promise<Place> {
  const place = await emptyFile()
  if ('file' in place.location) await addMigratedFile(place.location.file)
  return place
}

/** Creates a file with all tables and no rows, in a test run. */
export async function addMigratedFile(file: string): Promise<void> {
  if (migratedStores === undefined) return
  const original = join(migratedStores, 'control.db')
  if (!existsSync(original)) {
    const unfinished = `${original}-${randomUUID()}`
    await (await openControlStore({ file: unfinished })).close()
    renameSync(unfinished, original)
  }
  copyFileSync(original, file)
}

/** A PostgreSQL database with all tables, which is copied for tests. */
const migratedName = 'plumbline_migrated'

async function migratedDatabase(): Promise<Place> {
  const url = hostEnvironment.PLUMBLINE_TEST_DATABASE_URL
  if (migratedStores === undefined || url === undefined) return emptyDatabase()
  const [original] = await onServer(url, `SELECT 1 FROM pg_database WHERE datname = '${migratedName}'`)
  if (original === undefined) await makeMigratedDatabase(url)
  return createDatabase({ url, stop: async () => undefined }, `TEMPLATE ${migratedName}`)
}

/** Called by the first processes of a run, possibly at the same time. */
async function makeMigratedDatabase(serverUrl: string): Promise<void> {
  const { location, remove } = await emptyDatabase()
  await (await openControlStore(location)).close()
  const name = 'url' in location ? new URL(location.url).pathname.slice(1) : ''
  try {
    await onServer(serverUrl, `ALTER DATABASE ${name} RENAME TO ${migratedName}`)
  } catch (error) {
    // https://www.postgresql.org/docs/current/errcodes-appendix.html: duplicate_database, and unique_violation if
    // another process has just renamed its own.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error
    await remove()
  }
}

/** The application names of the connections to a PostgreSQL database. */
export async function connectionNames(url: string): Promise<string[]> {
  const rows = await onServer(
    url,
    'SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database()',
  )
  return rows.map((row) => String((row as { name: unknown }).name))
}

/**
 * Uses the PostgreSQL server that the test command started, or starts one; the quick part leaves out tests that need
 * it.
 */
export async function emptyDatabase(): Promise<Place> {
  const running = hostEnvironment.PLUMBLINE_TEST_DATABASE_URL
  return createDatabase(
    running === undefined ? await startPostgres() : { url: running, stop: async () => undefined },
  )
}

async function createDatabase(
  server: { readonly url: string; readonly stop: () => Promise<void> },
  options = '',
): Promise<Place> {
  const name = `plumbline_${randomUUID().replaceAll('-', '')}`
  await onServer(server.url, `CREATE DATABASE ${name} ${options}`)
  const url = new URL(server.url)
  url.pathname = name
  return {
    location: { url: url.href },
    remove: async () => {
      await onServer(server.url, `DROP DATABASE ${name} WITH (FORCE)`)
      await server.stop()
    },
  }
}

/** Whether the shared spool is empty and all spans have been assembled. */
export async function nothingWaits(url: string): Promise<boolean> {
  const rows = await onServer(
    url,
    `SELECT 1 FROM spool_records UNION ALL SELECT 1 FROM assemblies WHERE due_at IS NOT NULL LIMIT 1`,
  )
  return rows.length === 0
}

async function onServer(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
