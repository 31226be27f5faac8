/**
 * Files of removed segments, which the next segments overwrite. When a file grows, each sync writes its length and
 * blocks to the file system journal and waits for other entries there; an overwritten file syncs only its bytes. Used
 * only under load, when segments follow each other quickly: deleted data must not stay in such a file.
 */
import fs from 'node:fs'

/** The suffix of a file that waits for a segment. */
export const spareEnding = '.spare'

/** One is being drained while the next one fills. */
const sparesMax = 2
/** Smaller segments do not occur under load. */
const bytesMin = 1024 * 1024
/** Under load segments follow each other faster. */
const unusedMsMax = 3_000

export class SpareFiles {
  readonly #bytesMax: number
  #paths: string[] = []
  #timer: NodeJS.Timeout | undefined

  /** Keeps no files that are larger than `bytesMax`. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Keeps the file of a removed segment for reuse, or deletes it. It may already be gone. */
  async add({ path, bytes }: { readonly path: string; readonly bytes: number }): Promise<void> {
    const fits = bytes >= bytesMin && bytes <= this.#bytesMax && this.#paths.length < sparesMax
    const sparePath = path + spareEnding
    try {
      // A file that a backup links to must not change.
      if (!fits || (await fs.promises.stat(path)).nlink > 1)
        return await fs.promises.rm(path, { force: true })
      await fs.promises.rename(path, sparePath)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    this.#paths.push(sparePath)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.clear(), unusedMsMax).unref()
  }

  /** Renames a spare file to this path; false if there is none. */
  async move(path: string): Promise<boolean> {
    const sparePath = this.#paths.pop()
    if (sparePath === undefined) return false
    try {
      await fs.promises.rename(sparePath, path)
      return true
    } catch {
      // A new file works as well.
      await fs.promises.rm(sparePath, { force: true }).catch(() => {})
      return false
    }
  }

  /** Deletes all spare files. */
  async clear(): Promise<void> {
    clearTimeout(this.#timer)
    for (const path of this.#paths.splice(0)) await fs.promises.rm(path, { force: true }).catch(() => {})
  }
}
