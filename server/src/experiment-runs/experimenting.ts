/** Experiments and what runs them, put together. */
import type { ControlStore } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { Connecting } from '../connections/connecting.ts'
import { newEvaluation } from '../evaluations/enqueue.ts'
import type { SampledTrace } from '../evaluations/judged-references.ts'
import { deadlineMs } from '../evaluations/pace.ts'
import { makeJoining } from '../experiments/joining.ts'
import { experimentRoutes } from '../experiments/routes.ts'
import type { Poller } from '../poller.ts'
import type { Route } from '../verb.ts'
import type { Workspace } from '../workspace.ts'
import { experimentRunRoutes } from './routes.ts'
import { makeRunner } from './runner.ts'
import { tryCase } from './try-case.ts'

interface RunningParts {
  readonly control: ControlStore
  readonly store: TraceStore
  readonly connections: Connecting
  readonly workspaceOf: (workspaceId: string) => Workspace
  /** Does some work while nothing else is written into the trace store. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly evaluating: { onSampled(sampled: readonly SampledTrace[]): Promise<void>; wake(): void }
  /** Says that there may be traces to assemble. */
  readonly onRedo: () => void
  /** Tells this node from others, also after it was started again. */
  readonly node: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Experimenting extends Poller {
  readonly routes: readonly Route[]
}

export function makeExperimenting(parts: RunningParts): Experimenting {
  const { control, store, connections, workspaceOf, inTurn, evaluating, onRedo, logger, now } = parts
  const { onSampled } = evaluating
  const joining = makeJoining({ control, store, workspaceOf, inTurn, onSampled, onRedo, logger, now })

  const judge = async (
    workspace: Workspace,
    traceId: string,
    evaluatorSlugs: readonly string[],
  ): Promise<void> => {
    const added = []
    for (const evaluatorSlug of evaluatorSlugs) {
      const evaluator = await workspace.catalogue.evaluator(evaluatorSlug)
      const reference = { logId: undefined, evaluatorSlug, digest: '' }
      if (evaluator !== undefined && evaluator.kind !== 'human')
        added.push(newEvaluation({ workspaceId: workspace.id, traceId }, reference, evaluator))
    }
    const times = { now: now(), deadlineAt: new Date(now().getTime() + deadlineMs) }
    if ((await control.evaluations.add(added, times)) > 0) evaluating.wake()
  }

  const runner = makeRunner({
    queue: control.experimentRuns,
    books: control.assemblies,
    workspaceOf,
    tryCase: (run, experiment, of, workspace, signal) =>
      tryCase(run, experiment, of, workspace, {
        openModel: connections.openModel,
        fetch: connections.fetchEndpoint,
        headersOf: ({ sealedHeaders, workspaceId }) =>
          sealedHeaders === undefined
            ? {}
            : (JSON.parse(connections.keyring.open(sealedHeaders, workspaceId)) as Record<string, string>),
        joining,
        judge,
        signal,
        now,
      }),
    carryOn: joining.carryOn,
    holder: parts.node,
    logger,
    now,
  })
  return {
    ...runner,
    routes: [...experimentRoutes(joining), ...experimentRunRoutes(connections, runner.notify)],
  }
}
