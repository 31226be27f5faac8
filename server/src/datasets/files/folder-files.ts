/** A workspace's files in a folder of the data directory. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ByteLimit } from './byte-limit.ts'
import { checkedKey, type FileKey } from './file-key.ts'
import type { FileStore } from './file-store.ts'

/** Links are not followed, since they may lead out of the folder. Opening a pipe does not block. */
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants

/** The files of one workspace in a folder, each named by its key. */
export function makeFolderFiles(folder: string): FileStore {
  return {
    async receive(fileKey, bytes, bytesMax) {
      const path = pathIn(folder, fileKey)
      const { partial, sizeBytes, sha256 } = await writePartial(folder, fileKey, bytes, bytesMax)
      const discard = () => rm(partial, { force: true })
      return { sizeBytes, sha256, keep: () => rename(partial, path), discard }
    },
    async read(fileKey) {
      const path = pathIn(folder, fileKey)
      const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
        if (isNoFile(error)) return undefined
        throw error
      })
      if (file === undefined) return undefined
      if ((await file.stat()).isFile()) return file.createReadStream()
      await file.close()
      return undefined
    },
    delete: (fileKey) => rm(pathIn(folder, fileKey), { force: true }),
    deleteAll: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Writes bytes durably next to the file; leaves nothing behind on failure. */
export async function writePartial(
  folder: string,
  fileKey: FileKey,
  bytes: Readable,
  bytesMax: number,
): Promise<{ readonly partial: string; readonly sizeBytes: number; readonly sha256: string }> {
  const path = pathIn(folder, fileKey)
  await mkdir(folder, { recursive: true })
  // Each upload writes its own file, so that a retry never mixes with an upload that is still open.
  const partial = `${path}.${randomUUID()}${partialEnding}`
  const file = await open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
  const limit = new ByteLimit(bytesMax)
  try {
    await pipeline(bytes, limit, file.createWriteStream({ flush: true }))
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  return { partial, sizeBytes: limit.size, sha256: limit.sha256() }
}

/** Missing, a link or a socket. If too many files are open, the file may exist, and an export must not continue without it. */
const isNoFile = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(String((error as NodeJS.ErrnoException).code))

/** The suffix of an unfinished upload. */
const partialEnding = '.partial'

/** Removes uploads that a former process did not finish: no row refers to them, so nothing else would remove them. */
export async function removeUnfinishedUploads(dataFolder: string): Promise<void> {
  const entries = await readdir(join(dataFolder, 'files'), { withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const folder = join(entry.parentPath, entry.name)
    for (const name of await readdir(folder))
      if (name.endsWith(partialEnding)) await rm(join(folder, name), { force: true })
  }
}

/** The path of a file. The type says that the key was checked; a path is worth a second check. */
function pathIn(folder: string, fileKey: FileKey): string {
  const path = resolve(folder, checkedKey(fileKey))
  if (dirname(path) !== resolve(folder)) throw new Error('A file key points outside its folder.')
  return path
}
