/** Describes alerts in words, for messages and lists. The texts contain only figures and the names in the rule, nothing of a trace. */
import {
  type AlertEvent,
  type AlertMeasure,
  type AlertRule,
  type DistributionMeasure,
  distributionMeasures,
  filterParameters,
  traceFields,
} from '@plumbline/contract'

const statisticNames = { avg: 'Mean', p50: 'Median', p95: 'p95', p99: 'p99' } as const
const plainNames: Record<Exclude<AlertMeasure, DistributionMeasure>, string> = {
  cost: 'Cost',
  costPerTrace: 'Cost per trace',
  errorRate: 'Error rate',
  errors: 'Errors',
  score: 'Score',
  traces: 'Traces',
  totalTokens: 'Tokens',
}
const names: Readonly<Record<string, string>> = {
  ...plainNames,
  ...Object.fromEntries(
    [...distributionMeasures].map(([name, { field, statistic }]) => [
      name,
      `${statisticNames[statistic]} ${field.distribution}`,
    ]),
  ),
}

/** The name of a filter in a sentence. */
function filterLabel(name: string): string {
  const parameter = filterParameters.get(name)
  return parameter === undefined ? name : traceFields[parameter.field].label.toLowerCase()
}

/** A value in the unit of its measure, with more decimals than usual if requested. */
function describeValue(measure: AlertMeasure, value: number, moreDecimals = 0): string {
  const format = (number: number, decimals: number): string => formatNumber(number, decimals + moreDecimals)
  switch (measure) {
    case 'cost':
    case 'costPerTrace':
      return `$${format(value, Math.abs(value) < 1 ? 6 : 2)}`
    case 'errorRate':
      return `${format(value * 100, 2)}%`
    case 'errors':
    case 'score':
    case 'traces':
    case 'totalTokens':
      return format(value, 3)
    // Every field with a distribution is a duration.
    default:
      return Math.abs(value) < 1000 ? `${format(value, 0)} ms` : `${format(value / 1000, 2)} s`
  }
}

/** More decimals would only show rounding errors. */
const moreDecimalsMax = 9

/** A value and its limit, with enough decimals to tell them apart: a value beyond a limit must not read the same. */
function describeBoth(measure: AlertMeasure, value: number, limit: number): [value: string, limit: string] {
  const withDecimals = (more: number): [string, string] => [
    describeValue(measure, value, more),
    describeValue(measure, limit, more),
  ]
  for (let more = 0; more <= moreDecimalsMax; more++) {
    const [valueText, limitText] = withDecimals(more)
    if (valueText !== limitText) return [valueText, limitText]
  }
  return withDecimals(0)
}

const formatNumber = (value: number, maximumFractionDigits: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits })

/** A duration: `15 minutes`, `1 day`. */
function describeMinutes(minutes: number): string {
  const [count, unit] =
    minutes % 1440 === 0
      ? [minutes / 1440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The measure and its scope: `p95 latency of feature chat over 15 minutes`. */
function describeMeasure({ measure, scoreName, evaluatorSlug, filters, windowMinutes }: AlertRule): string {
  const score = [
    ...(scoreName === null ? [] : [` "${scoreName}"`]),
    ...(evaluatorSlug === null ? [] : [` by ${evaluatorSlug}`]),
  ]
  const conditions = Object.entries(filters).map(([name, value]) =>
    name === 'where' ? 'traces that meet conditions' : `${filterLabel(name)} ${value}`,
  )
  const subject = conditions.length === 0 ? '' : ` of ${conditions.join(', ')}`
  return `${names[measure]}${score.join('')}${subject} over ${describeMinutes(windowMinutes)}`
}

/** The rule: `Error rate of feature chat over 15 minutes above 5%, for 5 minutes`. */
export function describeRule(rule: AlertRule): string {
  const { measure, condition, threshold, forMinutes } = rule
  const duration = forMinutes === 0 ? '' : `, for ${describeMinutes(forMinutes)}`
  return `${describeMeasure(rule)} ${condition} ${describeValue(measure, threshold)}${duration}`
}

type EventFacts = Pick<AlertEvent, 'type' | 'reason'> & { readonly value: number | undefined }

/** An event: `Error rate over 15 minutes is 8.2%, above 5%.` */
export function describeEvent({ type, reason, value }: EventFacts, rule: AlertRule): string {
  const { measure, condition, threshold, recoveryThreshold } = rule
  const what = describeMeasure(rule)
  switch (reason) {
    case 'changed':
      return 'The rule of the alert was changed.'
    case 'disabled':
      return 'The alert was disabled.'
    case 'deleted':
      return 'The alert was deleted.'
    case 'no_data':
      return `${what} has no data.`
    case 'threshold': {
      const limit = type === 'firing' ? threshold : (recoveryThreshold ?? threshold)
      const [valueText, limitText] =
        value === undefined ? [undefined, describeValue(measure, limit)] : describeBoth(measure, value, limit)
      const is = valueText === undefined ? 'is unknown' : `is ${valueText}`
      if (type === 'firing') return `${what} ${is}, ${condition} ${limitText}.`
      return `${what} ${is}, no longer ${condition} ${limitText}.`
    }
  }
}
