/** What a job handler receives and returns. */
import type { JsonValue } from '@plumbline/storage/control'

export interface JobContext {
  /** The same at every attempt. */
  readonly id: string
  /** Undefined for a job of the installation. */
  readonly workspaceId: string | undefined
  /** Including this one. */
  readonly attempts: number
  /** Whether the job becomes a dead letter if this attempt fails. */
  readonly isLastAttempt: boolean
  readonly now: Date
  /** Aborted when the service stops, or when this node no longer owns the job. */
  readonly signal: AbortSignal
  /** Shows operators the progress. */
  reportProgress(progress: JsonValue): Promise<void>
}

/** `again`: the job is rescheduled, with its attempts reset. */
export type JobResult =
  | { readonly type: 'done'; readonly result?: JsonValue }
  | { readonly type: 'again'; readonly dueAt: Date }

/** At-least-once: after a crash it may repeat what an earlier attempt has already done. */
export type JobHandler<Payload extends JsonValue> = (
  payload: Payload,
  context: JobContext,
) => Promise<JobResult> | Promise<void>

export interface RegisteredKind {
  readonly handler: JobHandler<JsonValue>
  readonly policy: JobPolicy
}

export interface JobPolicy {
  /** Attempts before the job becomes a dead letter; undefined retries it forever. 10 if absent. */
  readonly attemptsMax?: number | undefined
  /** How many jobs of this kind run at a time on this node; 4 if absent. */
  readonly concurrency?: number
  /** How many jobs of one concurrency group run at a time on this node; no limit if absent. */
  readonly concurrencyPerGroup?: number
  readonly breaker?: BreakerPolicy
  /**
   * A job of this kind is due at most this far ahead. When the clock is set back, jobs that are due later are moved up: to
   * now if this is less than a day, so that they may run early, and otherwise to this far ahead.
   */
  readonly dueWithinMs?: number
  /** The pause after this number of failures; `chance` is between 0 and 1. */
  readonly retryDelayMs?: (failures: number, chance: number) => number
}

export interface BreakerPolicy {
  /** Consecutive failures that open the circuit breaker of a group. */
  readonly failuresMax: number
  /** How long it stays open before one job of the group is tried. */
  readonly openMs: number
}

/** A failure that the handler expects, with a sentence for users. Any other error is retried in the same way. */
export class JobFailure extends Error {
  /** If true, another attempt would fail too. */
  readonly isFinal: boolean
  readonly retryAfterMs: number

  constructor(message: string, options: { isFinal?: boolean; retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'JobFailure'
    this.isFinal = options.isFinal ?? false
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}
