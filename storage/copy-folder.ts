import { constants, type Dirent } from 'node:fs'
import { copyFile, link, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/** What becomes of an entry: a folder that is not left out is walked through. */
export type Fate = 'link' | 'copy' | 'leave out'

/**
 * Copies a folder with what is in it. A file that never changes once it has its name is best linked: that takes no
 * time and no room, and the copy keeps the bytes when the original is deleted. What is deleted during the walk is not copied.
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

/** A second name of the same bytes; a copy where the file system has no such thing. */
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
