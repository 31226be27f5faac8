import type { EvaluationQueue } from '@plumbline/storage/control'
import { resultWithin } from '@plumbline/storage/result-within'
import { Counter, Gauge, type Registry } from 'prom-client'
import { metricTimeoutMs } from '../../process/metric-timeout.ts'

/** How an evaluation ended that was tried; `again`: it is tried once more. */
export type EvaluationEnd = 'done' | 'skipped' | 'failed' | 'again'

/** Counts evaluations; returns what to call when one was tried. */
export function addEvaluationMetrics(
  registry: Registry,
  queue: Pick<EvaluationQueue, 'totals'>,
): (status: EvaluationEnd) => void {
  const registers = [registry]
  new Gauge({
    name: 'plumbline_evaluations',
    help: 'Evaluations that wait, that run, and that have a verdict which is being stored.',
    labelNames: ['status'],
    registers,
    async collect() {
      // A control plane that is away or hangs must not take the other metrics with it.
      const totals = await resultWithin(
        metricTimeoutMs,
        queue.totals().catch(() => undefined),
      )
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
  return (status) => evaluated.inc({ status })
}
