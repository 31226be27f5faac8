/**
 * The ingestion ledger: where every record went. What was stored is counted when it leaves the spool, once for
 * each batch however often it is replayed; what was refused or repeated is counted in memory and written down
 * every second.
 */
import type { ErrorCode } from '@plumbline/contract'
import type { LedgerEntry, WorkspaceControlStore } from '@plumbline/storage/control'
import type { Caller } from '../verb.ts'

/** What one API key recorded in one hour. */
export interface StoredCount {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly hourMs: number
  readonly stored: number
  readonly sampled: number
  readonly sampledOut: number
}

/** A record that was acknowledged, and that no store can take. */
export interface PutAside {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly atMs: number
  readonly sample: string
  /** Whether it is among the stored ones that are counted with it, and must be taken off them. */
  readonly wasCounted: boolean
}

export interface Ledger {
  /** Counts a batch of the spool; a batch that comes again is not counted again. */
  addStored(token: string, counts: readonly StoredCount[], putAside: readonly PutAside[]): Promise<void>
  addRefused(caller: Caller, reason: ErrorCode, body: Buffer, at: Date, count?: number): void
  addDeduplicated(caller: Caller, at: Date): void
  /** Writes down what is counted in memory. */
  flush(): Promise<void>
}

interface Counted {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly at: Date
  deduplicated: number
  readonly rejections: Map<string, { reason: string; count: number; sample: string; at: Date }>
}

type LedgerStore = WorkspaceControlStore['ledger']

const hourMs = 3_600_000
/** How much of a refused body is kept. */
const sampleBytesMax = 1000
/** The reason of a record that was acknowledged and then refused by the trace store. */
const refusedByStore = 'store_refused'

export function makeLedger(storeOf: (workspaceId: string) => LedgerStore, now: () => Date): Ledger {
  let counted = new Map<string, Counted>()

  const countOf = ({ workspaceId, id: apiKeyId }: Caller, at: Date): Counted => {
    const key = `${apiKeyId} ${Math.floor(at.getTime() / hourMs)}`
    const found = counted.get(key) ?? { workspaceId, apiKeyId, at, deduplicated: 0, rejections: new Map() }
    counted.set(key, found)
    return found
  }

  const flush = async (): Promise<void> => {
    const taken = [...counted.values()]
    counted = new Map()
    for (const [workspaceId, entries] of Map.groupBy(taken, (entry) => entry.workspaceId)) {
      const written = entries.map(
        ({ apiKeyId, at, deduplicated, rejections }): LedgerEntry => ({
          apiKeyId,
          at,
          deduplicated,
          rejections: [...rejections.values()],
        }),
      )
      await storeOf(workspaceId).add(null, written, now())
    }
  }

  return {
    async addStored(token, counts, putAside) {
      const entries = [
        ...counts.map(({ workspaceId, apiKeyId, hourMs: hour, stored, sampled, sampledOut }) => ({
          workspaceId,
          entry: { apiKeyId, at: new Date(hour), stored, sampled, sampledOut } as LedgerEntry,
        })),
        ...putAside.map(({ workspaceId, apiKeyId, atMs, sample, wasCounted }) => {
          const at = new Date(atMs)
          const rejections = [{ reason: refusedByStore, count: 1, sample, at }]
          return {
            workspaceId,
            entry: { apiKeyId, at, stored: wasCounted ? -1 : 0, rejections } as LedgerEntry,
          }
        }),
      ]
      for (const [workspaceId, of] of Map.groupBy(entries, (each) => each.workspaceId)) {
        await storeOf(workspaceId).add(
          token,
          of.map(({ entry }) => entry),
          now(),
        )
      }
    },
    addRefused(caller, reason, body, at, count = 1) {
      const { rejections } = countOf(caller, at)
      const sample = body.toString('utf8', 0, sampleBytesMax)
      rejections.set(reason, { reason, count: (rejections.get(reason)?.count ?? 0) + count, sample, at })
    },
    addDeduplicated(caller, at) {
      countOf(caller, at).deduplicated += 1
    },
    flush,
  }
}
