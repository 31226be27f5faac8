/**
 * Folders of trace stores that have all tables and no rows. The migrations take half a second of CPU, as often as a test
 * opens a new store: so a test run applies them once, and the other stores are copies.
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
 * Fills a new folder with a trace store without rows, and names it; outside of a test run it is empty, and whoever opens it applies the
 * migrations. No other store may be open in the process.
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

/** The first processes of a run do so, maybe beside each other. */
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
