/**
 * Pauses writes for a snapshot, which waits for running writes; later writes wait for the snapshot. Large deletions
 * start each of their statements when no insert is running.
 */
export interface WriteGate {
  write<Result>(work: () => Promise<Result>): Promise<Result>
  /** A write that others yield to. */
  insert<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves once the running inserts have ended, or after a short time. */
  yieldToInserts(): Promise<void>
  pauseWhile<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Longer than an insert usually takes. If inserts take longer, the deletion continues anyway. */
const yieldMs = 250

export function makeWriteGate(): WriteGate {
  const underWay = new Set<Promise<unknown>>()
  const inserts = new Set<Promise<unknown>>()
  let pause: Promise<unknown> | undefined

  const write: WriteGate['write'] = async (work) => {
    while (pause !== undefined) await pause
    return noteIn(underWay, work())
  }

  return {
    write,
    insert: (work) => write(() => noteIn(inserts, work())),
    async yieldToInserts() {
      const moment = Promise.withResolvers<void>()
      const timer = setTimeout(moment.resolve, yieldMs)
      await Promise.race([Promise.allSettled(inserts), moment.promise])
      clearTimeout(timer)
    },
    async pauseWhile(work) {
      while (pause !== undefined) await pause
      const pausedWork = Promise.allSettled(underWay).then(work)
      pause = pausedWork
        .catch(() => {})
        .finally(() => {
          pause = undefined
        })
      return pausedWork
    },
  }
}

async function noteIn<Result>(works: Set<Promise<unknown>>, work: Promise<Result>): Promise<Result> {
  works.add(work)
  try {
    return await work
  } finally {
    works.delete(work)
  }
}
