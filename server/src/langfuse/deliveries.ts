/**
 * What names a trace that has not arrived: Langfuse's clients send scores and items of dataset runs beside their spans, and
 * often before them. They wait as jobs, which are durable and retried, until the trace is there.
 */
import type { JsonValue } from '@plumbline/storage/control'
import { makeScoreRow } from '../ingest/monitor/make-rows.ts'
import { JobFailure } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Caller, Context } from '../requests/verb.ts'
import type { Workspace, Workspaces } from '../workspace/workspace.ts'
import { deliverScore } from './scores.ts'

/** A score whose trace may be on its way. */
export interface DeferredScore {
  readonly otelTraceId: string
  readonly spanId?: string
  readonly name: string
  readonly value: boolean | number | string
  readonly comment: string | undefined
  readonly createdAtMs: number
  /** The caller's own id of it. */
  readonly key: string | undefined
}

type Giver = Pick<Context, 'workspace' | 'caller' | 'now'>

export interface Deliveries {
  score(score: DeferredScore, giver: Giver): Promise<void>
}

type ScorePayload = { score: JsonValue; caller: { id: string; name: string } }

/** Spans are exported seconds after their scores, and by the end of a long run an hour later. */
const retryDelaysMs = [2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000]
const firstDelayMs = 1_000

export function makeDeliveries({ jobs, workspaces }: { jobs: Jobs; workspaces: Workspaces }): Deliveries {
  const policy = {
    attemptsMax: 16,
    retryDelayMs: (failures: number) => retryDelaysMs[Math.min(failures, retryDelaysMs.length) - 1] ?? 0,
  }
  const scores = jobs.handle<ScorePayload>(
    'langfuse.score',
    async (payload, { workspaceId = '', now }) => {
      // Safe: `score` below wrote it.
      const score = payload.score as unknown as DeferredScore
      const workspace = workspaces.of(workspaceId)
      const scoreId = await deliverScore(score, { workspace, caller: callerOf(payload, workspaceId), now })
      if (scoreId === undefined)
        throw new JobFailure(`The score "${score.name}" waits for the trace ${score.otelTraceId}.`)
    },
    policy,
  )
  return {
    async score(score, { workspace, caller, now }) {
      const { name, value, comment } = await masked(score, workspace, now)
      const payload = {
        score: { ...score, name, value, comment: comment ?? null },
        caller: { id: caller.id, name: caller.name },
      }
      // Without what is undefined, which JSON has not.
      await scores.enqueue(JSON.parse(JSON.stringify(payload)) as ScorePayload, {
        workspaceId: workspace.id,
        dueAt: new Date(now.getTime() + firstDelayMs),
      })
    },
  }
}

/** The key that gave it; its scopes were checked then. */
const callerOf = ({ caller: { id, name } }: Pick<ScorePayload, 'caller'>, workspaceId: string): Caller => ({
  ...{ id, name, workspaceId },
  session: undefined,
  scopes: ['ingest'],
  role: 'editor',
})

/** Masked before it is written anywhere, as it would be in the trace store. */
async function masked(score: DeferredScore, workspace: Workspace, now: Date) {
  const row = makeScoreRow(
    {
      type: 'score',
      workspaceId: workspace.id,
      apiKeyId: '',
      receivedAtMs: now.getTime(),
      scoreId: crypto.randomUUID(),
    },
    Buffer.from(JSON.stringify({ traceId: crypto.randomUUID(), ...score })),
  )
  return workspace.masking.score(row)
}
