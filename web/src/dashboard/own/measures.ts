/** The measures of metrics: their labels, and how their values are formatted. Pure. */
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

/** A measure of a newer service is formatted as a plain number. */
export const lookOf = (measure: string): MeasureLook =>
  looks[measure] ?? { label: measure, format: formatScore }

/** In display order. */
export const measureChoices = Object.entries(looks).map(([value, { label }]) => ({
  // Safe: the table has the measures of the contract, and the service rejects unknown ones.
  value: value as Measure,
  label,
}))

/** The measure by which a change is explained: the measure itself, or the nearest one based on traces. */
export function explainedMeasure(measure: string): ChangeMeasure | undefined {
  if (measure.endsWith('DurationMs')) return 'avgDurationMs'
  if (measure === 'inputTokens' || measure === 'outputTokens') return 'totalTokens'
  const isExplained = ['traces', 'cost', 'totalTokens', 'errorRate'].includes(measure)
  return isExplained ? (measure as ChangeMeasure) : undefined
}
