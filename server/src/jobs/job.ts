/** What the handler of a kind of job is given and gives back. */
import type { JsonValue } from '@plumbline/storage/control'

export interface JobContext {
  /** The same at every attempt. */
  readonly id: string
  /** Undefined for a job of the installation. */
  readonly workspaceId: string | undefined
  /** This one included. */
  readonly attempts: number
  /** Whether the job is a dead letter if this attempt fails. */
  readonly isLastAttempt: boolean
  readonly now: Date
  /** Aborted when the service stops, or another node or nobody owns the job any more. */
  readonly signal: AbortSignal
  /** Shows operators how far it is. */
  reportProgress(progress: JsonValue): Promise<void>
}

/** `again`: the job comes again, with new attempts. */
export type JobResult =
  | { readonly type: 'done'; readonly result?: JsonValue }
  | { readonly type: 'again'; readonly dueAt: Date }

/** It runs at least once: after a crash it is called again for what an earlier attempt may have done. */
export type JobHandler<Payload extends JsonValue> = (
  payload: Payload,
  context: JobContext,
) => Promise<JobResult> | Promise<void>

export interface RegisteredKind {
  readonly handler: JobHandler<JsonValue>
  readonly policy: JobPolicy
}

export interface JobPolicy {
  /** The job is a dead letter after as many attempts; undefined: it is retried for ever. 10 if absent. */
  readonly attemptsMax?: number | undefined
  /** Jobs of this kind at a time on this node; 4 if absent. */
  readonly concurrency?: number
  /** Jobs of one concurrency group at a time on this node; no limit if absent. */
  readonly concurrencyPerGroup?: number
  readonly breaker?: BreakerPolicy
  /**
   * A job of this kind is never due later than in so many milliseconds, unless the clock was ahead: then it is due at
   * once. Of less than a day: it may run early.
   */
  readonly dueWithinMs?: number
  /** The pause after as many failures; `chance` is between 0 and 1. */
  readonly retryDelayMs?: (failures: number, chance: number) => number
}

export interface BreakerPolicy {
  /** Failures in a row that open the circuit breaker of a group. */
  readonly failuresMax: number
  /** How long it stays open, before one job of the group is tried. */
  readonly openMs: number
}

/** A failure that the handler expects, with a sentence for people. Any other error is retried alike. */
export class JobFailure extends Error {
  /** True: another attempt would fail too. */
  readonly isFinal: boolean
  readonly retryAfterMs: number

  constructor(message: string, options: { isFinal?: boolean; retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'JobFailure'
    this.isFinal = options.isFinal ?? false
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}
