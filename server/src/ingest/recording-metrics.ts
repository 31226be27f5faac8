/** Metrics of recording: records received, waiting in the spool, lost or set aside, and the size of the trace store. */
import { resultWithin } from '@plumbline/storage/result-within'
import type { TraceStore } from '@plumbline/storage/traces'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Foundation } from '../process/foundation.ts'
import { metricTimeoutMs } from '../process/metric-timeout.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { RefusedRecords } from './monitor/refused-records.ts'

type ReadMetric = () => Promise<number | undefined> | number | undefined

/** A gauge without labels, which is left out while its value is unknown. */
function addGauge(registry: Registry, name: string, help: string, values: ReadMetric): void {
  new Gauge({
    ...{ name, help, registers: [registry] },
    async collect() {
      const value = await values()
      if (value === undefined) this.remove()
      else this.set(value)
    },
  })
}

/** A counter whose value is kept elsewhere. */
function addCounter(registry: Registry, name: string, help: string, values: ReadMetric): void {
  new Counter({
    ...{ name, help, registers: [registry] },
    async collect() {
      const value = await values()
      if (value === undefined) return
      this.reset()
      this.inc(value)
    },
  })
}

/** Metrics of the records waiting in the spool and of the trace store's size. */
export function addRecordingMetrics({
  registry,
  spool,
  traceStore,
  now,
}: Pick<Foundation, 'registry' | 'spool' | 'traceStore' | 'now'>): void {
  const gauge = addGauge.bind(undefined, registry)
  const counter = addCounter.bind(undefined, registry)
  const ageSeconds = (time: Date | undefined): number =>
    time === undefined ? 0 : Math.max(0, (now().getTime() - time.getTime()) / 1000)
  counter('plumbline_records_total', 'Records acknowledged.', () => spool.appended().records)
  counter(
    'plumbline_record_bytes_total',
    'Bytes of acknowledged records, decompressed.',
    () => spool.appended().bytes,
  )
  gauge(
    'plumbline_spool_records',
    'Acknowledged records that are not yet in the trace store.',
    () => spool.size().records,
  )
  gauge('plumbline_spool_bytes', 'Bytes of the spool on disk.', () => spool.size().bytes)
  gauge(
    'plumbline_spool_oldest_seconds',
    'Age of the oldest segment that is not yet in the trace store.',
    () => ageSeconds(spool.size().oldestAt),
  )
  const insertCounts = (): ReturnType<typeof traceStore.counts> => traceStore.counts()
  counter(
    'plumbline_trace_store_inserts_total',
    'Batches inserted into the trace store.',
    () => insertCounts().inserts,
  )
  counter(
    'plumbline_trace_store_rows_total',
    'Rows inserted into the trace store.',
    () => insertCounts().rowsInserted,
  )
  counter(
    'plumbline_trace_store_rejected_rows_total',
    'Rows that the trace store rejected.',
    () => insertCounts().rejectedRows,
  )
  const statistics = sharedStatistics(traceStore)
  gauge(
    'plumbline_trace_store_parts',
    'Active parts of the trace store.',
    async () => (await statistics())?.activeParts,
  )
  gauge(
    'plumbline_trace_store_bytes',
    'Bytes of the active parts of the trace store.',
    async () => (await statistics())?.bytesOnDisk,
  )
}

/** One query serves all metrics of a scrape. If the store is away or hangs, the other metrics are still reported. */
function sharedStatistics(
  store: Pick<TraceStore, 'statistics'>,
): () => Promise<Awaited<ReturnType<TraceStore['statistics']>> | undefined> {
  let pending: ReturnType<typeof readMetrics> | undefined
  const readMetrics = () =>
    resultWithin(
      metricTimeoutMs,
      store.statistics().catch(() => undefined),
    ).finally(() => {
      pending = undefined
    })
  return () => {
    pending ??= readMetrics()
    return pending
  }
}

/** Wraps the ledger so that rejections are also counted in a metric for operators. */
export function countRejections(registry: Registry, ledger: Ledger): Ledger {
  const rejections = new Counter({
    name: 'plumbline_records_rejected_total',
    help: 'Records rejected, by the error code of the response.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const repeated = new Counter({
    name: 'plumbline_records_deduplicated_total',
    help: 'Repeated records, recognized by their Idempotency-Key.',
    registers: [registry],
  })
  return {
    ...ledger,
    addRefused(caller, reason, body, time, count = 1) {
      rejections.inc({ reason }, count)
      ledger.addRefused(caller, reason, body, time, count)
    },
    addDeduplicated(caller, time) {
      repeated.inc()
      ledger.addDeduplicated(caller, time)
    },
  }
}

/** Counts records that were set aside, and the files still in their folder. */
export function countSetAside(registry: Registry, records: RefusedRecords): RefusedRecords {
  const counter = new Counter({
    name: 'plumbline_records_set_aside_total',
    help: 'Acknowledged records that no store accepts, kept in the folder "refused".',
    registers: [registry],
  })
  addGauge(
    registry,
    'plumbline_set_aside_files',
    'Files of the folder "refused", or batches of the shared spool.',
    () => records.countBatches().catch(() => undefined),
  )
  return {
    ...records,
    async keep(token, record) {
      await records.keep(token, record)
      counter.inc(record.length)
    },
  }
}

/** Counts acknowledged records that the disk damaged. */
export interface LossCounter {
  /** Counts a segment's damaged records; records that were counted before are not counted again. */
  add(segmentId: string, records: number): void
}

export function makeLossCounter(registry: Registry): LossCounter {
  const lostRecords = new Counter({
    name: 'plumbline_records_lost_total',
    help: 'Acknowledged records lost to disk damage before they reached the trace store.',
    registers: [registry],
  })
  const counted = new Map<string, number>()
  return {
    add(segmentId, records) {
      const before = counted.get(segmentId) ?? 0
      if (records <= before) return
      counted.set(segmentId, records)
      lostRecords.inc(records - before)
    },
  }
}
