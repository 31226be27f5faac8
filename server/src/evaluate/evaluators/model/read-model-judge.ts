import { invalid, ModelJudge } from '@plumbline/contract'
import { makeObjectCheck } from '../../../requests/validate.ts'

const check = makeObjectCheck<ModelJudge>(ModelJudge, 'config')

/** The configuration of an `llm` evaluator; throws `invalid_request` naming the invalid field. */
export function readModelJudge(config: unknown): ModelJudge {
  const judge = check(config)
  const { verdict } = judge
  if (verdict.type === 'categorical' && verdict.choices === undefined)
    throw invalid('config.verdict.choices', 'is required')
  if (verdict.type !== 'numeric') return judge
  for (const limit of ['min', 'max'] as const)
    if (verdict[limit] === undefined) throw invalid(`config.verdict.${limit}`, 'is required')
  if (verdict.min >= verdict.max) throw invalid('config.verdict.max', 'must be more than config.verdict.min')
  return judge
}
