import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import pg from 'pg'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { startPostgres } from '../../scripts/postgres-for-tests.ts'
import type { NewConnection } from './evaluation/connections.ts'
import {
  type ControlStore,
  type ControlStoreLocation,
  openControlStore,
  type WorkspaceControlStore,
} from './store/open.ts'

export { rowsOfControl } from './testing-rows.ts'

/** The engines, each with a factory of empty databases; the test command may leave one out. */
export const engines: readonly { name: string; emptyPlace: () => Promise<Place> }[] = [
  { name: 'SQLite', emptyPlace: emptyFile },
  { name: 'PostgreSQL', emptyPlace: emptyDatabase },
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
        place = await engine.emptyPlace()
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

/** A connection with only what it must have. */
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

/** On the PostgreSQL that the test command started, or on one that starts for it; the quick part leaves out tests that ask for it. */
export async function emptyDatabase(): Promise<Place> {
  const running = hostEnvironment.PLUMBLINE_TEST_DATABASE_URL
  const server = running === undefined ? await startPostgres() : { url: running, stop: async () => undefined }
  const name = `plumbline_${randomUUID().replaceAll('-', '')}`
  await onServer(server.url, `CREATE DATABASE ${name}`)
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

/** Whether the spool that nodes share is empty, and spans are in their traces. */
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
