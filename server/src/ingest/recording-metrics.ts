import { Gauge } from 'prom-client'
import type { Foundation } from '../process/foundation.ts'
import { metricTimeoutMs, within } from '../process/within.ts'

/** What waits in the spool, and what the trace store holds. */
export function addRecordingMetrics({
  registry,
  spool,
  traceStore,
  now,
}: Pick<Foundation, 'registry' | 'spool' | 'traceStore' | 'now'>): void {
  const registers = [registry]
  new Gauge({
    name: 'plumbline_spool_records',
    help: 'Records acknowledged and not yet in the trace store.',
    registers,
    collect() {
      this.set(spool.size().records)
    },
  })
  new Gauge({
    name: 'plumbline_spool_bytes',
    help: 'Bytes of the spool on disk.',
    registers,
    collect() {
      this.set(spool.size().bytes)
    },
  })
  new Gauge({
    name: 'plumbline_spool_oldest_seconds',
    help: 'Age of the oldest segment that is not yet in the trace store.',
    registers,
    collect() {
      const { oldestAt } = spool.size()
      this.set(oldestAt === undefined ? 0 : Math.max(0, (now().getTime() - oldestAt.getTime()) / 1000))
    },
  })
  new Gauge({
    name: 'plumbline_trace_store',
    help: 'The trace store: inserts and rows since the start, lines refused, active parts, bytes on disk.',
    labelNames: ['what'],
    registers,
    async collect() {
      // A store that is away or hangs must not take the other metrics with it.
      const statistics = await within(
        metricTimeoutMs,
        traceStore.statistics().catch(() => undefined),
      )
      if (statistics === undefined) return this.reset()
      for (const [what, value] of Object.entries(statistics)) this.set({ what }, value)
    },
  })
}
