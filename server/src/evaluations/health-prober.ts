/** Has models show that they can judge, one probe of each at a time. */
import type { EvaluationQueue, Lane } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { Models } from '../connections/models.ts'
import type { Workspace } from '../workspace.ts'
import { probePauseAfter } from './pace.ts'
import { probe } from './probe.ts'

interface ProbingParts {
  readonly queue: Pick<EvaluationQueue, 'firstWaiting' | 'addCost' | 'pass' | 'hold'>
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly models: Models
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly now: () => Date
}

/** Probes the model of a lane; resolves when the lane says what came of it. Undefined while that is under way already. */
export type Probing = (lane: Lane) => Promise<void> | undefined

export function makeProbing(parts: ProbingParts): Probing {
  const { queue, signal, logger, now } = parts
  const underWay = new Set<string>()
  /** The kind of what waits, since a model that makes vectors gives no answers. */
  const kindIn = async (lane: Lane, workspace: Workspace): Promise<string | undefined> => {
    const first = await queue.firstWaiting(lane)
    return (
      first && (await workspace.evaluators.findVersion(first.evaluatorSlug, first.evaluatorVersion))?.kind
    )
  }

  const probeModel = async (lane: Lane, asked: NonNullable<Lane['asked']>): Promise<void> => {
    try {
      const workspace = parts.workspaceOf(lane.workspaceId)
      const kind = await kindIn(lane, workspace)
      const { problem, cost } = await probe({ ...asked, kind }, workspace, {
        models: parts.models,
        signal,
        now,
      })
      const at = now()
      if (cost > 0) await queue.addCost(lane, cost, at)
      const until = new Date(at.getTime() + probePauseAfter(lane.problems + 1, Math.random()))
      if (problem === undefined) await queue.pass(lane, at)
      else if (!signal.aborted) await queue.hold(lane, { until, problem, now: at })
    } catch (error) {
      logger.warn({ err: error }, 'a model that judges could not be probed')
    }
  }
  return (lane) => {
    const { asked, workspaceId } = lane
    const key = JSON.stringify([workspaceId, asked])
    if (asked === undefined || underWay.has(key)) return undefined
    underWay.add(key)
    return probeModel(lane, asked).finally(() => underWay.delete(key))
  }
}
