/**
 * Limits how many bytes of large bodies are parsed and held at a time. A parsed body takes up to 24 times its bytes (an
 * array of empty objects), and a full heap ends the process, so large bodies wait for each other.
 */
import { getHeapStatistics } from 'node:v8'
import { parsedAtOnceMax } from '../json/parse-json.ts'

export interface LargeBodies {
  /** Resolves with a release function once the bytes fit next to those in use; in the order of the calls. */
  admit(bytes: number): Promise<() => void>
  /** Runs work that parses a body of this size; a large body is admitted first, and released when the work is done. */
  run<Result>(bytes: number, work: () => Promise<Result>): Promise<Result>
}

/** The worst-case cost of parsing, with a margin for everything else. */
const heapBytesPerByte = 32

const defaultBytesMax = (): number => getHeapStatistics().heap_size_limit / heapBytesPerByte

export function makeLargeBodies(bytesMax: number = defaultBytesMax()): LargeBodies {
  let bytesInUse = 0
  const waiting: { readonly bytes: number; readonly start: () => void }[] = []

  // A body larger than the whole limit is admitted alone.
  const fits = (bytes: number): boolean => bytesInUse === 0 || bytesInUse + bytes <= bytesMax

  const admitNext = (): void => {
    while (waiting[0] !== undefined && fits(waiting[0].bytes)) waiting.shift()?.start()
  }

  const admit: LargeBodies['admit'] = (bytes) =>
    new Promise((resolve) => {
      const start = (): void => {
        bytesInUse += bytes
        let isInUse = true
        resolve(() => {
          if (!isInUse) return
          isInUse = false
          bytesInUse -= bytes
          admitNext()
        })
      }
      waiting.push({ bytes, start })
      admitNext()
    })

  return {
    admit,
    async run(bytes, work) {
      if (bytes <= parsedAtOnceMax) return work()
      const release = await admit(bytes)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
