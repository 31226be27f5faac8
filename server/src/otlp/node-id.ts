import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What tells this node from others that share its stores: made once for each data folder. */
export function nodeId(dataFolder: string): string {
  const file = join(dataFolder, 'node')
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = randomUUID()
  writeFileSync(file, made)
  return made
}
