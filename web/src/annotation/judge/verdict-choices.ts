/** The verdicts that a human evaluator offers, with their keys. Pure. */
import type { Evaluator, Score, Verdict } from '@plumbline/sdk'

export type Value = Score['value']

export interface VerdictChoice {
  readonly value: Value
  readonly label: string
  /** The meaning of a number, if it is configured. */
  readonly hint?: string
  /** The key that selects it; choices beyond the ninth have none. */
  readonly keys: string | undefined
}

/** The rubric and the verdict of a human evaluator, from its configuration. */
export interface HumanEvaluator {
  readonly slug: string
  readonly name: string
  readonly rubric: string
  readonly verdict: Verdict
}

/** With more choices than this, the number is typed instead. */
const choicesMax = 20
const keyed = 9

export function readJudged({
  slug,
  name,
  config,
}: Pick<Evaluator, 'slug' | 'name' | 'config'>): HumanEvaluator {
  const { rubric, verdict } = config
  return {
    slug,
    name,
    rubric: typeof rubric === 'string' ? rubric : '',
    // Safe: the service has checked it when the evaluator was saved.
    verdict: (verdict as Verdict | null | undefined) ?? { type: 'boolean' },
  }
}

/** The choices; undefined if a number is typed instead. */
export function choicesOf(verdict: Verdict): readonly VerdictChoice[] | undefined {
  switch (verdict.type) {
    case 'boolean':
      return [
        { value: true, label: 'Yes', keys: 'y' },
        { value: false, label: 'No', keys: 'n' },
      ]
    case 'categorical':
      return verdict.choices.map((choice, index) => ({ value: choice, label: choice, keys: keyAt(index) }))
    case 'numeric': {
      const { min, max, step = 1, points = [] } = verdict
      const count = Math.round((max - min) / step) + 1
      if (count > choicesMax) return undefined
      return Array.from({ length: count }, (_, index) => {
        const value = Number((min + index * step).toPrecision(12))
        const hint = points.find((point) => Math.abs(point.value - value) < step / 1000)?.label
        return {
          value,
          label: String(value),
          keys: keyOfNumber(value, index, count, min),
          ...(hint === undefined ? {} : { hint }),
        }
      })
    }
  }
}

/** Why a number is not a valid answer; undefined if it is valid. */
export function problemOfNumber(
  { min, max, step = 1 }: Extract<Verdict, { type: 'numeric' }>,
  value: number,
): string | undefined {
  const steps = (value - min) / step
  if (value >= min && value <= max && Math.abs(steps - Math.round(steps)) < 1e-6) return undefined
  return `Enter a number from ${min} to ${max}, in steps of ${step}.`
}

const keyAt = (index: number): string | undefined => (index < keyed ? String(index + 1) : undefined)

/** If all values are whole numbers from 0 to 9, each is its own key; otherwise the keys are positions. */
function keyOfNumber(value: number, index: number, count: number, min: number): string | undefined {
  const areDigits = Number.isInteger(min) && min >= 0 && min + count - 1 <= keyed
  return areDigits && Number.isInteger(value) ? String(value) : keyAt(index)
}
