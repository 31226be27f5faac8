/**
 * Folders of trace stores with all tables and no rows. Migrations take half a second of CPU for each new store, so a
 * test run applies them once and copies that store.
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { copyFolder } from '../../copy-folder.ts'
import { openClients } from '../engine/clients.ts'
import { migrate } from '../engine/migrate.ts'

/** Where a test run keeps the stores that tests copy. */
const migratedStores = hostEnvironment.PLUMBLINE_TEST_MIGRATED_STORES

/**
 * Fills a new folder with an empty trace store and returns its path. Outside of a test run the folder is empty, and
 * opening it applies the migrations. No other store may be open in the process.
 */
export async function makeTraceFolder(
  folder: string = mkdtempSync(join(tmpdir(), 'plumbline-traces-')),
): Promise<string> {
  if (migratedStores !== undefined) {
    const original = join(migratedStores, 'traces')
    if (!existsSync(original)) await makeOriginal(original)
    await copyFolder(original, folder, () => 'copy')
  }
  return folder
}

/** Called by the first processes of a run, possibly at the same time. */
async function makeOriginal(path: string): Promise<void> {
  const folder = mkdtempSync(`${path}-`)
  const clients = openClients({ folder })
  await migrate(clients, { isOurs: true })
  await clients.close()
  try {
    renameSync(folder, path)
  } catch (error) {
    if (!existsSync(path)) throw error
    rmSync(folder, { recursive: true })
  }
}
