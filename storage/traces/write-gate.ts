/** Writes, and what must have none beside it: a snapshot waits for those under way, and later ones wait for it. */
export interface WriteGate {
  write<Result>(work: () => Promise<Result>): Promise<Result>
  still<Result>(work: () => Promise<Result>): Promise<Result>
}

export function makeWriteGate(): WriteGate {
  const underWay = new Set<Promise<unknown>>()
  let stillness: Promise<unknown> | undefined
  return {
    async write(work) {
      while (stillness !== undefined) await stillness
      const writing = work()
      underWay.add(writing)
      try {
        return await writing
      } finally {
        underWay.delete(writing)
      }
    },
    async still(work) {
      while (stillness !== undefined) await stillness
      const working = Promise.allSettled(underWay).then(work)
      stillness = working
        .catch(() => {})
        .finally(() => {
          stillness = undefined
        })
      return working
    },
  }
}
