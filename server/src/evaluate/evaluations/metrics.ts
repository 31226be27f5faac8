import type { EvaluationQueue } from '@plumbline/storage/control'
import { resultWithin } from '@plumbline/storage/result-within'
import { Counter, Gauge, type Registry } from 'prom-client'
import { metricTimeoutMs } from '../../process/metric-timeout.ts'

/** How an evaluation attempt ended; `again`: it is retried. */
export type EvaluationEnd = 'done' | 'skipped' | 'failed' | 'again'

/** Counts evaluations; returns a function to call after each attempt. */
export function addEvaluationMetrics(
  registry: Registry,
  queue: Pick<EvaluationQueue, 'totals'>,
): (status: EvaluationEnd) => void {
  const registers = [registry]
  new Gauge({
    name: 'plumbline_evaluations',
    help: 'Evaluations that wait, run, or have a verdict that is being stored, by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      // If the control plane is away or hangs, the other metrics are still reported.
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
    help: 'Evaluation attempts on this node, by outcome; `again` means that the evaluation will be retried.',
    labelNames: ['status'],
    registers,
  })
  return (status) => evaluated.inc({ status })
}
