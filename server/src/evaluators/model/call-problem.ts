/** What went wrong with a call of a model, and what that says of trying again. */
import { ServiceError } from '@plumbline/contract'
import { AddressRefused } from '../../connections/guarded-fetch.ts'
import { problemOf } from '../../connections/problem.ts'

export interface CallProblem {
  /**
   * - `busy`: the provider asks for patience, which says nothing of this call.
   * - `passing`: it may be better the next time.
   * - `closed`: the connection does not work, or not with this model, so no other call will either.
   * - `malformed`: it answered, but not as it must.
   * - `refused`: this call will never be answered.
   */
  readonly type: 'busy' | 'passing' | 'closed' | 'malformed' | 'refused'
  readonly problem: string
  /** What the provider asks for. */
  readonly retryAfterMs?: number
}

/** 529 is Anthropic's word for too many requests of everybody. */
const busy: readonly number[] = [429, 503, 529]
const passing: readonly number[] = [408, 409, 425]
const closed: readonly number[] = [401, 402, 403, 404]

export function callProblem(error: unknown, now: Date): CallProblem {
  const problem = problemOf(error)
  if (error instanceof ServiceError || causes(error).some((cause) => cause instanceof AddressRefused))
    return { type: 'closed', problem }
  const status = statusOf(error)
  // Without a status nothing was answered: it took too long, or the way there is broken.
  if (status === undefined) return { type: 'passing', problem: inTime(error, problem) }
  if (busy.includes(status)) return { type: 'busy', problem, ...retryAfterOf(error, now) }
  if (closed.includes(status)) return { type: 'closed', problem }
  if (passing.includes(status) || status >= 500) return { type: 'passing', problem }
  return { type: status < 400 ? 'malformed' : 'refused', problem }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined

const inTime = (error: unknown, problem: string): string =>
  causes(error).some(({ name }) => name === 'TimeoutError') ? 'The model did not answer in time.' : problem

function causes(error: unknown): Error[] {
  const found: Error[] = []
  for (let at = error; at instanceof Error && found.length < 10; at = at.cause) found.push(at)
  return found
}

/** Seconds, or a date; anything else says nothing. */
function retryAfterOf(error: unknown, now: Date): { retryAfterMs?: number } {
  const headers =
    error instanceof Error && 'responseHeaders' in error
      ? (error.responseHeaders as Readonly<Record<string, string>> | undefined)
      : undefined
  const said = headers?.['retry-after']
  if (said === undefined) return {}
  const ms = /^\d+(\.\d+)?$/.test(said) ? Number(said) * 1000 : Date.parse(said) - now.getTime()
  return Number.isFinite(ms) ? { retryAfterMs: Math.max(0, ms) } : {}
}
