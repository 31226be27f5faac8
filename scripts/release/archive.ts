import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { promisify } from 'node:util'

/** Unpacks an archive of `npm pack`, without the `package` folder that contains everything. */
export async function unpack(archive: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await promisify(execFile)('tar', ['-xzf', archive, '--strip-components=1', '-C', folder])
}
