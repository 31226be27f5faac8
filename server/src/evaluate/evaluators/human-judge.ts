/** The configuration of `human` evaluators, and the check of a value against it. */
import { HumanJudge, invalid, type Verdict } from '@plumbline/contract'
import { makeObjectCheck } from '../../requests/validate.ts'

const check = makeObjectCheck<HumanJudge>(HumanJudge, 'config')
/** A limit, since no annotator can choose from more steps. */
const stepsMax = 100

/** The configuration of a `human` evaluator; throws `invalid_request` naming the invalid field. */
export function readHumanJudge(config: unknown): { rubric: string; verdict: Verdict } {
  const { rubric, verdict } = check(config)
  checkVerdict(verdict ?? yesOrNo)
  return { rubric: rubric ?? '', verdict: verdict ?? yesOrNo }
}

const yesOrNo: Verdict = { type: 'boolean' }

/** Why a value is not a valid verdict; undefined if it is. */
export function problemOf(value: boolean | number | string, verdict: Verdict): string | undefined {
  switch (verdict.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'categorical':
      return typeof value === 'string' && verdict.choices.includes(value)
        ? undefined
        : `must be one of ${verdict.choices.join(', ')}`
    case 'numeric': {
      const { min, max, step = 1 } = verdict
      const isAllowed =
        typeof value === 'number' && value >= min && value <= max && isWhole((value - min) / step)
      return isAllowed ? undefined : `must be a number from ${min} to ${max}, in steps of ${step}`
    }
  }
}

function checkVerdict(verdict: Verdict): void {
  if (verdict.type === 'categorical' && verdict.choices === undefined)
    throw invalid('config.verdict.choices', 'is required')
  if (verdict.type !== 'numeric') return
  for (const limit of ['min', 'max'] as const)
    if (verdict[limit] === undefined) throw invalid(`config.verdict.${limit}`, 'is required')
  const { min, max, step = 1, points = [] } = verdict
  if (min >= max) throw invalid('config.verdict.max', 'must be more than config.verdict.min')
  const steps = (max - min) / step
  if (!isWhole(steps) || steps > stepsMax)
    throw invalid(
      'config.verdict.step',
      `must divide the range from min to max into at most ${stepsMax} equal steps`,
    )
  points.forEach(({ value }, index) => {
    const problem = problemOf(value, verdict)
    if (problem !== undefined) throw invalid(`config.verdict.points[${index}].value`, problem)
  })
}

/** With a tolerance, since tenths do not add up exactly in floating point. */
const isWhole = (steps: number): boolean => Math.abs(steps - Math.round(steps)) < 1e-9
