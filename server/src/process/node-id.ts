import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** This node's id among the nodes that share its stores; created once per data directory. */
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
