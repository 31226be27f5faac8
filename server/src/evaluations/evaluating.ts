/** Everything that judges, put together. */
import type { ControlStore, Outcome } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Logger } from 'pino'
import type { Models } from '../connections/models.ts'
import type { Workspace } from '../workspace.ts'
import { makeEnqueue } from './enqueue.ts'
import type { Judge } from './judge.ts'
import type { SampledTrace } from './judged-references.ts'
import { makeProbing } from './probing.ts'
import { queueSettled } from './queue-settled.ts'
import { makeRest, type RestParts } from './rest.ts'
import { makeRunner } from './runner.ts'
import { makeVerdictWriter } from './verdict-writer.ts'

interface EvaluatingParts {
  readonly control: Pick<ControlStore, 'evaluations' | 'assemblies'>
  readonly store: TraceStore
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly judge: Judge
  readonly models: Models
  /** Does some work while nothing else is written into the trace store. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Records that were taken ever, and those on their way to the trace store. */
  readonly recorded: RestParts['recorded']
  readonly onEnded: (status: 'done' | 'skipped' | 'failed' | 'again') => void
  /** Tells this node from others, also after it was started again. */
  readonly node: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Evaluating {
  /** Notes what was drawn of some records; the same records have the same token. */
  onDrained(token: string, sampled: readonly SampledTrace[]): Promise<void>
  /** Puts sampled traces into the queue. */
  onSampled(sampled: readonly SampledTrace[]): Promise<void>
  /** Says that something may be due. */
  wake(): void
  stop(): Promise<void>
}

export function makeEvaluating(parts: EvaluatingParts): Evaluating {
  const { control, store, workspaceOf, inTurn, node: holder, logger, now } = parts
  const queue = control.evaluations
  const catalogueOf = (workspaceId: string) => workspaceOf(workspaceId).catalogue
  const abort = new AbortController()
  const enqueue = makeEnqueue({ queue, catalogueOf, now })
  const writer = makeVerdictWriter({
    queue,
    store,
    inTurn,
    holder,
    onWritten(outcomes) {
      for (const outcome of outcomes) parts.onEnded(endOf(outcome))
      // A connection may begin others in their place.
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
    probing: makeProbing({
      queue,
      workspaceOf,
      models: parts.models,
      signal: abort.signal,
      logger,
      now,
    }),
    queueSettled: () => queueSettled(control.assemblies, enqueue.add, now()),
    takeIn: enqueue.takeIn,
    rest: makeRest({ recorded: parts.recorded, now }),
    holder,
    abort,
    logger,
    now,
  })
  return {
    async onDrained(token, sampled) {
      await enqueue.arrive(token, sampled)
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

const endOf = ({ type }: Outcome) => (type === 'judged' ? 'done' : type)
