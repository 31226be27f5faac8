import { type Evaluation, type EvaluationUpdate, lateProblem } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { Workspace } from '../../workspace/workspace.ts'
import type { JudgeCall } from '../evaluators/model/judge-call.ts'
import {
  type AttemptResult,
  attemptResultOfError,
  attemptsExhausted,
  toAttemptResult,
} from './attempt-result.ts'
import type { LoadEvaluationInput } from './evaluation-input.ts'
import type { Judge } from './judge.ts'
import { recordJudge } from './record-judge.ts'
import { attemptsMax } from './retry-policy.ts'

interface AttemptContext {
  readonly judge: Judge
  readonly workspace: Workspace
  readonly loadInput: LoadEvaluationInput
  readonly signal: AbortSignal
  readonly now: () => Date
  readonly logger: Logger
}

/** One attempt. Never rejects: every failure becomes the result. */
export async function attemptEvaluation(
  evaluation: Evaluation,
  context: AttemptContext,
): Promise<AttemptResult> {
  const { judge, workspace, loadInput, signal, now } = context
  if (evaluation.deadlineAt < now())
    return { update: failureOf(evaluation, `${lateProblem} ${evaluation.problem ?? ''}`.trim()) }
  // More claims than failed attempts are allowed: the process died or was stopped each time.
  if (evaluation.attempts > attemptsMax)
    return {
      update: failureOf(
        evaluation,
        attemptsExhausted(evaluation.problem ?? 'The service stopped each time.'),
      ),
    }
  try {
    const input = await loadInput(evaluation)
    if ('problem' in input) return { update: failureOf(evaluation, input.problem) }
    const calls: JudgeCall[] = []
    const onCall = (call: JudgeCall): void => void calls.push(call)
    const result = await judge(input.evaluator, input.subject, { workspace, signal, now, onCall })
    const judgeTraceId = await recordCalls({ evaluation, owner: input.owner, calls, result }, context)
    const attempt = toAttemptResult(evaluation, result, { now: now(), chance: Math.random() })
    return judgeTraceId === undefined ? attempt : { ...attempt, update: { ...attempt.update, judgeTraceId } }
  } catch (error) {
    return attemptResultOfError(evaluation, error, { now: now(), chance: Math.random() })
  }
}

/** Records the calls of a model as a trace and returns its id; undefined if there were none or they could not be recorded. */
async function recordCalls(
  record: Parameters<typeof recordJudge>[0],
  { workspace, now, logger }: AttemptContext,
): Promise<string | undefined> {
  if (record.calls.length === 0) return undefined
  try {
    return await recordJudge(record, { workspace, now: now() })
  } catch (error) {
    // The verdict was paid for: it must not be lost because its trace could not be recorded.
    logger.warn(
      { err: error, evaluation: record.evaluation.id },
      'the trace of a judge call could not be recorded',
    )
    return undefined
  }
}

const failureOf = (evaluation: Evaluation, problem: string): EvaluationUpdate => ({
  evaluation,
  type: 'failed',
  problem,
})
