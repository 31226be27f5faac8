/** The evaluate module: evaluators and their evaluations, experiments and their runs, annotation queues, scores. */

import type { Recording } from '../ingest/recording.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Module } from '../module.ts'
import type { Connecting } from '../outbound/connections/connecting.ts'
import type { Foundation } from '../process/foundation.ts'
import { makeCloser } from '../process/service.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import { feedQueues, scheduleFeeding } from './annotation-queues/feeding.ts'
import { annotationQueueRoutes } from './annotation-queues/routes.ts'
import type { Enqueue } from './evaluations/enqueue.ts'
import { makeEvaluating } from './evaluations/evaluating.ts'
import { makeJudge } from './evaluations/judge.ts'
import { addEvaluationMetrics } from './evaluations/metrics.ts'
import { evaluationRoutes } from './evaluations/routes.ts'
import { evaluatorRoutes } from './evaluators/routes.ts'
import { RuleJudge } from './evaluators/rules/rule-judge.ts'
import { makeExperimenting } from './experiment-runs/experimenting.ts'
import type { Joining } from './experiments/joining.ts'
import { replayRoutes } from './replays/routes.ts'
import { scoreRoutes } from './scores/routes.ts'

interface JudgingDeps {
  readonly connections: Connecting
  readonly recording: Recording
  readonly workspaces: Workspaces
  readonly enqueue: Enqueue
  readonly jobs: Jobs
}

export interface Judging extends Module {
  /** Adds recorded traces to experiments. */
  readonly joining: Joining
  /** Feeds annotation queues now, without waiting for their scheduled job. */
  feedQueues(): Promise<void>
}

export function makeJudging(foundation: Foundation, deps: JudgingDeps): Judging {
  const { control, traceStore, registry, signals, node, logger, now } = foundation
  const { connections, recording, workspaces, enqueue, jobs } = deps
  const rules = new RuleJudge()
  const judge = makeJudge(connections, rules)
  const shared = { control, store: traceStore, workspaceOf: workspaces.of, node, logger, now }
  const evaluating = makeEvaluating({
    ...shared,
    enqueue,
    judge,
    models: connections,
    runExclusive: recording.drain.pauseWhile,
    recordingCounts: recording.recorders.counts,
    onEnded: addEvaluationMetrics(registry, control.evaluations),
  })
  signals.evaluationsDue.subscribe(evaluating.notify)
  const experimenting = makeExperimenting({
    ...shared,
    connections,
    changeTraces: recording.changeTraces,
    evaluating,
    onRedo: signals.assembliesDue.notify,
  })
  scheduleFeeding(jobs, shared)
  return {
    joining: experimenting.joining,
    feedQueues: () => feedQueues(shared, now()),
    routes: [
      ...scoreRoutes,
      ...experimenting.routes,
      ...annotationQueueRoutes,
      ...evaluatorRoutes(judge),
      ...replayRoutes({ judge, openModel: connections.openModel }),
      ...evaluationRoutes(control.evaluations, evaluating.notify),
    ],
    services: [makeCloser('the rule judge', () => rules.close()), evaluating, experimenting],
  }
}
