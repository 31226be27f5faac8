/** Wires the parts that run evaluations. */
import type { ControlStore, Outcome } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { Models } from '../../outbound/connections/models.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type BackpressureParts, makeBackpressure } from './backpressure.ts'
import { makeEnqueue } from './enqueue.ts'
import { makeHealthProber } from './health-prober.ts'
import type { Judge } from './judge.ts'
import type { SampledTrace } from './judged-references.ts'
import { queueSettled } from './queue-settled.ts'
import { makeRunner } from './runner.ts'
import { makeVerdictWriter } from './verdict-writer.ts'

interface EvaluatingParts {
  readonly control: Pick<ControlStore, 'evaluations' | 'assemblies'>
  readonly store: TraceStore
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly judge: Judge
  readonly models: Models
  /** Runs work while nothing else writes to the trace store. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Records accepted since startup, and those on their way to the trace store. */
  readonly recorded: BackpressureParts['recorded']
  readonly onEnded: (status: 'done' | 'skipped' | 'failed' | 'again') => void
  /** This node's stable id, which survives restarts. */
  readonly node: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Evaluating {
  /** Stores sampled traces for the queue; the same records have the same token. */
  onDrained(token: string, sampled: readonly SampledTrace[]): Promise<void>
  /** Enqueues the evaluations of sampled traces. */
  onSampled(sampled: readonly SampledTrace[]): Promise<void>
  /** Tells the poller that evaluations may be due. */
  wake(): void
  stop(): Promise<void>
}

export function makeEvaluating(parts: EvaluatingParts): Evaluating {
  const { control, store, workspaceOf, inTurn, node: leaseOwner, logger, now } = parts
  const queue = control.evaluations
  const catalogueOf = (workspaceId: string) => workspaceOf(workspaceId).catalogue
  const abort = new AbortController()
  const enqueue = makeEnqueue({ queue, catalogueOf, now })
  const writer = makeVerdictWriter({
    queue,
    store,
    runExclusive: inTurn,
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
    backpressure: makeBackpressure({ recorded: parts.recorded, now }),
    leaseOwner,
    abort,
    logger,
    now,
  })
  return {
    async onDrained(token, sampled) {
      await enqueue.recordArrivals(token, sampled)
      runner.notify()
    },
    async onSampled(sampled) {
      await enqueue.add(sampled)
      runner.notify()
    },
    wake: runner.notify,
    stop: runner.stop,
  }
}

const statusOf = ({ type }: Outcome) => (type === 'judged' ? 'done' : type)
