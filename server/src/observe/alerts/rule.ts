/** Reads an alert rule into its stored form: checked, and with defaults for absent fields. */
import { AlertFilters, type AlertRule, type InputOf, invalid, type operations } from '@plumbline/contract'
import type { TraceFilters } from '@plumbline/storage/traces'
import { makeObjectCheck } from '../../requests/validate.ts'
import { readFilters } from '../../traces/filters.ts'

type RuleInput = Omit<InputOf<typeof operations.alerts.create>, 'name' | 'note' | 'channelIds' | 'isEnabled'>

const checkFilters = makeObjectCheck<Record<string, string>>(AlertFilters, 'filters')
const defaultDelaySeconds = 30

/** The complete rule; throws `invalid_request` for an invalid one. */
export function readRule(input: RuleInput): AlertRule {
  const isOfScores = input.measure === 'score'
  const rule: AlertRule = {
    measure: input.measure,
    scoreName: isOfScores ? (input.scoreName ?? null) : null,
    evaluatorSlug: isOfScores ? (input.evaluatorSlug ?? null) : null,
    filters: readRuleFilters(input.filters ?? {}),
    windowMinutes: input.windowMinutes,
    condition: input.condition,
    threshold: input.threshold,
    recoveryThreshold: input.recoveryThreshold ?? null,
    forMinutes: input.forMinutes ?? 0,
    keepFiringForMinutes: input.keepFiringForMinutes ?? 0,
    minimumSamples: input.minimumSamples ?? 1,
    noData: input.noData ?? 'ok',
    delaySeconds: input.delaySeconds ?? defaultDelaySeconds,
  }
  checkRule(rule)
  return rule
}

/** Sorted, so that the same filters make the same rule. */
const readRuleFilters = (filters: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(checkFilters(filters)).sort(([name], [other]) => (name < other ? -1 : 1)))

function checkRule({ measure, scoreName, evaluatorSlug, filters, condition, ...rule }: AlertRule): void {
  if (measure === 'score' && scoreName === null && evaluatorSlug === null)
    throw invalid('scoreName', 'is required for the measure score, or evaluatorSlug is')
  if (measure === 'errorRate' && (rule.threshold < 0 || rule.threshold > 1))
    throw invalid('threshold', 'must be a fraction from 0 to 1, such as 0.05 for 5%')
  const { threshold, recoveryThreshold: recovery } = rule
  if (recovery !== null && (condition === 'above' ? recovery > threshold : recovery < threshold))
    throw invalid(
      'recoveryThreshold',
      condition === 'above' ? 'must not be above the threshold' : 'must not be below the threshold',
    )
  filtersOf(filters)
}

/** The filters of a rule in the form of the store; throws `invalid_request` for invalid conditions. */
export const filtersOf = (filters: AlertRule['filters']): TraceFilters =>
  // Safe: they were checked before they were stored, and are all texts.
  readFilters(filters as Record<string, string>)
