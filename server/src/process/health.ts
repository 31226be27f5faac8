/** Whether this node can do its work, and which parts are unavailable. */
import { resultWithin } from '@plumbline/storage/result-within'
import type { Spool } from '@plumbline/storage/spool'
import type { Foundation } from './foundation.ts'
import { metricTimeoutMs } from './metric-timeout.ts'

export interface Health {
  /** Why no record can be stored now, as a sentence; undefined while the node accepts records and serves prompts. */
  readonly problem: string | undefined
  /** Parts that do not respond. The node works without them: records wait in the spool, prompts come from memory. */
  readonly degradedParts: readonly Part[]
  /** Whether each shard of the trace store responds; one entry if the store has no shards. */
  readonly areShardsUp: readonly boolean[]
}

export type Part = 'the control plane' | 'the trace store' | `shard ${number} of the trace store`

export interface HealthCheck {
  /** Resolves within a second, even if a part hangs. */
  check(): Promise<Health>
}

type Stores = Pick<Foundation, 'control' | 'traceStore' | 'spool'>

export function makeHealthCheck({ control, traceStore, spool }: Stores): HealthCheck {
  const isControlThere = once(async () => {
    await control.revisions()
    return true
  })
  const shardPings = traceStore.pings.map(once)
  const findProblem = once(async () => (await spool.problem())?.message ?? null)
  return {
    async check() {
      const [controlAnswer, problem, ...shardAnswers] = await Promise.all([
        resultWithin(metricTimeoutMs, isControlThere()),
        resultWithin(metricTimeoutMs, findProblem()),
        ...shardPings.map((ping) => resultWithin(metricTimeoutMs, ping())),
      ])
      const areShardsUp = shardAnswers.map((answer) => answer === true)
      return {
        problem: problem === undefined ? noAnswer(spool) : (problem ?? undefined),
        degradedParts: [
          ...(controlAnswer === true ? [] : (['the control plane'] as const)),
          ...awayShards(areShardsUp),
        ],
        areShardsUp,
      }
    },
  }
}

const noAnswer = ({ isShared }: Pick<Spool, 'isShared'>): string =>
  isShared ? 'PostgreSQL, which holds the spool, does not respond.' : 'The spool disk does not respond.'

function awayShards(areShardsUp: readonly boolean[]): Part[] {
  if (!areShardsUp.includes(true)) return ['the trace store']
  return areShardsUp.flatMap((isUp, index) =>
    isUp ? [] : [`shard ${index + 1} of the trace store` as const],
  )
}

/** Concurrent callers share one call, so that a part that hangs is asked only once. A failure is undefined. */
function once<Answer>(ask: () => Promise<Answer>): () => Promise<Answer | undefined> {
  let pending: Promise<Answer | undefined> | undefined
  return () => {
    pending ??= ask()
      .catch(() => undefined)
      .finally(() => {
        pending = undefined
      })
    return pending
  }
}
