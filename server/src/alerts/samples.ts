/** What a rule asks of the trace store, and what its rows mean. */
import type { AlertMeasure, AlertRule, Measure } from '@plumbline/contract'
import type { MetricsQuery, MetricsRow, WorkspaceTraces } from '@plumbline/storage/traces'
import type { Sample } from './next-standing.ts'
import { filtersOf } from './rule.ts'

/** The one question that is asked. */
export type Measuring = Pick<WorkspaceTraces, 'measure'>

const measured: Record<AlertMeasure, Measure> = {
  cost: 'cost',
  costPerTrace: 'cost',
  p50DurationMs: 'p50DurationMs',
  p95DurationMs: 'p95DurationMs',
  p99DurationMs: 'p99DurationMs',
  avgDurationMs: 'avgDurationMs',
  errorRate: 'errorRate',
  errors: 'errors',
  score: 'avgScore',
  traces: 'traces',
  totalTokens: 'totalTokens',
}

/** Nothing is 0 of these, and not unknown. */
const sums: ReadonlySet<AlertMeasure> = new Set(['cost', 'errors', 'traces', 'totalTokens'])
const logFilters = ['type', 'model', 'promptSlug', 'promptVersion']

type Measured = Pick<AlertRule, 'measure' | 'scoreName' | 'evaluatorSlug' | 'filters'>

/** What the value is made of: scores, logs where filters are of logs, else traces. */
function sampledBy({ measure, filters }: Measured): Measure {
  if (measure === 'score') return 'scores'
  if (measure === 'traces' || measure === 'costPerTrace') return 'traces'
  return logFilters.some((name) => filters[name] !== undefined) ? 'logs' : 'traces'
}

const usOf = (time: Date): bigint => BigInt(time.getTime()) * 1000n

function queryOf(rule: Measured, from: Date, to: Date): MetricsQuery {
  const { scoreName, evaluatorSlug } = rule
  return {
    measures: [...new Set<Measure>([measured[rule.measure], sampledBy(rule)])],
    dimensions: [],
    filters: filtersOf(rule.filters),
    fromUs: usOf(from),
    toUs: usOf(to),
    scores:
      rule.measure === 'score'
        ? { name: scoreName ?? undefined, evaluatorSlug: evaluatorSlug ?? undefined }
        : undefined,
  }
}

/** What the window that ends at a time holds. */
export async function sampleAt(
  traces: Measuring,
  rule: Measured & Pick<AlertRule, 'windowMinutes'>,
  end: Date,
): Promise<Sample> {
  const from = new Date(end.getTime() - rule.windowMinutes * 60_000)
  const [row] = await traces.measure(queryOf(rule, from, end))
  return sampleOf(rule, row, end)
}

/** What each window held that ended in a range, at the multiples of a step. */
export async function samplesBetween(
  traces: Measuring,
  rule: Measured & Pick<AlertRule, 'windowMinutes'>,
  { from, to, stepMinutes }: { readonly from: Date; readonly to: Date; readonly stepMinutes: number },
): Promise<Sample[]> {
  const stepMs = stepMinutes * 60_000
  const windowMs = rule.windowMinutes * 60_000
  const firstMs = Math.ceil(from.getTime() / stepMs) * stepMs
  if (firstMs > to.getTime()) return []
  const rows = await traces.measure({
    ...queryOf(rule, new Date(firstMs - windowMs), to),
    windows: { widthUs: BigInt(windowMs) * 1000n, stepUs: BigInt(stepMs) * 1000n },
  })
  const byEnd = new Map(rows.map((row) => [Date.parse(String(row.time)), row]))
  return Array.from({ length: Math.floor((to.getTime() - firstMs) / stepMs) + 1 }, (_, index) => {
    const endMs = firstMs + index * stepMs
    return sampleOf(rule, byEnd.get(endMs), new Date(endMs))
  })
}

function sampleOf(rule: Measured, row: MetricsRow | undefined, time: Date): Sample {
  const isSum = sums.has(rule.measure)
  const samples = Number(row?.[sampledBy(rule)] ?? 0)
  const cell = row?.[measured[rule.measure]]
  const sum = typeof cell === 'number' ? cell : isSum ? 0 : undefined
  const value = rule.measure === 'costPerTrace' && sum !== undefined && samples > 0 ? sum / samples : sum
  return { time, value, samples, isSum }
}
