/** Disk damage to the trace store, for the log, the metrics, and a warning in responses. */
import type { Operation } from '@plumbline/contract'
import { resultWithin } from '@plumbline/storage/result-within'
import type { DamagedPart, TraceStore } from '@plumbline/storage/traces'
import { Gauge, type Registry } from 'prom-client'
import { metricTimeoutMs } from '../metric-timeout.ts'

type Store = Pick<TraceStore, 'damagedParts' | 'refreshDamagedParts'>

export function addDamageMetrics(registry: Registry, store: Store): void {
  const parts = new Gauge({
    name: 'plumbline_damaged_parts',
    help: 'Damaged trace store parts whose rows are missing from query results, by table.',
    labelNames: ['table'],
    registers: [registry],
    async collect() {
      // Another node may have set a part aside, or an operator may have removed one.
      await resultWithin(
        metricTimeoutMs,
        store.refreshDamagedParts().catch(() => undefined),
      )
      this.reset()
      for (const [table, damaged] of byTable(store.damagedParts())) this.set({ table }, damaged.length)
    },
  })
  new Gauge({
    name: 'plumbline_damaged_rows',
    help: 'Rows of damaged parts that are missing from query results, by table, as far as their number is known.',
    labelNames: ['table'],
    registers: [registry],
    async collect() {
      // Share the refresh of the other gauge.
      await parts.get()
      this.reset()
      for (const [table, damaged] of byTable(store.damagedParts()))
        this.set(
          { table },
          damaged.reduce((sum, { rows = 0 }) => sum + rows, 0),
        )
    },
  })
}

const byTable = (parts: readonly DamagedPart[]): Map<string, DamagedPart[]> =>
  Map.groupBy(parts, ({ table }) => table)

/** Resources whose operations read the trace store. */
const resources: ReadonlySet<string> = new Set(['traces', 'scores', 'metrics', 'experiments'])

/** Adds a warning to the response that rows may be missing. */
export function withDamage(
  output: unknown,
  { name, method }: Operation,
  parts: readonly DamagedPart[],
): unknown {
  const [resource = ''] = name.split('.')
  if (parts.length === 0 || method !== 'GET' || !resources.has(resource)) return output
  const { warning } = output as { readonly warning?: string }
  const sentence = `Rows may be missing, since damaged parts of the trace store were set aside: ${describeParts(parts)}.`
  return { ...(output as object), warning: warning === undefined ? sentence : `${warning} ${sentence}` }
}

const describedMax = 5

function describeParts(parts: readonly DamagedPart[]): string {
  const described = parts
    .slice(0, describedMax)
    .map(
      ({ table, part, rows }) =>
        `${part} of ${table} (${rows === undefined ? 'rows unknown' : `${rows} rows`})`,
    )
  const more = parts.length - described.length
  return [...described, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
