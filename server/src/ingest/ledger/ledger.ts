/**
 * The ingestion ledger: counts the outcome of every record. Stored records are counted when their batch leaves the
 * spool, once even if the batch is replayed. Rejected and deduplicated records are counted in memory and written
 * every second.
 */
import type { ErrorCode } from '@plumbline/contract'
import type { LedgerEntry, WorkspaceControlStore } from '@plumbline/storage/control'
import type { Caller } from '../../requests/verb.ts'
import { flushCounts } from '../../workspace/flush-counts.ts'

/** The records of one API key in one hour. */
export interface StoredCount {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly hourMs: number
  readonly stored: number
  readonly sampled: number
  readonly sampledOut: number
}

/** An acknowledged record that no store accepts. */
export interface PutAside {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly atMs: number
  readonly sample: string
  /** Whether the stored count of its batch includes it; then it has to be subtracted. */
  readonly wasCounted: boolean
}

export interface Ledger {
  /** Counts a batch of the spool; ignores a repeated batch. */
  addStored(token: string, counts: readonly StoredCount[], putAside: readonly PutAside[]): Promise<void>
  addRefused(caller: Caller, reason: ErrorCode, body: Buffer, time: Date, count?: number): void
  addDeduplicated(caller: Caller, time: Date): void
  /** Writes the counts in memory to the store; while the store is away they are kept for the next flush. */
  flush(): Promise<void>
}

interface Count {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly time: Date
  deduplicated: number
  readonly rejections: Map<
    string,
    { reason: string; count: number; sample: string | Promise<string>; time: Date }
  >
}

type LedgerStore = WorkspaceControlStore['ledger']

const hourMs = 3_600_000
/** How much of a rejected body is stored. */
const sampleBytesMax = 1000
/** The reason of a record that was acknowledged and then rejected by the trace store. */
const refusedByStore = 'store_refused'

export function makeLedger(
  storeOf: (workspaceId: string) => LedgerStore,
  now: () => Date,
  /** The beginning of a body, masked by the rules of its workspace; never rejects. */
  sampleOf: (workspaceId: string, body: Buffer, lengthMax: number) => string | Promise<string>,
): Ledger {
  const counted = new Map<string, Count>()

  const findOrCreateCount = ({ workspaceId, id: apiKeyId }: Caller, time: Date): Count => {
    const key = `${apiKeyId} ${Math.floor(time.getTime() / hourMs)}`
    const count = counted.get(key) ?? { workspaceId, apiKeyId, time, deduplicated: 0, rejections: new Map() }
    counted.set(key, count)
    return count
  }

  const flush = (): Promise<void> =>
    flushCounts(counted, {
      write: async (workspaceId, counts) =>
        storeOf(workspaceId).add(null, await Promise.all(counts.map(toEntry)), now()),
      add: addCounts,
    })

  return {
    async addStored(token, counts, putAside) {
      const entries = [
        ...counts.map(({ workspaceId, apiKeyId, hourMs: hour, stored, sampled, sampledOut }) => ({
          workspaceId,
          entry: { apiKeyId, time: new Date(hour), stored, sampled, sampledOut } as LedgerEntry,
        })),
        ...putAside.map(({ workspaceId, apiKeyId, atMs, sample, wasCounted }) => {
          const time = new Date(atMs)
          const rejections = [{ reason: refusedByStore, count: 1, sample, time }]
          return {
            workspaceId,
            entry: { apiKeyId, time, stored: wasCounted ? -1 : 0, rejections } as LedgerEntry,
          }
        }),
      ]
      for (const [workspaceId, workspaceEntries] of Map.groupBy(entries, (each) => each.workspaceId)) {
        await storeOf(workspaceId).add(
          token,
          workspaceEntries.map(({ entry }) => entry),
          now(),
        )
      }
    },
    addRefused(caller, reason, body, time, count = 1) {
      const { rejections } = findOrCreateCount(caller, time)
      const sample = sampleOf(caller.workspaceId, body, sampleBytesMax)
      rejections.set(reason, {
        reason,
        count: (rejections.get(reason)?.count ?? 0) + count,
        sample,
        time,
      })
    },
    addDeduplicated(caller, time) {
      findOrCreateCount(caller, time).deduplicated += 1
    },
    flush,
  }
}

const toEntry = async ({ apiKeyId, time, deduplicated, rejections }: Count): Promise<LedgerEntry> => ({
  apiKeyId,
  time,
  deduplicated,
  rejections: await Promise.all(
    [...rejections.values()].map(async ({ sample, ...rest }) => ({ ...rest, sample: await sample })),
  ),
})

function addCounts(older: Count, newer: Count): Count {
  const rejections = new Map(older.rejections)
  for (const [reason, rejection] of newer.rejections)
    rejections.set(reason, { ...rejection, count: rejection.count + (rejections.get(reason)?.count ?? 0) })
  return { ...newer, deduplicated: older.deduplicated + newer.deduplicated, rejections }
}
