/**
 * Coordinates uploads to one URL: the first one to be recorded wins. A bucket has one object for all of them, so they write
 * it one after another, and none writes once one is recorded. Other nodes are not coordinated: if two of them receive
 * different bytes for one URL at the same moment, `plumbline verify` reports the file.
 */
import type { FileKey } from './file-key.ts'

interface Uploads {
  /** How many are in progress. */
  count: number
  hasKept: boolean
  lastTurn: Promise<void>
}

export interface Upload {
  /** Waits for its turn to write; false if another upload is already recorded, so that there is nothing to write. */
  begin(): Promise<boolean>
  /** Ends its turn, if it has started, and the upload. */
  end(isKept: boolean): void
}

export function makeUploadTurns(): (fileKey: FileKey) => Upload {
  const byKey = new Map<FileKey, Uploads>()
  return (fileKey) => {
    const uploads = byKey.get(fileKey) ?? { count: 0, hasKept: false, lastTurn: Promise.resolve() }
    byKey.set(fileKey, uploads)
    uploads.count += 1
    const { promise: turn, resolve: endTurn } = Promise.withResolvers<void>()
    let isOver = false
    return {
      async begin() {
        const before = uploads.lastTurn
        uploads.lastTurn = turn
        await before
        return !uploads.hasKept
      },
      end(isKept) {
        if (isOver) return
        isOver = true
        uploads.hasKept ||= isKept
        uploads.count -= 1
        if (uploads.count === 0) byKey.delete(fileKey)
        endTurn()
      },
    }
  }
}
