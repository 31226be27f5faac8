import { type Evaluation, type EvaluationUpdate, lateProblem } from '@plumbline/storage/control'
import type { Workspace } from '../../workspace/workspace.ts'
import {
  type AttemptResult,
  attemptResultOfError,
  attemptsExhausted,
  toAttemptResult,
} from './attempt-result.ts'
import type { LoadEvaluationInput } from './evaluation-input.ts'
import type { Judge } from './judge.ts'
import { attemptsMax } from './retry-policy.ts'

interface AttemptContext {
  readonly judge: Judge
  readonly workspace: Workspace
  readonly loadInput: LoadEvaluationInput
  readonly signal: AbortSignal
  readonly now: () => Date
}

/** One attempt. Never rejects: every failure becomes the result. */
export async function attemptEvaluation(
  evaluation: Evaluation,
  context: AttemptContext,
): Promise<AttemptResult> {
  const { judge, workspace, loadInput, signal, now } = context
  if (evaluation.deadlineAt < now())
    return { update: failed(evaluation, `${lateProblem} ${evaluation.problem ?? ''}`.trim()) }
  // More claims than failed attempts are allowed: the process died or was stopped each time.
  if (evaluation.attempts > attemptsMax)
    return {
      update: failed(evaluation, attemptsExhausted(evaluation.problem ?? 'The service stopped each time.')),
    }
  try {
    const input = await loadInput(evaluation)
    if ('problem' in input) return { update: failed(evaluation, input.problem) }
    const result = await judge(input.evaluator, input.subject, { workspace, signal, now })
    return toAttemptResult(evaluation, result, { now: now(), chance: Math.random() })
  } catch (error) {
    return attemptResultOfError(evaluation, error, { now: now(), chance: Math.random() })
  }
}

const failed = (evaluation: Evaluation, problem: string): EvaluationUpdate => ({
  evaluation,
  type: 'failed',
  problem,
})
