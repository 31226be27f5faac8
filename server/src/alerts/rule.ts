/** What people ask to be watched, as it is kept: checked, and with everything that they left out. */
import {
  AlertFilters,
  type AlertRule,
  type InputOf,
  invalid,
  metadataFilterPrefix,
  type operations,
} from '@plumbline/contract'
import type { TraceFilters } from '@plumbline/storage/traces'
import { readFilters } from '../traces/filters.ts'
import { compileObjectCheck } from '../validate.ts'

type Sent = Omit<InputOf<typeof operations.alerts.create>, 'name' | 'note' | 'channelIds' | 'isEnabled'>

const checkFilters = compileObjectCheck<Record<string, string>>(AlertFilters, 'filters')
const defaultDelaySeconds = 30

/** The whole rule; throws `invalid_request` for one that cannot be. */
export function ruleOf(sent: Sent): AlertRule {
  const isOfScores = sent.measure === 'score'
  const rule: AlertRule = {
    measure: sent.measure,
    scoreName: isOfScores ? (sent.scoreName ?? null) : null,
    evaluatorSlug: isOfScores ? (sent.evaluatorSlug ?? null) : null,
    filters: checkedFilters(sent.filters ?? {}),
    windowMinutes: sent.windowMinutes,
    condition: sent.condition,
    threshold: sent.threshold,
    recoveryThreshold: sent.recoveryThreshold ?? null,
    forMinutes: sent.forMinutes ?? 0,
    keepFiringForMinutes: sent.keepFiringForMinutes ?? 0,
    minimumSamples: sent.minimumSamples ?? 1,
    noData: sent.noData ?? 'ok',
    delaySeconds: sent.delaySeconds ?? defaultDelaySeconds,
  }
  checkRule(rule)
  return rule
}

/** A filter that nobody knows must not be passed over: the alert would watch more than was meant. */
function checkedFilters(filters: Record<string, unknown>): Record<string, string> {
  const known = Object.keys(AlertFilters.properties)
  const unknown = Object.keys(filters).find(
    (name) =>
      !known.includes(name) && !(name.startsWith(metadataFilterPrefix) && name !== metadataFilterPrefix),
  )
  if (unknown !== undefined)
    throw invalid(`filters.${unknown}`, `is none of ${known.join(', ')}, ${metadataFilterPrefix}KEY`)
  // In one order, so that the same filters are the same rule.
  return Object.fromEntries(
    Object.entries(checkFilters(filters)).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

function checkRule({ measure, scoreName, evaluatorSlug, filters, condition, ...of }: AlertRule): void {
  if (measure === 'score' && scoreName === null && evaluatorSlug === null)
    throw invalid('scoreName', 'is required for the measure score, or evaluatorSlug is')
  if (measure === 'errorRate' && (of.threshold < 0 || of.threshold > 1))
    throw invalid('threshold', 'must be a share from 0 to 1, such as 0.05 for 5 %')
  const { threshold, recoveryThreshold: recovery } = of
  if (recovery !== null && (condition === 'above' ? recovery > threshold : recovery < threshold))
    throw invalid(
      'recoveryThreshold',
      condition === 'above' ? 'must not be above the threshold' : 'must not be below the threshold',
    )
  filtersOf(filters)
}

/** The filters of a rule as the store takes them; throws `invalid_request` for conditions that cannot be. */
export const filtersOf = (filters: AlertRule['filters']): TraceFilters =>
  // Safe: they were checked before they were kept, and these are all texts.
  readFilters(filters as Record<string, string>)
