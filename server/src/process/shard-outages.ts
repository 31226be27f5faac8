/** Which shards of the trace store are unavailable, so that work for workspaces on the other shards continues. */
import { resultWithin } from '@plumbline/storage/result-within'
import { type TraceStore, TraceStoreUnavailable } from '@plumbline/storage/traces'
import type { Logger } from 'pino'

export interface ShardOutages {
  /** The numbers of the unavailable shards. */
  readonly shards: ReadonlySet<number>
  isAway(workspaceId: string): boolean
  /** Why a workspace is unreachable; without a workspace, why any is. Undefined while all shards respond. */
  errorFor(workspaceId?: string): TraceStoreUnavailable | undefined
  /**
   * Runs the work, and runs it again if it fails because another shard has become unavailable. Rejects with the work's error
   * if that is not about one of several shards, or if no shard would be left.
   */
  runAround<Result>(work: () => Promise<Result>): Promise<Result>
  /** Pings the unavailable shards whose retry is due. */
  probe(options?: { readonly isDue: boolean }): Promise<void>
}

const retryDelayMs = { first: 500, most: 10_000 }
/** A shard that hangs must not delay the others for long. */
const probeTimeoutMs = 1_000

interface Outage {
  readonly error: TraceStoreUnavailable
  retryAfterMs: number
  retryAtMs: number
}

export function makeShardOutages(store: Pick<TraceStore, 'pings' | 'shardOf'>, logger: Logger): ShardOutages {
  const outages = new Map<number, Outage>()
  /**
   * Kept while no work succeeds: a shard that answers pings but refuses writes, for example because its disk is full, keeps
   * its backoff.
   */
  const lastDelaysMs = new Map<number, number>()

  const begin = (shard: number, error: TraceStoreUnavailable): void => {
    const retryAfterMs = Math.min((lastDelaysMs.get(shard) ?? retryDelayMs.first / 2) * 2, retryDelayMs.most)
    lastDelaysMs.set(shard, retryAfterMs)
    outages.set(shard, { error, retryAfterMs, retryAtMs: performance.now() + retryAfterMs })
    logger.warn(
      { err: error, shard, retryAfterMs },
      'a trace store shard is unavailable: its data waits, and the other shards continue',
    )
  }

  const probeShard = async (shard: number, outage: Outage): Promise<void> => {
    const ping = store.pings[shard - 1]
    const isBack =
      ping !== undefined &&
      (await resultWithin(
        probeTimeoutMs,
        ping().catch(() => false),
      ))
    if (isBack === true) {
      outages.delete(shard)
      logger.info({ shard }, 'a trace store shard responds again')
      return
    }
    outage.retryAfterMs = Math.min(outage.retryAfterMs * 2, retryDelayMs.most)
    outage.retryAtMs = performance.now() + outage.retryAfterMs
  }

  return {
    get shards() {
      return new Set(outages.keys())
    },
    isAway: (workspaceId) => outages.size > 0 && outages.has(store.shardOf(workspaceId)),
    errorFor(workspaceId) {
      if (outages.size === 0) return undefined
      if (workspaceId !== undefined) return outages.get(store.shardOf(workspaceId))?.error
      return [...outages.values()][0]?.error
    },
    async runAround(work) {
      for (;;) {
        try {
          const result = await work()
          for (const shard of [...lastDelaysMs.keys()]) if (!outages.has(shard)) lastDelaysMs.delete(shard)
          return result
        } catch (error) {
          if (!(error instanceof TraceStoreUnavailable) || error.shard === undefined) throw error
          if (outages.has(error.shard) || outages.size + 1 >= store.pings.length) throw error
          begin(error.shard, error)
        }
      }
    },
    async probe({ isDue = true } = { isDue: true }) {
      const nowMs = performance.now()
      const due = [...outages].filter(([, { retryAtMs }]) => !isDue || retryAtMs <= nowMs)
      await Promise.all(due.map(([shard, outage]) => probeShard(shard, outage)))
    },
  }
}
