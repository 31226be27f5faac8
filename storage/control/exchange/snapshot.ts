import { backup, DatabaseSync } from 'node:sqlite'
import { storeErrorOf } from '../store/sqlite.ts'

/** Copies all pages in one step, since a write between two steps would restart the copy. */
const pagesPerStep = 1_000_000_000

/** Copies a consistent snapshot of a control store file while it is in use, off the event loop. */
export async function snapshotFile(file: string, target: string): Promise<void> {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    await backup(connection, target, { rate: pagesPerStep })
  } catch (error) {
    throw storeErrorOf(error)
  } finally {
    connection.close()
  }
}
