import { backup, DatabaseSync } from 'node:sqlite'

/** So many pages are copied in one step: all, for between two steps a write would begin the copy anew. */
const pagesPerStep = 1_000_000_000

/** Copies the control store in a file as it is at one moment, while it is in use, away from the event loop. */
export async function snapshotFile(file: string, target: string): Promise<void> {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    await backup(connection, target, { rate: pagesPerStep })
  } finally {
    connection.close()
  }
}
