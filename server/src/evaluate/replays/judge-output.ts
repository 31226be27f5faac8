import { type ReplayScore, ServiceError } from '@plumbline/contract'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Judge, JudgeConfig } from '../evaluations/judge.ts'
import type { Subject } from '../evaluators/rules/subject.ts'

export type ReplayEvaluator = JudgeConfig & { readonly slug: string }

/** Judges one output by each evaluator. An evaluator that cannot judge returns the reason, and does not fail the replay. */
export function makeJudgeOutput(
  judge: Judge,
  evaluators: readonly ReplayEvaluator[],
  workspace: Workspace,
): (subject: Subject) => Promise<ReplayScore[]> {
  const context = { workspace, signal: new AbortController().signal, now: () => new Date() }
  const judgeBy = async (evaluator: ReplayEvaluator, subject: Subject): Promise<ReplayScore> => {
    const { slug: evaluatorSlug } = evaluator
    try {
      const result = await judge(evaluator, subject, context)
      switch (result.type) {
        case 'verdict':
          return { evaluatorSlug, value: result.value, comment: result.comment }
        case 'nothing':
          return { evaluatorSlug, value: null, comment: result.comment }
        case 'problem':
          return { evaluatorSlug, value: null, comment: result.problem.problem }
      }
    } catch (error) {
      // For example a connection that was deleted after the evaluator was saved.
      if (!(error instanceof ServiceError)) throw error
      return { evaluatorSlug, value: null, comment: error.message }
    }
  }
  return (subject) => Promise.all(evaluators.map((evaluator) => judgeBy(evaluator, subject)))
}
