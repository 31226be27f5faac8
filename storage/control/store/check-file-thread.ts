import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const problemsMax = 20

/** Pages, indexes and constraints; then references between rows. */
function findProblems(file: string): string[] {
  try {
    const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    try {
      const rows = connection.prepare(`PRAGMA integrity_check(${problemsMax})`).all()
      const problems = rows.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok')
      const references = connection.prepare('PRAGMA foreign_key_check').all()
      for (const { table, parent } of references.slice(0, problemsMax))
        problems.push(`A row of ${String(table)} refers to a row of ${String(parent)} that is missing.`)
      return problems
    } finally {
      connection.close()
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

// Safe: the thread is started with the path of the file.
parentPort?.postMessage(findProblems(workerData as string))
