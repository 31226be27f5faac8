/**
 * Work before the first statement on a store: checks of the store, and migrations. It runs when the process starts, or
 * once the store responds if it was away then.
 */
import { resultWithin } from '../../result-within.ts'
import type { Clients } from './clients.ts'
import { TraceStoreUnavailable } from './errors.ts'

export interface Preparation {
  /** Prepares the store, however long it takes; resolves at once if it is already prepared. */
  prepare(): Promise<void>
  /** The same for a statement, which waits a few seconds at most, since a migration may take hours. */
  untilPrepared(): Promise<void>
}

/** How long after the start of an attempt statements still wait for it; later ones fail at once. */
const statementTimeoutMs = 5_000

function noResponse(): never {
  throw new TraceStoreUnavailable('The trace store does not respond.')
}

export function makePreparation(
  work: () => Promise<void>,
  timeoutMs: number = statementTimeoutMs,
): Preparation {
  let isPrepared = false
  let attempt: { readonly result: Promise<void>; readonly startedAtMs: number } | undefined

  const prepare = async (): Promise<void> => {
    if (isPrepared) return
    attempt ??= { result: run(), startedAtMs: performance.now() }
    await attempt.result
  }

  const run = async (): Promise<void> => {
    try {
      await work()
      isPrepared = true
    } finally {
      attempt = undefined
    }
  }

  return {
    prepare,
    async untilPrepared() {
      if (isPrepared) return
      const startedAtMs = attempt?.startedAtMs ?? performance.now()
      const remainingMs = startedAtMs + timeoutMs - performance.now()
      await resultWithin(remainingMs, prepare(), noResponse)
    },
  }
}

/** Undefined if the engine responds within a few seconds, even with an error; otherwise the failure. */
export async function findOutage(engine: Clients): Promise<TraceStoreUnavailable | undefined> {
  try {
    await resultWithin(statementTimeoutMs, engine.read('SELECT 1', {}), noResponse)
    return undefined
  } catch (error) {
    return isOutage(error) ? error : undefined
  }
}

/** Whether the engine did not respond at all. One that responds with an error code is reachable. */
export const isOutage = (error: unknown): error is TraceStoreUnavailable =>
  error instanceof TraceStoreUnavailable && error.reason === 'away' && error.code === undefined

/** Clients whose statements wait until the store is prepared. */
export function waitForPreparation(engine: Clients, { untilPrepared }: Preparation): Clients {
  const afterwards =
    <Input extends unknown[], Result>(run: (...input: Input) => Promise<Result>) =>
    async (...input: Input): Promise<Result> => {
      await untilPrepared()
      return run(...input)
    }
  return {
    ...engine,
    read: async (sql, parameters) => {
      await untilPrepared()
      return engine.read(sql, parameters)
    },
    search: async (sql, parameters) => {
      await untilPrepared()
      return engine.search(sql, parameters)
    },
    readLines: afterwards(engine.readLines),
    insert: afterwards(engine.insert),
    command: afterwards(engine.command),
    maintain: afterwards(engine.maintain),
    mutateInBackground: afterwards(engine.mutateInBackground),
    ping: () => untilPrepared().then(engine.ping, () => false),
  }
}
