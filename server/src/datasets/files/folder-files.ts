/** Files of a workspace in a folder of the data folder. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ByteLimit } from './byte-limit.ts'
import { checkedKey, type FileKey } from './file-key.ts'
import type { FileStore } from './file-store.ts'

/** A link is never followed: it may lead out of the folder. Neither is a pipe waited for. */
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants

/** Files of one workspace in a folder, each under its key. */
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

/** Writes bytes beside the file, durably; leaves nothing of them where it fails. */
export async function writePartial(
  folder: string,
  fileKey: FileKey,
  bytes: Readable,
  bytesMax: number,
): Promise<{ readonly partial: string; readonly sizeBytes: number; readonly sha256: string }> {
  const path = pathIn(folder, fileKey)
  await mkdir(folder, { recursive: true })
  // Each upload writes a file of its own, so that a retry never mixes with an upload that is still open.
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

/** Nothing, a link or a socket; where too many files are open, the file may be there, and an export must not go on without it. */
const isNoFile = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(String((error as NodeJS.ErrnoException).code))

/** Of an upload that has not ended. */
const partialEnding = '.partial'

/** Removes what uploads have left that a former process did not finish: no row tells of it, so that nothing else would. */
export async function removeUnfinishedUploads(dataFolder: string): Promise<void> {
  const entries = await readdir(join(dataFolder, 'files'), { withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const folder = join(entry.parentPath, entry.name)
    for (const name of await readdir(folder))
      if (name.endsWith(partialEnding)) await rm(join(folder, name), { force: true })
  }
}

/** The path of a file. The type says that the key was checked; a path is worth a second look. */
function pathIn(folder: string, fileKey: FileKey): string {
  const path = resolve(folder, checkedKey(fileKey))
  if (dirname(path) !== resolve(folder)) throw new Error('A file key leads out of its folder.')
  return path
}
