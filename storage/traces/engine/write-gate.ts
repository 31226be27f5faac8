/** Pauses writes for a snapshot, which waits for running writes; later writes wait for it. */
export interface WriteGate {
  write<Result>(work: () => Promise<Result>): Promise<Result>
  pauseWhile<Result>(work: () => Promise<Result>): Promise<Result>
}

export function makeWriteGate(): WriteGate {
  const underWay = new Set<Promise<unknown>>()
  let pause: Promise<unknown> | undefined
  return {
    async write(work) {
      while (pause !== undefined) await pause
      const write = work()
      underWay.add(write)
      try {
        return await write
      } finally {
        underWay.delete(write)
      }
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
