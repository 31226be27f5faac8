/**
 * Files of removed segments, which the next segments overwrite. A file that grows has its length and its blocks written
 * to the journal of the file system with each sync, and waits for what others have in there; one that is overwritten
 * syncs its bytes alone. Only under load, when segments follow each other: what was deleted must not stay in such a file.
 */
import fs from 'node:fs'

/** Of a file that waits for a segment. */
export const spareEnding = '.spare'

/** One is being drained while the next one fills. */
const sparesMax = 2
/** A smaller segment is not of a time with load. */
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

  /** Keeps the file of a removed segment for another one, or deletes it. It may be gone already. */
  async add({ path, bytes }: { readonly path: string; readonly bytes: number }): Promise<void> {
    const fits = bytes >= bytesMin && bytes <= this.#bytesMax && this.#paths.length < sparesMax
    const sparePath = path + spareEnding
    try {
      // A backup has links to segments: such a file must not change.
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

  /** Gives one of them this path; false if there is none. */
  async move(path: string): Promise<boolean> {
    const sparePath = this.#paths.pop()
    if (sparePath === undefined) return false
    try {
      await fs.promises.rename(sparePath, path)
      return true
    } catch {
      // A new file is as good.
      await fs.promises.rm(sparePath, { force: true }).catch(() => {})
      return false
    }
  }

  /** Deletes all of them. */
  async clear(): Promise<void> {
    clearTimeout(this.#timer)
    for (const path of this.#paths.splice(0)) await fs.promises.rm(path, { force: true }).catch(() => {})
  }
}
