/** What one attempt at an evaluation changes: the evaluation itself and the circuit breaker of its concurrency group. */
import { ServiceError } from '@plumbline/contract'
import { ControlStoreAway, type Evaluation, type EvaluationUpdate } from '@plumbline/storage/control'
import { TraceStoreUnavailable } from '@plumbline/storage/traces'
import type { EvaluationResult } from './judge.ts'
import { attemptsMax, backoffAfter } from './retry-policy.ts'

export interface AttemptResult {
  readonly update: EvaluationUpdate
  /** The circuit breaker's next state; undefined leaves it as it is. */
  readonly circuit?:
    | { readonly type: 'open'; readonly until: Date; readonly problem: string }
    | { readonly type: 'half-open' }
    | { readonly type: 'closed' }
}

interface AttemptContext {
  readonly now: Date
  /** A random number from 0 to 1, for jitter. */
  readonly chance: number
}

export function toAttemptResult(
  evaluation: Evaluation,
  result: EvaluationResult,
  context: AttemptContext,
): AttemptResult {
  const { spend } = result
  switch (result.type) {
    case 'verdict': {
      const { value, comment } = result
      return {
        update: { evaluation, type: 'judged', value, comment, ...spend },
        circuit: { type: 'closed' },
      }
    }
    case 'nothing':
      return { update: { evaluation, type: 'skipped', comment: result.comment, ...spend } }
    case 'problem':
      return { ...resultOfProblem(evaluation, result.problem, context, spend) }
  }
}

type Problem = Extract<EvaluationResult, { type: 'problem' }>

function resultOfProblem(
  evaluation: Evaluation,
  { type, problem, retryAfterMs }: Problem['problem'],
  { now, chance }: AttemptContext,
  spend: Problem['spend'],
): AttemptResult {
  const timeAfter = (ms: number): Date => new Date(now.getTime() + Math.ceil(ms))
  switch (type) {
    case 'malformed':
    case 'permanent':
      return { update: { evaluation, type: 'failed', problem, ...spend } }
    case 'busy': {
      // Not this evaluation's fault: the attempt is not charged, and the whole concurrency group waits.
      const until = timeAfter(retryAfterMs ?? backoffAfter(evaluation.attempts, chance))
      const dueAt = new Date(until.getTime() + Math.ceil(chance * 500))
      return {
        update: { evaluation, type: 'again', problem, dueAt, isCharged: false, ...spend },
        circuit: { type: 'open', until, problem: `The provider is rate limiting requests: ${problem}` },
      }
    }
    case 'unusable':
    case 'transient': {
      const circuit = type === 'unusable' ? { circuit: { type: 'half-open' } as const } : {}
      if (evaluation.attempts >= attemptsMax)
        return {
          update: { evaluation, type: 'failed', problem: attemptsExhausted(problem), ...spend },
          ...circuit,
        }
      const dueAt = timeAfter(backoffAfter(evaluation.attempts, chance))
      return {
        update: { evaluation, type: 'again', problem, dueAt, isCharged: true, ...spend },
        ...circuit,
      }
    }
  }
}

/** An error of the contract is permanent; anything else may be transient. */
export function attemptResultOfError(
  evaluation: Evaluation,
  error: unknown,
  context: AttemptContext,
): AttemptResult {
  const problem = error instanceof Error ? error.message : String(error)
  if (error instanceof TraceStoreUnavailable || error instanceof ControlStoreAway) {
    const dueAt = new Date(
      context.now.getTime() + Math.ceil(backoffAfter(evaluation.attempts, context.chance)),
    )
    return { update: { evaluation, type: 'again', problem, dueAt, isCharged: false } }
  }
  const type = error instanceof ServiceError ? 'permanent' : 'transient'
  return resultOfProblem(evaluation, { type, problem }, context, {})
}

export const attemptsExhausted = (problem: string): string =>
  `It was attempted ${attemptsMax} times. ${problem}`
