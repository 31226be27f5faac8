import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import { toEvaluator } from './view.ts'

export const get: Verb<typeof operations.evaluators.get> = async ({ slug }, { workspace }) => {
  const [found] = await workspace.evaluators.findMany([slug])
  if (found === undefined) throw new ServiceError('evaluator_not_found', { slug })
  return { evaluator: toEvaluator(found) }
}
