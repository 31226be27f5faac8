import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toEvaluator } from './view.ts'

export const get: Verb<typeof operations.evaluators.get> = async ({ slug }, { workspace }) => {
  const [evaluator] = await workspace.evaluators.findMany([slug])
  if (evaluator === undefined) throw new ServiceError('evaluator_not_found', { slug })
  return { evaluator: toEvaluator(evaluator) }
}
