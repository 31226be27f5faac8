/** Runs the health probes of model judges, one at a time per model. */
import type { ConcurrencyGroup, EvaluationQueue } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { Models } from '../../outbound/connections/models.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { runHealthProbe } from './health-probe.ts'
import { probeBackoffAfter } from './retry-policy.ts'

interface HealthProberParts {
  readonly queue: Pick<EvaluationQueue, 'firstWaiting' | 'addCost' | 'closeCircuit' | 'openCircuit'>
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly models: Models
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly now: () => Date
}

/** Probes the model of a concurrency group; resolves once the result is stored. Undefined if a probe is already running. */
export type HealthProber = (group: ConcurrencyGroup) => Promise<void> | undefined

export function makeHealthProber(parts: HealthProberParts): HealthProber {
  const { queue, signal, logger, now } = parts
  const underWay = new Set<string>()
  /** Which kind of evaluator is waiting, since an embedding model cannot answer prompts. */
  const findWaitingKind = async (
    group: ConcurrencyGroup,
    workspace: Workspace,
  ): Promise<string | undefined> => {
    const first = await queue.firstWaiting(group)
    return (
      first && (await workspace.evaluators.findVersion(first.evaluatorSlug, first.evaluatorVersion))?.kind
    )
  }

  const probeModel = async (
    group: ConcurrencyGroup,
    modelRef: NonNullable<ConcurrencyGroup['target']>,
  ): Promise<void> => {
    try {
      const workspace = parts.workspaceOf(group.workspaceId)
      const kind = await findWaitingKind(group, workspace)
      const { problem, cost } = await runHealthProbe({ ...modelRef, kind }, workspace, {
        models: parts.models,
        signal,
        now,
      })
      const time = now()
      if (cost > 0) await queue.addCost(group, cost, time)
      const until = new Date(time.getTime() + probeBackoffAfter(group.problems + 1, Math.random()))
      if (problem === undefined) await queue.closeCircuit(group, time)
      else if (!signal.aborted) await queue.openCircuit(group, { until, problem, now: time })
    } catch (error) {
      logger.warn({ err: error }, 'the health probe of a model failed')
    }
  }
  return (group) => {
    const { target: modelRef, workspaceId } = group
    const key = JSON.stringify([workspaceId, modelRef])
    if (modelRef === undefined || underWay.has(key)) return undefined
    underWay.add(key)
    return probeModel(group, modelRef).finally(() => underWay.delete(key))
  }
}
