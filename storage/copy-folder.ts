import { constants, type Dirent } from 'node:fs'
import { copyFile, link, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/** What to do with an entry. Folders that are not left out are walked. */
export type Fate = 'link' | 'copy' | 'leave out'

/**
 * Copies a folder with its contents. A file that never changes once it has its name is best linked: that takes no time
 * or space, and the copy keeps the bytes if the original is deleted. Entries deleted during the walk are not copied.
 */
export async function copyFolder(
  sourceFolder: string,
  targetFolder: string,
  fateOf: (path: string, entry: Dirent) => Fate,
): Promise<void> {
  await mkdir(targetFolder, { recursive: true })
  for (const entry of await readdir(sourceFolder, { withFileTypes: true })) {
    const source = join(sourceFolder, entry.name)
    const target = join(targetFolder, entry.name)
    const fate = fateOf(source, entry)
    if (fate === 'leave out') continue
    if (entry.isDirectory()) await copyFolder(source, target, fateOf)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isFile()) await (fate === 'link' ? linkFile(source, target) : copy(source, target))
  }
}

/** Creates a hard link, or a copy if the file system does not support links. */
export async function linkFile(source: string, target: string): Promise<void> {
  try {
    await link(source, target)
  } catch (error) {
    if (isMissing(error)) throw error
    await copyFile(source, target)
  }
}

async function copy(source: string, target: string): Promise<void> {
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
