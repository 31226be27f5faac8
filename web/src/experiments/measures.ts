/** Labels, formats and verdicts of the measures of a comparison. Pure. */
import { exactNumber, formatCount, formatDuration, formatMoney, formatPercent } from '../ui/text/format.ts'

const scorePrefix = 'score.'

export const isScore = (measure: string): boolean => measure.startsWith(scorePrefix)

const names: Readonly<Record<string, string>> = {
  cost: 'Cost',
  durationMs: 'Duration',
  tokens: 'Tokens',
  errorRate: 'Error rate',
}

export const measureLabel = (measure: string): string =>
  isScore(measure) ? measure.slice(scorePrefix.length) : (names[measure] ?? measure)

const digits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

export function formatMeasure(measure: string, value: number): string {
  switch (measure) {
    case 'cost':
      return formatMoney(value)
    case 'durationMs':
      return formatDuration(value)
    case 'tokens':
      return formatCount(value)
    case 'errorRate':
      return formatPercent(value)
    default:
      return Math.abs(value) >= 1000 ? formatCount(value) : digits.format(value)
  }
}

/** With its sign: `+0.2`, `−$0.0012`. */
export function formatDelta(measure: string, delta: number): string {
  const size = formatMeasure(measure, Math.abs(delta))
  if (delta === 0) return '±0'
  return `${delta > 0 ? '+' : '−'}${size}`
}

export const exactMeasure = (measure: string, value: number): string =>
  measure === 'cost'
    ? `$${exactNumber(value)}`
    : measure === 'durationMs'
      ? `${exactNumber(value)} ms`
      : exactNumber(value)

export type Judgement = 'better' | 'worse' | 'unclear'

/** Whether a difference is good, depending on whether lower or higher is better. */
export function judge(delta: number | undefined, lowerIsBetter: boolean): Judgement {
  if (delta === undefined || delta === 0) return 'unclear'
  return delta < 0 === lowerIsBetter ? 'better' : 'worse'
}

/** The service's verdict on a difference: too few cases are as inconclusive as chance. */
export const judgementOfVerdict = (
  verdict: 'better' | 'worse' | 'unclear' | 'too_few' | undefined,
): Judgement => (verdict === 'better' || verdict === 'worse' ? verdict : 'unclear')

/** The verdict of an interval of the mean difference: significant only if it excludes 0. */
export function judgeInterval(
  { low, high }: { readonly low?: number | null | undefined; readonly high?: number | null | undefined },
  lowerIsBetter: boolean,
): Judgement {
  if (low == null || high == null || (low <= 0 && high >= 0)) return 'unclear'
  return judge(low, lowerIsBetter)
}

export const judgementClass: Readonly<Record<Judgement, string>> = {
  better: 'text-good',
  worse: 'text-bad',
  unclear: 'text-ink-2',
}

/** JSON text for reading: a string without its quotes; a truncated text unchanged. */
export function readableText(json: string | null): string {
  if (json === null) return ''
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  } catch {
    return json
  }
}
