import fs from 'node:fs'
import { dirname } from 'node:path'
import type { SpareFiles } from './spare-files.ts'

/**
 * Linux can open a file so that each write is synced: one call instead of two, each of which would be made by another
 * thread while the main thread waits. On macOS such a write may end in the disk cache, and other systems have no such
 * flag.
 */
const writesSync = process.platform === 'linux'

/**
 * The file being appended to. Uses callbacks instead of FileHandles, since they cost less per write.
 * After any failure, abandon the file: a failed sync may have dropped its pages from the cache.
 */
export class SegmentFile {
  readonly #path: string
  readonly #fd: number
  /** Whether writes still have to be synced. */
  readonly #needsSync: boolean
  /** Whether the file may be longer than its records, because it belonged to another segment. */
  readonly #isOverwritten: boolean
  /** How many bytes are known to be on disk. */
  #durableBytes = 0

  private constructor(path: string, fd: number, options: { needsSync: boolean; isOverwritten: boolean }) {
    this.#path = path
    this.#fd = fd
    this.#needsSync = options.needsSync
    this.#isOverwritten = options.isOverwritten
  }

  /** Creates the file, or reuses a spare one, and makes its name in the folder survive power loss. */
  static async begin(path: string, isDurable: boolean, spares?: SpareFiles): Promise<SegmentFile> {
    const isOverwritten = (await spares?.move(path)) ?? false
    const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants
    const syncsItself = isDurable && writesSync
    const flags = O_WRONLY | (isOverwritten ? 0 : O_CREAT | O_EXCL) | (syncsItself ? fs.constants.O_DSYNC : 0)
    let fd: number
    try {
      fd = await call<number>((callback) => fs.open(path, flags, callback))
    } catch (error) {
      // Otherwise it would be a segment with the records of the earlier one, which must not be kept.
      if (isOverwritten) await call((callback) => fs.unlink(path, callback)).catch(() => undefined)
      throw error
    }
    const file = new SegmentFile(path, fd, { needsSync: isDurable && !syncsItself, isOverwritten })
    try {
      if (isDurable) await syncFolder(dirname(path))
      return file
    } catch (error) {
      await file.abandon()
      throw error
    }
  }

  /** Resolves once the chunks survive power loss. */
  async append(chunks: readonly Uint8Array[]): Promise<void> {
    const end = await writeAll(this.#fd, chunks, this.#durableBytes)
    if (this.#needsSync) await call((callback) => fs.fdatasync(this.#fd, callback))
    this.#durableBytes = end
  }

  /** Nothing is lost if closing fails: every acknowledged byte has been synced. */
  async close(): Promise<void> {
    if (this.#isOverwritten)
      await call((callback) => fs.ftruncate(this.#fd, this.#durableBytes, callback)).catch(() => undefined)
    await call((callback) => fs.close(this.#fd, callback)).catch(() => undefined)
  }

  /**
   * After a failure: removes unacknowledged records, so that they are not replayed.
   * On a failing disk this may fail too; then rejected records are replayed, which loses nothing.
   */
  async abandon(): Promise<void> {
    if (this.#durableBytes === 0) {
      await call((callback) => fs.unlink(this.#path, callback)).catch(() => undefined)
    } else {
      await call((callback) => fs.ftruncate(this.#fd, this.#durableBytes, callback)).catch(() => undefined)
      await call((callback) => fs.fdatasync(this.#fd, callback)).catch(() => undefined)
    }
    await this.close()
  }
}

/** Makes the names in a folder survive power loss. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.promises.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A short write, near a limit or on a full disk, reports no error; the next write does. */
async function writeAll(fd: number, chunks: readonly Uint8Array[], position: number): Promise<number> {
  let rest = chunks
  let offset = position
  while (rest.length > 0) {
    const byteCount = await call<number>((callback) => fs.writev(fd, rest, offset, callback))
    offset += byteCount
    rest = withoutFirst(rest, byteCount)
  }
  return offset
}

/** The chunks without their first `byteCount` bytes. */
export function withoutFirst(chunks: readonly Uint8Array[], byteCount: number): readonly Uint8Array[] {
  let first = 0
  let skipped = byteCount
  while (first < chunks.length && skipped >= chunks[first]!.length) skipped -= chunks[first++]!.length
  if (first === chunks.length) return []
  return [chunks[first]!.subarray(skipped), ...chunks.slice(first + 1)]
}

function call<T = void>(start: (callback: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)))
  })
}
