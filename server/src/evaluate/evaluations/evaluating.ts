/** Wires the parts that run evaluations. */
import type { ControlStore, EvaluationUpdate } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { SampledTrace } from '../../ingest/monitor/judged-references.ts'
import type { Models } from '../../outbound/connections/models.ts'
import type { Service } from '../../process/service.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type BackpressureParts, makeBackpressure } from './backpressure.ts'
import type { Enqueue } from './enqueue.ts'
import { makeHealthProber } from './health-prober.ts'
import type { Judge } from './judge.ts'
import { queueSettled } from './live/queue-settled.ts'
import type { EvaluationEnd } from './metrics.ts'
import { makeRunner } from './runner.ts'
import { makeVerdictWriter } from './verdict-writer.ts'

interface EvaluatingParts {
  readonly control: Pick<ControlStore, 'evaluations' | 'assemblies'>
  readonly store: TraceStore
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly enqueue: Enqueue
  readonly judge: Judge
  readonly models: Models
  /** Runs work while nothing else writes to the trace store. */
  readonly runExclusive: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The number of records accepted since startup, and of those not yet in the trace store. */
  readonly recordingCounts: BackpressureParts['recordingCounts']
  readonly onEnded: (status: EvaluationEnd) => void
  /** This node's stable id, which survives restarts. */
  readonly node: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Evaluating extends Service {
  /** Enqueues the evaluations of sampled traces. */
  onSampled(traces: readonly SampledTrace[]): Promise<void>
  /** Tells the poller that evaluations may be due. */
  notify(): void
}

export function makeEvaluating(parts: EvaluatingParts): Evaluating {
  const { control, store, workspaceOf, enqueue, runExclusive, node: leaseOwner, logger, now } = parts
  const queue = control.evaluations
  const abort = new AbortController()
  const writer = makeVerdictWriter({
    queue,
    store,
    runExclusive,
    leaseOwner,
    onWritten(outcomes) {
      for (const outcome of outcomes) parts.onEnded(statusOf(outcome))
      // Their connections have capacity again.
      runner.notify()
    },
    logger,
    now,
  })
  const runner = makeRunner({
    queue,
    writer,
    workspaceOf,
    judge: parts.judge,
    probeHealth: makeHealthProber({
      queue,
      workspaceOf,
      models: parts.models,
      signal: abort.signal,
      logger,
      now,
    }),
    queueSettled: () => queueSettled(control.assemblies, enqueue.add, now()),
    enqueueNextArrival: enqueue.enqueueNextArrival,
    backpressure: makeBackpressure({ recordingCounts: parts.recordingCounts, now }),
    leaseOwner,
    abort,
    logger,
    now,
  })
  return {
    name: 'evaluations',
    start: runner.notify,
    async onSampled(traces) {
      await enqueue.add(traces)
      runner.notify()
    },
    notify: runner.notify,
    stop: runner.stop,
  }
}

const statusOf = ({ type }: EvaluationUpdate) => (type === 'judged' ? 'done' : type)
