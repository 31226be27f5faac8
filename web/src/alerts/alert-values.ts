/** The values of the alert form, in the units of the contract, and the rule it sends. Pure. */
import type { Alert, AlertMeasure } from '@plumbline/sdk'
import type { InputProblem } from '../ui/form/check-input.ts'
import { measures } from './measures.ts'

export interface AlertValues {
  readonly name: string
  readonly note: string
  readonly measure: AlertMeasure
  readonly scoreName: string
  readonly evaluatorSlug: string | null
  /** All filters, also those without a field in the form. */
  readonly filters: Readonly<Record<string, string>>
  readonly windowMinutes: number
  readonly condition: 'above' | 'below'
  readonly threshold: number | undefined
  readonly recoveryThreshold: number | undefined
  readonly forMinutes: number | undefined
  readonly keepFiringForMinutes: number | undefined
  readonly minimumSamples: number | undefined
  readonly noData: Alert['noData']
  readonly delaySeconds: number | undefined
  readonly channelIds: readonly string[]
}

export const newAlert: AlertValues = {
  name: '',
  note: '',
  measure: 'errorRate',
  scoreName: '',
  evaluatorSlug: null,
  filters: {},
  windowMinutes: 15,
  condition: 'above',
  threshold: 0.05,
  recoveryThreshold: undefined,
  forMinutes: 0,
  keepFiringForMinutes: 0,
  minimumSamples: 20,
  noData: 'ok',
  delaySeconds: 30,
  channelIds: [],
}

export const valuesOf = (alert: Alert): AlertValues => ({
  ...alert,
  note: alert.note ?? '',
  scoreName: alert.scoreName ?? '',
  recoveryThreshold: alert.recoveryThreshold ?? undefined,
  // Safe: the contract allows only strings.
  filters: alert.filters as Record<string, string>,
})

/** An empty number field is not a number, which the schema check reports. */
const numberOf = (value: number | undefined): number => value ?? Number.NaN

/** The rule as the service accepts it. */
export function ruleInput(values: AlertValues) {
  const isOfScores = values.measure === 'score'
  const scoreName = values.scoreName.trim()
  return {
    measure: values.measure,
    scoreName: isOfScores && scoreName !== '' ? scoreName : null,
    evaluatorSlug: isOfScores ? values.evaluatorSlug : null,
    filters: values.filters,
    windowMinutes: values.windowMinutes,
    condition: values.condition,
    threshold: numberOf(values.threshold),
    recoveryThreshold: values.recoveryThreshold ?? null,
    forMinutes: numberOf(values.forMinutes),
    keepFiringForMinutes: numberOf(values.keepFiringForMinutes),
    minimumSamples: numberOf(values.minimumSamples),
    noData: values.noData,
    delaySeconds: numberOf(values.delaySeconds),
  }
}

export type Rule = ReturnType<typeof ruleInput>

export const alertInput = (values: AlertValues) => ({
  ...ruleInput(values),
  name: values.name.trim(),
  note: values.note.trim(),
  channelIds: [...values.channelIds],
})

/** Checks that depend on another field, which the schema cannot express. */
export function checkRule(values: AlertValues): readonly InputProblem[] {
  const { measure, condition, threshold, recoveryThreshold } = values
  const isRate = measure === 'errorRate' && threshold !== undefined
  return [
    ...(isRate && (threshold < 0 || threshold > 1)
      ? [{ path: 'threshold', problem: 'must be from 0 to 100 percent' }]
      : []),
    ...(isBeyond(condition, recoveryThreshold, threshold)
      ? [{ path: 'recoveryThreshold', problem: `must not be ${condition} the threshold` }]
      : []),
    ...(measure === 'score' && values.scoreName.trim() === '' && values.evaluatorSlug === null
      ? [{ path: 'scoreName', problem: 'must be the name of a score' }]
      : []),
  ]
}

const isBeyond = (
  condition: AlertValues['condition'],
  recovery: number | undefined,
  threshold: number | undefined,
): boolean =>
  recovery !== undefined &&
  threshold !== undefined &&
  (condition === 'above' ? recovery > threshold : recovery < threshold)

/** The rule, once it is complete enough to preview; the service checks the rest. */
export function previewableRule(values: AlertValues): Rule | undefined {
  const rule = ruleInput(values)
  const isWhole = Object.values(rule).every((value) => !Number.isNaN(value))
  return isWhole && checkRule(values).length === 0 ? rule : undefined
}

/** The rule as the preview accepts it: without null fields. */
export function previewInput({ filters, ...rule }: Rule) {
  const { scoreName, evaluatorSlug, recoveryThreshold, ...rest } = rule
  return {
    ...rest,
    ...(scoreName !== null && { scoreName }),
    ...(evaluatorSlug !== null && { evaluatorSlug }),
    ...(recoveryThreshold !== null && { recoveryThreshold }),
    filters: JSON.stringify(filters),
  }
}

/** The filters with another value; an empty one removes its filter. */
export function withFilter(
  filters: AlertValues['filters'],
  name: string,
  value: string,
): AlertValues['filters'] {
  const { [name]: _removed, ...others } = filters
  return value === '' ? others : { ...others, [name]: value }
}

/** The fields that change with the measure: a threshold is meaningless in another unit. */
export const changesWithMeasure = (previous: AlertMeasure, next: AlertMeasure): Partial<AlertValues> =>
  measures[previous].unit === measures[next].unit
    ? {}
    : {
        threshold: undefined,
        recoveryThreshold: undefined,
        condition: next === 'score' ? 'below' : 'above',
      }
