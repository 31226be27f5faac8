/** An alert as it is being written: texts as they are typed, and what they mean. Pure. */
import type { Alert, AlertMeasure } from '@plumbline/sdk'
import { measures, readValue, writeValue } from './measures.ts'

export interface Draft {
  readonly name: string
  readonly note: string
  readonly measure: AlertMeasure
  readonly scoreName: string
  readonly evaluatorSlug: string | null
  /** All filters, those without a field of the form too. */
  readonly filters: Readonly<Record<string, string>>
  readonly windowMinutes: number
  readonly condition: 'above' | 'below'
  readonly threshold: string
  readonly recovery: string
  readonly forMinutes: string
  readonly keepFiringForMinutes: string
  readonly minimumSamples: string
  readonly noData: Alert['noData']
  readonly delaySeconds: string
  readonly channelIds: readonly string[]
}

export const emptyDraft: Draft = {
  name: '',
  note: '',
  measure: 'errorRate',
  scoreName: '',
  evaluatorSlug: null,
  filters: {},
  windowMinutes: 15,
  condition: 'above',
  threshold: '5',
  recovery: '',
  forMinutes: '0',
  keepFiringForMinutes: '0',
  minimumSamples: '20',
  noData: 'ok',
  delaySeconds: '30',
  channelIds: [],
}

export const draftOf = (alert: Alert): Draft => ({
  name: alert.name,
  note: alert.note ?? '',
  measure: alert.measure,
  scoreName: alert.scoreName ?? '',
  evaluatorSlug: alert.evaluatorSlug,
  // Safe: the contract lets only texts in.
  filters: alert.filters as Record<string, string>,
  windowMinutes: alert.windowMinutes,
  condition: alert.condition,
  threshold: writeValue(alert.threshold, alert.measure),
  recovery: alert.recoveryThreshold === null ? '' : writeValue(alert.recoveryThreshold, alert.measure),
  forMinutes: String(alert.forMinutes),
  keepFiringForMinutes: String(alert.keepFiringForMinutes),
  minimumSamples: String(alert.minimumSamples),
  noData: alert.noData,
  delaySeconds: String(alert.delaySeconds),
  channelIds: alert.channelIds,
})

type Rule = Pick<
  Alert,
  | 'measure'
  | 'scoreName'
  | 'evaluatorSlug'
  | 'windowMinutes'
  | 'condition'
  | 'threshold'
  | 'recoveryThreshold'
  | 'forMinutes'
  | 'keepFiringForMinutes'
  | 'minimumSamples'
  | 'noData'
  | 'delaySeconds'
> & { readonly filters: Readonly<Record<string, string>> }

export type Problems = Partial<Record<keyof Draft, string>>

/** The rule of a draft, or its problems by field. */
export function ruleOf(draft: Draft): { readonly rule: Rule | undefined; readonly problems: Problems } {
  const { measure, condition } = draft
  const threshold = readValue(draft.threshold, measure)
  const recovery = draft.recovery.trim() === '' ? null : readValue(draft.recovery, measure)
  const forMinutes = wholeIn(draft.forMinutes, 0, 1440)
  const keepFiringForMinutes = wholeIn(draft.keepFiringForMinutes, 0, 1440)
  const minimumSamples = wholeIn(draft.minimumSamples, 1, 1_000_000)
  const delaySeconds = wholeIn(draft.delaySeconds, 0, 3600)
  const isOfScores = measure === 'score'
  const problems: Problems = {
    ...(threshold === undefined && { threshold: 'A number.' }),
    ...(measure === 'errorRate' &&
      threshold !== undefined &&
      (threshold < 0 || threshold > 1) && { threshold: 'From 0 to 100 percent.' }),
    ...(recovery === undefined && { recovery: 'Enter a number, or leave it empty.' }),
    ...(isBeyond(condition, recovery, threshold) && {
      recovery:
        condition === 'above' ? 'Must not be above the threshold.' : 'Must not be below the threshold.',
    }),
    ...(forMinutes === undefined && { forMinutes: '0 to 1440 minutes.' }),
    ...(keepFiringForMinutes === undefined && { keepFiringForMinutes: '0 to 1440 minutes.' }),
    ...(minimumSamples === undefined && { minimumSamples: '1 or more.' }),
    ...(delaySeconds === undefined && { delaySeconds: '0 to 3600 seconds.' }),
    ...(isOfScores &&
      draft.scoreName.trim() === '' &&
      draft.evaluatorSlug === null && { scoreName: 'Enter the name of a score.' }),
  }
  if (
    Object.keys(problems).length > 0 ||
    threshold === undefined ||
    recovery === undefined ||
    forMinutes === undefined ||
    keepFiringForMinutes === undefined ||
    minimumSamples === undefined ||
    delaySeconds === undefined
  )
    return { rule: undefined, problems }
  const rule: Rule = {
    measure,
    scoreName: isOfScores && draft.scoreName.trim() !== '' ? draft.scoreName.trim() : null,
    evaluatorSlug: isOfScores ? draft.evaluatorSlug : null,
    filters: draft.filters,
    windowMinutes: draft.windowMinutes,
    condition,
    threshold,
    recoveryThreshold: recovery,
    forMinutes,
    keepFiringForMinutes,
    minimumSamples,
    noData: draft.noData,
    delaySeconds,
  }
  return { rule, problems }
}

const isBeyond = (
  condition: Draft['condition'],
  recovery: number | null | undefined,
  threshold: number | undefined,
): boolean =>
  recovery !== null &&
  recovery !== undefined &&
  threshold !== undefined &&
  (condition === 'above' ? recovery > threshold : recovery < threshold)

function wholeIn(text: string, min: number, max: number): number | undefined {
  const value = Number(text)
  return text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max ? value : undefined
}

/** The rule as the preview asks for it: what is null is left out. */
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

/** Another value of a filter; an empty one takes it away. */
export function withFilter(draft: Draft, name: string, value: string | undefined): Draft {
  const { [name]: _gone, ...others } = draft.filters
  return { ...draft, filters: value === undefined || value === '' ? others : { ...others, [name]: value } }
}

/** Another measure, and a threshold in its unit: what was typed means nothing in another. */
export const withMeasure = (draft: Draft, measure: AlertMeasure): Draft =>
  measures[measure].unit === measures[draft.measure].unit
    ? { ...draft, measure }
    : { ...draft, measure, threshold: '', recovery: '', condition: measure === 'score' ? 'below' : 'above' }
