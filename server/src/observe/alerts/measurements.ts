/** The trace store queries of a rule, and how their rows are read. */
import { type AlertMeasure, type AlertRule, distributionMeasures, type Measure } from '@plumbline/contract'
import type { MetricsQuery, MetricsRow, WorkspaceTraces } from '@plumbline/storage/traces'
import type { Measurement } from './next-state.ts'
import { filtersOf } from './rule.ts'

/** The one query that is used. */
export type MeasureSource = Pick<WorkspaceTraces, 'measure'>

/** The metrics measure behind an alert's measure; most have the same name. */
const measureOf = (measure: AlertMeasure): Measure =>
  measure === 'costPerTrace' ? 'cost' : measure === 'score' ? 'avgScore' : measure

/** Measures for which no traces mean 0, not unknown. */
const sums: ReadonlySet<AlertMeasure> = new Set(['cost', 'errors', 'traces', 'totalTokens'])

type MeasuredRule = Pick<AlertRule, 'measure' | 'scoreName' | 'evaluatorSlug' | 'filters'>

const distributions: ReadonlySet<string> = new Set(distributionMeasures.keys())

/** Whether the value is computed from values that some traces, logs or scores lack, such as the number of a score. */
const isOfValues = (measure: AlertMeasure): boolean => measure === 'score' || distributions.has(measure)

/** What to count as samples of other measures: logs if filters apply to logs, else traces. */
function chooseSampleCount({ measure, filters }: MeasuredRule): Measure {
  if (measure === 'traces' || measure === 'costPerTrace') return 'traces'
  return filtersOf(filters).where?.some(({ isOfLog }) => isOfLog === true) ? 'logs' : 'traces'
}

const toMicros = (time: Date): bigint => BigInt(time.getTime()) * 1000n

function makeQuery(rule: MeasuredRule, start: Date, end: Date): MetricsQuery {
  const { scoreName, evaluatorSlug } = rule
  const measure = measureOf(rule.measure)
  return {
    ...(isOfValues(rule.measure)
      ? { measures: [measure], samplesOf: measure }
      : { measures: [...new Set([measure, chooseSampleCount(rule)])] }),
    dimensions: [],
    filters: filtersOf(rule.filters),
    fromUs: toMicros(start),
    toUs: toMicros(end),
    scores:
      rule.measure === 'score'
        ? { name: scoreName ?? undefined, evaluatorSlug: evaluatorSlug ?? undefined }
        : undefined,
  }
}

/** The measurement of the window that ends at a time. */
export async function measureWindow(
  traces: MeasureSource,
  rule: MeasuredRule & Pick<AlertRule, 'windowMinutes'>,
  end: Date,
): Promise<Measurement> {
  const from = new Date(end.getTime() - rule.windowMinutes * 60_000)
  const [row] = await traces.measure(makeQuery(rule, from, end))
  return toMeasurement(rule, row, end)
}

/** The measurements of the windows that end in a range, at the multiples of a step. */
export async function measureWindows(
  traces: MeasureSource,
  rule: MeasuredRule & Pick<AlertRule, 'windowMinutes'>,
  { from, to, stepMinutes }: { readonly from: Date; readonly to: Date; readonly stepMinutes: number },
): Promise<Measurement[]> {
  const stepMs = stepMinutes * 60_000
  const windowMs = rule.windowMinutes * 60_000
  const firstMs = Math.ceil(from.getTime() / stepMs) * stepMs
  if (firstMs > to.getTime()) return []
  const rows = await traces.measure({
    ...makeQuery(rule, new Date(firstMs - windowMs), to),
    windows: { widthUs: BigInt(windowMs) * 1000n, stepUs: BigInt(stepMs) * 1000n },
  })
  const byEnd = new Map(rows.map((row) => [Date.parse(String(row.time)), row]))
  return Array.from({ length: Math.floor((to.getTime() - firstMs) / stepMs) + 1 }, (_, index) => {
    const endMs = firstMs + index * stepMs
    return toMeasurement(rule, byEnd.get(endMs), new Date(endMs))
  })
}

function toMeasurement(rule: MeasuredRule, row: MetricsRow | undefined, time: Date): Measurement {
  const isSum = sums.has(rule.measure)
  const samples = Number(row?.[isOfValues(rule.measure) ? 'samples' : chooseSampleCount(rule)] ?? 0)
  const cell = row?.[measureOf(rule.measure)]
  const sum = typeof cell === 'number' ? cell : isSum ? 0 : undefined
  const value = rule.measure === 'costPerTrace' && sum !== undefined && samples > 0 ? sum / samples : sum
  return { time, value, samples, isSum }
}
