/**
 * Temporary files for blocks that are being inserted into the embedded engine. They are in its temporary folder, which
 * backups leave out.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const thisProcess = randomUUID()
const name = /^block-([\da-f-]{36})-\d+\.native$/
let last = 0

/** A path that does not exist yet. */
export const nextBlockFile = (folder: string): string =>
  join(temporaryFolder(folder), `block-${thisProcess}-${++last}.native`)

/** Removes the files that a killed process left behind. */
export function removeOldBlockFiles(folder: string): void {
  if (!existsSync(temporaryFolder(folder))) return
  for (const file of readdirSync(temporaryFolder(folder))) {
    const process = name.exec(file)?.[1]
    if (process !== undefined && process !== thisProcess) rmSync(join(temporaryFolder(folder), file))
  }
}

/** Absolute, since the engine resolves relative paths against its own folder. */
const temporaryFolder = (folder: string): string => resolve(folder, 'tmp')
