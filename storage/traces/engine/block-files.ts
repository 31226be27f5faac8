/** Files of blocks on their way into the embedded engine, in its folder for temporary files, which no backup copies. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const thisProcess = randomUUID()
const name = /^block-([\da-f-]{36})-\d+\.native$/
let last = 0

/** The path of a file that is not there yet. */
export const nextBlockFile = (folder: string): string =>
  join(temporaryFolder(folder), `block-${thisProcess}-${++last}.native`)

/** Removes those that a process left behind when it was killed. */
export function removeOldBlockFiles(folder: string): void {
  if (!existsSync(temporaryFolder(folder))) return
  for (const file of readdirSync(temporaryFolder(folder))) {
    const process = name.exec(file)?.[1]
    if (process !== undefined && process !== thisProcess) rmSync(join(temporaryFolder(folder), file))
  }
}

/** Absolute, since the engine reads other paths from a folder of its own. */
const temporaryFolder = (folder: string): string => resolve(folder, 'tmp')
