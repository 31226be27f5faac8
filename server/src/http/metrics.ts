/** What the service measures of itself, for Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

interface Sources {
  readonly spool: () => { records: number; bytes: number; oldestAt: Date | undefined }
  readonly traceStore: () => Promise<{
    inserts: number
    rowsInserted: number
    refusedLines: number
    activeParts: number
    bytesOnDisk: number
  }>
  /** Evaluations under way, by status. */
  readonly evaluations: () => Promise<{ waiting: number; running: number; judged: number }>
  readonly now: () => Date
}

export interface ServiceMetrics {
  readonly registry: Registry
  onAnswered(operation: string, status: number, seconds: number): void
  /** An evaluation was tried: it ended so, or is tried again. */
  onEvaluated(status: 'done' | 'skipped' | 'failed' | 'again'): void
}

export function makeMetrics({ spool, traceStore, evaluations, now }: Sources): ServiceMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'plumbline_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'plumbline_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  new Gauge({
    name: 'plumbline_spool_records',
    help: 'Records acknowledged and not yet in the trace store.',
    registers,
    collect() {
      this.set(spool().records)
    },
  })
  new Gauge({
    name: 'plumbline_spool_bytes',
    help: 'Bytes of the spool on disk.',
    registers,
    collect() {
      this.set(spool().bytes)
    },
  })
  new Gauge({
    name: 'plumbline_spool_oldest_seconds',
    help: 'Age of the oldest segment that is not yet in the trace store.',
    registers,
    collect() {
      const { oldestAt } = spool()
      this.set(oldestAt === undefined ? 0 : Math.max(0, (now().getTime() - oldestAt.getTime()) / 1000))
    },
  })
  new Gauge({
    name: 'plumbline_trace_store',
    help: 'The trace store: inserts and rows since the start, lines refused, active parts, bytes on disk.',
    labelNames: ['what'],
    registers,
    async collect() {
      // A store that is away must not take the other metrics with it.
      const statistics = await traceStore().catch(() => undefined)
      if (statistics === undefined) return this.reset()
      for (const [what, value] of Object.entries(statistics)) this.set({ what }, value)
    },
  })
  new Gauge({
    name: 'plumbline_evaluations',
    help: 'Evaluations that wait, that run, and that have a verdict which is being stored.',
    labelNames: ['status'],
    registers,
    async collect() {
      // A control plane that is away must not take the other metrics with it.
      const totals = await evaluations().catch(() => undefined)
      if (totals === undefined) return this.reset()
      for (const [status, count] of Object.entries(totals)) this.set({ status }, count)
    },
  })
  const evaluated = new Counter({
    name: 'plumbline_evaluations_tried_total',
    help: 'Evaluations tried by this node, by how that ended; `again` are tried once more.',
    labelNames: ['status'],
    registers,
  })
  /** By operation and status: finding a series by its labels costs more than counting. */
  const series = new Map<string, { requests: Counter.Internal; duration: Histogram.Internal<'operation'> }>()
  return {
    registry,
    onEvaluated: (status) => evaluated.inc({ status }),
    onAnswered(operation, status, seconds) {
      const key = `${operation} ${status}`
      let counters = series.get(key)
      if (counters === undefined) {
        counters = {
          requests: requests.labels(operation, String(status)),
          duration: duration.labels(operation),
        }
        series.set(key, counters)
      }
      counters.requests.inc()
      counters.duration.observe(seconds)
    },
  }
}
