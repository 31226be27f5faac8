/** Wires experiments and the runner of their cases. */
import type { ControlStore } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { SampledTrace } from '../../ingest/monitor/judged-references.ts'
import type { ChangeTraces } from '../../ingest/otlp/assembly/change-traces.ts'
import type { Connecting } from '../../outbound/connections/connecting.ts'
import type { Service } from '../../process/service.ts'
import type { Route } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { newEvaluation } from '../evaluations/new-evaluation.ts'
import { deadlineMs } from '../evaluations/retry-policy.ts'
import { type Joining, makeJoining } from '../experiments/joining.ts'
import { experimentRoutes } from '../experiments/routes.ts'
import { experimentRunRoutes } from './routes.ts'
import { makeRunner } from './runner.ts'
import { attemptCase } from './try-case.ts'

interface RunningParts {
  readonly control: ControlStore
  readonly store: TraceStore
  readonly connections: Connecting
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly changeTraces: ChangeTraces
  readonly evaluating: { onSampled(traces: readonly SampledTrace[]): Promise<void>; notify(): void }
  /** Called when there may be traces to reassemble. */
  readonly onRedo: () => void
  /** This node's stable id, which survives restarts. */
  readonly node: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Experimenting extends Service {
  readonly joining: Joining
  readonly routes: readonly Route[]
}

export function makeExperimenting(parts: RunningParts): Experimenting {
  const { control, store, connections, workspaceOf, changeTraces, evaluating, onRedo, logger, now } = parts
  const { onSampled } = evaluating
  const joining = makeJoining({
    control,
    store,
    workspaceOf,
    changeTraces,
    onSampled,
    onRedo,
    logger,
    now,
  })

  const judge = async (
    workspace: Workspace,
    traceId: string,
    evaluatorSlugs: readonly string[],
  ): Promise<void> => {
    const added = []
    for (const evaluatorSlug of evaluatorSlugs) {
      const evaluator = await workspace.cache.evaluator(evaluatorSlug)
      const reference = { logId: undefined, evaluatorSlug, digest: '' }
      if (evaluator !== undefined && evaluator.kind !== 'human')
        added.push(newEvaluation({ workspaceId: workspace.id, traceId }, reference, evaluator))
    }
    const times = { now: now(), deadlineAt: new Date(now().getTime() + deadlineMs) }
    if ((await control.evaluations.add(added, times)) > 0) evaluating.notify()
  }

  const runner = makeRunner({
    queue: control.experimentRuns,
    counters: control.assemblies,
    workspaceOf,
    attemptCase: (run, experiment, experimentCase, workspace, signal) =>
      attemptCase(run, experiment, experimentCase, workspace, {
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
    resumeJoins: joining.resume,
    leaseOwner: parts.node,
    logger,
    now,
  })
  return {
    joining,
    name: 'experiment runs',
    start: runner.notify,
    stop: runner.stop,
    routes: [...experimentRoutes(joining), ...experimentRunRoutes(connections, runner.notify)],
  }
}
