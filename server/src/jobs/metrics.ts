import type { JobQueue } from '@plumbline/storage/control'
import { resultWithin } from '@plumbline/storage/result-within'
import { Gauge, type Registry } from 'prom-client'
import { metricTimeoutMs } from '../process/metric-timeout.ts'

/** The number of jobs by kind and state. */
export function addJobMetrics(registry: Registry, queue: Pick<JobQueue, 'counts' | 'otherCounts'>): void {
  new Gauge({
    name: 'plumbline_jobs',
    help: 'Background jobs, by kind and state; `failed` are dead letters.',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      // A control plane that is unavailable or hangs must not prevent the other metrics.
      const [jobs, others] = await Promise.all([
        resultWithin(
          metricTimeoutMs,
          queue.counts().catch(() => []),
        ),
        resultWithin(
          metricTimeoutMs,
          queue.otherCounts().catch(() => []),
        ),
      ])
      for (const { kind, state, count } of jobs ?? []) this.set({ kind, state }, count)
      for (const { kind, waiting, running, failed } of others ?? [])
        for (const [state, count] of Object.entries({ waiting, running, failed }))
          this.set({ kind, state }, count)
    },
  })
}
