/**
 * Uploads to one address, of which the first to be recorded counts. A bucket has one object for all of them, so they
 * write it one after another, and none does once one of them counts. Other nodes do not take part: where two of them
 * get different bytes for one address at the same moment, `plumbline verify` names the file.
 */
import type { FileKey } from './file-key.ts'

interface Uploads {
  /** How many are under way. */
  count: number
  hasKept: boolean
  lastTurn: Promise<void>
}

export interface Upload {
  /** Waits for its turn to write; false where another upload counts already, and there is nothing to write. */
  begin(): Promise<boolean>
  /** Ends its turn, if it has begun, and the upload. */
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
