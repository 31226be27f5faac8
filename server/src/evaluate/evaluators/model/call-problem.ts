/** Classifies failures of model calls by whether a retry can help. */
import { ServiceError } from '@plumbline/contract'
import { AddressRefused } from '../../../network/guarded-fetch.ts'
import { retryAfterOf } from '../../../network/retry-after.ts'
import { problemOf } from '../../../outbound/connections/problem.ts'

export interface CallProblem {
  /**
   * - `busy`: the provider limits the rate of requests; nothing is wrong with this call.
   * - `transient`: a retry may succeed.
   * - `unusable`: the connection fails, at least with this model, so every other call would fail too.
   * - `malformed`: the model responded in the wrong form.
   * - `permanent`: no retry of this call can succeed.
   */
  readonly type: 'busy' | 'transient' | 'unusable' | 'malformed' | 'permanent'
  readonly problem: string
  /** The provider's `Retry-After`. */
  readonly retryAfterMs?: number
}

/** Anthropic uses 529 when it is overloaded. */
const busy: readonly number[] = [429, 503, 529]
const transient: readonly number[] = [408, 409, 425]
const unusable: readonly number[] = [401, 402, 403, 404]

export function callProblem(error: unknown, now: Date): CallProblem {
  const problem = problemOf(error)
  if (error instanceof ServiceError || causes(error).some((cause) => cause instanceof AddressRefused))
    return { type: 'unusable', problem }
  const status = statusOf(error)
  // Without a status there was no response: a timeout or a network failure.
  if (status === undefined) return { type: 'transient', problem: describeTimeout(error, problem) }
  if (busy.includes(status)) return { type: 'busy', problem, ...retryAfterOf(headerOf(error), now) }
  if (unusable.includes(status)) return { type: 'unusable', problem }
  if (transient.includes(status) || status >= 500) return { type: 'transient', problem }
  return { type: status < 400 ? 'malformed' : 'permanent', problem }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined

const describeTimeout = (error: unknown, problem: string): string =>
  causes(error).some(({ name }) => name === 'TimeoutError') ? 'The model did not respond in time.' : problem

function causes(error: unknown): Error[] {
  const errors: Error[] = []
  for (let current = error; current instanceof Error && errors.length < 10; current = current.cause)
    errors.push(current)
  return errors
}

const headerOf = (error: unknown): string | undefined =>
  error instanceof Error && 'responseHeaders' in error
    ? (error.responseHeaders as Readonly<Record<string, string>> | undefined)?.['retry-after']
    : undefined
