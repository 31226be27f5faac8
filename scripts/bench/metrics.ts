/** The service's own metrics. */
export const apiKey = 'pl_bench_key_0123456789'

export interface ServiceCounts {
  readonly spoolRecords: number
  readonly inserts: number
  readonly rowsInserted: number
  readonly activeParts: number
}

export async function readMetrics(port: number): Promise<ServiceCounts> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const numberOf = (metric: string): number => {
    const line = text.split('\n').find((each) => each.startsWith(`${metric} `))
    return Number(line?.slice(metric.length + 1))
  }
  return {
    spoolRecords: numberOf('plumbline_spool_records'),
    inserts: numberOf('plumbline_trace_store_inserts_total'),
    rowsInserted: numberOf('plumbline_trace_store_rows_total'),
    activeParts: numberOf('plumbline_trace_store_parts'),
  }
}
