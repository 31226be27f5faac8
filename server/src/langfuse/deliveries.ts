/**
 * Scores and dataset run items for traces that have not arrived: Langfuse's clients send these separately from their spans,
 * and often before them. They wait as jobs, which are durable and retried, until the trace arrives.
 */
import { type Experiment, ServiceError } from '@plumbline/contract'
import type { JsonValue } from '@plumbline/storage/control'
import type { Joining } from '../evaluate/experiments/joining.ts'
import { toExperiment } from '../evaluate/experiments/view.ts'
import { makeScoreRow } from '../ingest/monitor/worker/make-rows.ts'
import { JobFailure } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { mapConflict } from '../requests/map-storage-errors.ts'
import type { Caller, Context } from '../requests/verb.ts'
import type { Workspace, Workspaces } from '../workspace/workspace.ts'
import { findNamedTrace } from './find-trace.ts'
import { deliverScore } from './scores.ts'

/** A score whose trace may not have arrived. */
export interface DeferredScore {
  readonly otelTraceId: string
  readonly spanId?: string
  readonly name: string
  readonly value: boolean | number | string
  readonly comment: string | undefined
  readonly createdAtMs: number
  /** The caller's own id of the score. */
  readonly key: string | undefined
}

type Giver = Pick<Context, 'workspace' | 'caller' | 'now'>

/** A trace of a run that may not have arrived. */
export interface DeferredLink {
  readonly experimentId: string
  readonly otelTraceId: string
  /** Empty if there is none. */
  readonly datasetRowId: string
}

/** A dataset run, by the names that Langfuse's clients use. */
export interface RunName {
  readonly datasetSlug: string
  readonly datasetName: string
  readonly runName: string
}

/** Wraps a function that creates an experiment. */
export type MakeExperiment = (create: () => Promise<Experiment>) => Promise<Experiment>

export interface Deliveries {
  /** Records a score as soon as its trace has arrived. */
  score(score: DeferredScore, giver: Giver): Promise<void>
  /** The experiment of a run, created through `make` if it does not exist. */
  run(
    name: RunName,
    giver: { readonly workspace: Pick<Workspace, 'id' | 'experiments'>; readonly now: Date },
    make?: MakeExperiment,
  ): Promise<{ readonly id: string }>
  /** Adds a trace to an experiment as soon as it has arrived. */
  link(link: DeferredLink, giver: Pick<Giver, 'workspace' | 'now'>): Promise<void>
}

interface DeliveriesDeps {
  readonly jobs: Jobs
  readonly workspaces: Workspaces
  readonly joining: Pick<Joining, 'join'>
  /** Called with each workspace whose features or experiments changed. */
  readonly onChanged: (workspaceId: string) => void
}

type ScorePayload = { score: JsonValue; caller: { id: string; name: string } }

/** Spans are exported seconds after their scores, or an hour later at the end of a long run. */
const retryDelaysMs = [2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000]
const firstDelayMs = 1_000

export function makeDeliveries({ jobs, workspaces, joining, onChanged }: DeliveriesDeps): Deliveries {
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
  const attach = async (
    { experimentId, otelTraceId, datasetRowId }: DeferredLink,
    workspace: Workspace,
  ): Promise<boolean> => {
    const traceId = (await findNamedTrace(otelTraceId, workspace))?.trace.traceId
    if (traceId === undefined) return false
    await joining.join(workspace, experimentId, [{ traceId, datasetRowId }])
    return true
  }
  const links = jobs.handle<{ [Field in keyof DeferredLink]: string }>(
    'langfuse.link',
    async (payload, { workspaceId = '' }) => {
      if (!(await attach(payload, workspaces.of(workspaceId))))
        throw new JobFailure(`The experiment waits for the trace ${payload.otelTraceId}.`)
    },
    policy,
  )
  return {
    async run({ datasetSlug, datasetName, runName }, { workspace, now }, make = (create) => create()) {
      const { experiments } = workspace
      const names = { featureSlug: datasetSlug, featureName: datasetName, name: runName }
      const existing = await experiments.findNamed(names)
      if (existing !== undefined) return existing
      try {
        return await make(async () =>
          toExperiment(await mapConflict('experiment', runName, experiments.createNamed(names, now))),
        )
      } catch (error) {
        // Another request of the same run has created it meanwhile.
        const winner = isConflict(error) ? await experiments.findNamed(names) : undefined
        if (winner === undefined) throw error
        return winner
      } finally {
        onChanged(workspace.id)
      }
    },
    async link(link, { workspace, now }) {
      await links.enqueue(
        { ...link },
        { workspaceId: workspace.id, dueAt: new Date(now.getTime() + firstDelayMs) },
      )
    },
    async score(score, { workspace, caller, now }) {
      const { name, value, comment } = await maskScore(score, workspace, now)
      const payload = {
        score: { ...score, name, value, comment: comment ?? null },
        caller: { id: caller.id, name: caller.name },
      }
      // Removes fields that are undefined, which JSON cannot express.
      await scores.enqueue(JSON.parse(JSON.stringify(payload)) as ScorePayload, {
        workspaceId: workspace.id,
        dueAt: new Date(now.getTime() + firstDelayMs),
      })
    },
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'already_exists'

/** The key that sent the score; its scopes were checked at that time. */
const callerOf = ({ caller: { id, name } }: Pick<ScorePayload, 'caller'>, workspaceId: string): Caller => ({
  ...{ id, name, workspaceId },
  session: undefined,
  scopes: ['ingest'],
  role: 'editor',
})

/** Masks a score before it is written as a job, with the rules that apply in the trace store. */
async function maskScore(score: DeferredScore, workspace: Workspace, now: Date) {
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
