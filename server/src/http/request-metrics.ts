/** Number and duration of answered requests, for Prometheus. */
import { Counter, Histogram, type Registry } from 'prom-client'

export type OnAnswered = (operation: string, status: number, seconds: number) => void

/** Returns the function to call for every response. */
export function addRequestMetrics(registry: Registry): OnAnswered {
  const registers = [registry]
  const requests = new Counter({
    name: 'plumbline_requests_total',
    help: 'Requests, by operation and response status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'plumbline_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  /** Cached by operation and status: finding a series by its labels costs more than counting. */
  const series = new Map<string, { requests: Counter.Internal; duration: Histogram.Internal<'operation'> }>()
  return (operation, status, seconds) => {
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
  }
}
