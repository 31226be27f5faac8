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
  from: string,
  to: string,
  fateOf: (path: string, entry: Dirent) => Fate,
): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    const fate = fateOf(source, entry)
    if (fate === 'leave out') continue
    if (entry.isDirectory()) await copyFolder(source, target, fateOf)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isFile()) await (fate === 'link' ? linkFile(source, target) : copy(source, target))
  }
}

/** A second name of the same bytes; a copy where the file system has no such thing. */
export async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (isMissing(error)) throw error
    await copyFile(from, to)
  }
}

async function copy(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
