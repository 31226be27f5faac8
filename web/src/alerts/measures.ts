/** The measures of alerts: labels, and the units that people type. Pure. */
import type { AlertMeasure } from '@plumbline/sdk'
import { type DistributionMeasure, distributionMeasures } from '@plumbline/sdk/trace-fields'
import { formatCount, formatDuration, formatMoney, formatPercent, formatScore } from '../ui/text/format.ts'

interface Measure {
  readonly label: string
  /** Shown beside the threshold field. */
  readonly unit: string
  /** One typed unit, in the contract's unit. */
  readonly factor: number
  readonly format: (value: number) => string
  /** The samples behind the value, for which a minimum can be set. */
  readonly samples: string | undefined
}

const statisticLabels = { avg: 'Mean', p50: 'Median', p95: 'p95', p99: 'p99' } as const
// Safe: each measure of a field is a key of the map. All of these fields are durations.
const distributions = Object.fromEntries(
  [...distributionMeasures].map(([name, { field, statistic }]) => [
    name,
    {
      label: `${statisticLabels[statistic]} ${field.distribution}`,
      unit: 'seconds',
      factor: 1000,
      format: formatDuration,
      samples: field.column === undefined ? 'generations' : 'traces',
    },
  ]),
) as Readonly<Record<DistributionMeasure, Measure>>
const money = { unit: 'US dollars', factor: 1, format: formatMoney } as const
const count = { factor: 1, format: formatCount, samples: undefined } as const

export const measures: Readonly<Record<AlertMeasure, Measure>> = {
  errorRate: {
    label: 'Error rate',
    unit: 'percent',
    factor: 0.01,
    format: formatPercent,
    samples: 'traces',
  },
  cost: { label: 'Cost', ...money, samples: undefined },
  costPerTrace: { label: 'Cost per trace', ...money, samples: 'traces' },
  ...distributions,
  score: {
    label: 'Score',
    unit: 'mean; true counts as 1, false as 0',
    factor: 1,
    format: formatScore,
    samples: 'scores',
  },
  traces: { label: 'Traces', unit: 'traces', ...count },
  errors: { label: 'Errors', unit: 'failed logs', ...count },
  totalTokens: { label: 'Tokens', unit: 'input and output', ...count },
}

/** Typed units per contract unit: the scale of a number field. */
export const scaleOf = (measure: AlertMeasure): number => 1 / measures[measure].factor

/** `15 min`, `6 h`, `1 d`. */
export function formatMinutes(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440} d`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}
