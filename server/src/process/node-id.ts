import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The id of this node among those that share its stores; created once for each data folder. */
export function nodeId(dataFolder: string): string {
  const file = join(dataFolder, 'node')
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const id = randomUUID()
  writeFileSync(file, id)
  return id
}
