/** The measures of metrics: what people call them, and how their values are written. Pure. */
import type { ChangeMeasure, Measure } from '@plumbline/sdk'
import { distributionMeasures } from '@plumbline/sdk/trace-fields'
import { formatCount, formatDuration, formatMoney, formatPercent, formatScore } from '../../ui/text/format.ts'

export interface MeasureLook {
  readonly label: string
  readonly format: (value: number) => string
  /** Its bad direction, for the colour of a change. */
  readonly isBadIfMore?: boolean
}

const statisticLabels = { avg: 'mean', p50: 'median', p95: 'p95', p99: 'p99' } as const

const looks: Readonly<Record<string, MeasureLook>> = {
  traces: { label: 'Traces', format: formatCount },
  logs: { label: 'Logs', format: formatCount },
  generations: { label: 'Generations', format: formatCount },
  errors: { label: 'Failed logs', format: formatCount, isBadIfMore: true },
  errorRate: { label: 'Error rate', format: formatPercent, isBadIfMore: true },
  cost: { label: 'Cost', format: formatMoney },
  inputTokens: { label: 'Input tokens', format: formatCount },
  outputTokens: { label: 'Output tokens', format: formatCount },
  totalTokens: { label: 'Tokens', format: formatCount },
  users: { label: 'Users', format: formatCount },
  scores: { label: 'Number of scores', format: formatCount },
  avgScore: { label: 'Mean score', format: formatScore },
  scoreCost: { label: 'Evaluation cost', format: formatMoney },
  ...Object.fromEntries(
    [...distributionMeasures].map(([name, { field, statistic }]) => [
      name,
      {
        label: `${capitalize(field.distribution ?? field.label)}, ${statisticLabels[statistic]}`,
        format: formatDuration,
        isBadIfMore: true,
      },
    ]),
  ),
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** A measure of a newer service is written as a plain number. */
export const lookOf = (measure: string): MeasureLook =>
  looks[measure] ?? { label: measure, format: formatScore }

/** In the order in which they are offered. */
export const measureChoices = Object.entries(looks).map(([value, { label }]) => ({
  // Safe: the table has the measures of the contract; the service says which it does not know.
  value: value as Measure,
  label,
}))

/** What the change of a measure is explained by: its own traces, or the nearest measure that is made of them. */
export function explainedMeasure(measure: string): ChangeMeasure | undefined {
  if (measure.endsWith('DurationMs')) return 'avgDurationMs'
  if (measure === 'inputTokens' || measure === 'outputTokens') return 'totalTokens'
  const isExplained = ['traces', 'cost', 'totalTokens', 'errorRate'].includes(measure)
  return isExplained ? (measure as ChangeMeasure) : undefined
}
