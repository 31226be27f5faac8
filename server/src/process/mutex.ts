/** Runs tasks one after another, in the order of the calls. */
export interface Mutex {
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
}

export function makeMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return {
    runExclusive(work) {
      const result = last.then(work)
      last = result.catch(() => undefined)
      return result
    },
  }
}
