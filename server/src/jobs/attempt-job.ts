/** Runs the handler of one job, and records the result: done, again, a retry with backoff, or a dead letter. */
import type { Job, JobQueue } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { describeError } from '../process/describe-error.ts'
import type { CircuitBreakers } from './circuit-breaker.ts'
import { JobFailure, type JobPolicy, type JobResult, type RegisteredKind } from './job.ts'
import { retryDelayMs } from './retry-policy.ts'

export interface AttemptDeps {
  readonly queue: JobQueue
  readonly leaseOwner: string
  readonly breakers: CircuitBreakers
  readonly logger: Logger
  readonly now: () => Date
}

const problemCharactersMax = 500

export async function attemptJob(
  deps: AttemptDeps,
  job: Job,
  { handler, policy }: RegisteredKind,
  abort: AbortController,
): Promise<void> {
  const { queue, breakers, now } = deps
  const claim = claimOf(deps, job)
  const { signal } = abort
  let result: JobResult
  try {
    const returned = await handler(job.payload, {
      id: job.id,
      workspaceId: job.workspaceId,
      attempts: job.attempts,
      isLastAttempt: isLastAttempt(job),
      now: now(),
      signal,
      async reportProgress(progress) {
        // The job was cancelled, or another node has reclaimed it; without this the next lease renewal would notice.
        if (!(await queue.reportProgress(claim, progress))) abort.abort()
      },
    })
    result = typeof returned === 'object' ? returned : { type: 'done' }
  } catch (error) {
    if (signal.aborted) return void (await queue.release(claim, now()))
    return recordFailure(deps, job, policy, error)
  }
  breakers.succeeded(job.concurrencyGroup)
  if (result.type === 'again') await queue.reschedule({ ...claim, dueAt: job.dueAt }, result.dueAt)
  else await queue.complete(claim, result.result, now())
}

async function recordFailure(deps: AttemptDeps, job: Job, policy: JobPolicy, error: unknown): Promise<void> {
  const { queue, breakers, logger, now } = deps
  const claim = claimOf(deps, job)
  const failure = error instanceof JobFailure ? error : undefined
  const problem = problemOf(error)
  if (policy.breaker !== undefined && job.concurrencyGroup !== '')
    breakers.failed(job.concurrencyGroup, policy.breaker, now().getTime())
  const isLast = failure?.isFinal === true || isLastAttempt(job)
  if (failure === undefined || isLast)
    logger.warn({ err: error, jobId: job.id, kind: job.kind, isLast }, 'a job failed')
  if (isLast) return void (await queue.fail(claim, problem, now()))
  const delayMs = (policy.retryDelayMs ?? retryDelayMs)(job.attempts, Math.random())
  const dueAt = new Date(now().getTime() + Math.ceil(Math.max(delayMs, failure?.retryAfterMs ?? 0)))
  await queue.retryAt(claim, problem, dueAt)
}

const claimOf = ({ leaseOwner }: AttemptDeps, { id, attempts }: Job) => ({ id, attempts, leaseOwner })

const isLastAttempt = ({ attempts, attemptsMax }: Job): boolean =>
  attempts >= (attemptsMax ?? Number.POSITIVE_INFINITY)

/** A sentence for users, without the data of an unexpected error, which may quote a payload. */
function problemOf(error: unknown): string {
  if (error instanceof JobFailure) return error.message.slice(0, problemCharactersMax)
  const described = describeError(error)
  return typeof described === 'string' ? described : described.message
}
