/** `plumbline traces tail`: shows traces as they arrive until interrupted. */
import { setTimeout as pause } from 'node:timers/promises'
import { RequestFailed } from '@plumbline/sdk'
import type { Session } from '../session.ts'
import { type FilterOptions, listAllTraces, type TraceSummary, toFilters } from './filters.ts'

export interface TailOptions extends FilterOptions {
  /** Polling interval in seconds. */
  readonly interval: number
  /** Number of existing traces to show first. */
  readonly last: number
}

/** The list is ordered by start, but traces arrive when they end, so each poll goes back this far. */
const overlapMs = 15 * 60_000
const pageSize = 100

export async function tail(session: Session, options: TailOptions): Promise<void> {
  const { client, signal, tell } = session
  /** Start times of the traces in the window, by id, so that each is shown once. */
  let printedTraces = new Map<string, number>()
  let isFirst = true
  let isUnreachable = false
  while (!signal.aborted) {
    const from = Date.now() - overlapMs
    try {
      const newTraces: TraceSummary[] = []
      for await (const trace of listAllTraces(
        client,
        toFilters({ ...options, from: new Date(from).toISOString() }),
        pageSize,
      )) {
        if (!printedTraces.has(trace.id)) newTraces.push(trace)
        printedTraces.set(trace.id, Date.parse(trace.startTime))
      }
      for (const trace of (isFirst ? newTraces.slice(0, options.last) : newTraces).reverse())
        show(session, trace)
      printedTraces = new Map([...printedTraces].filter(([, startMs]) => startMs >= from))
      isFirst = false
      if (isUnreachable) tell('The service is reachable again.')
      isUnreachable = false
    } catch (error) {
      const isFinal = error instanceof RequestFailed && error.status < 500 && error.status !== 429
      if (isFinal || isFirst || !(error instanceof Error)) throw error
      // Traces that arrive during an outage are shown after it.
      if (!isUnreachable) tell(`${error.message} Retrying.`)
      isUnreachable = true
    }
    await pause(options.interval * 1000, undefined, { signal }).catch(() => {})
  }
}

/** Prints one line per trace, also as JSON, because consumers of a tail read line by line. */
function show({ stdout, isJson }: Session, trace: TraceSummary): void {
  stdout.write(`${isJson ? JSON.stringify(trace) : traceLine(trace)}\n`)
}

export function traceLine({ id, name, startTime, totals }: TraceSummary): string {
  const { durationMs, cost, errors, models } = totals
  return [
    startTime,
    id,
    errors > 0 ? 'FAILED' : 'ok',
    durationMs === null ? 'no end' : `${Math.round(durationMs)} ms`,
    cost === null ? 'no cost' : `$${cost.toFixed(6)}`,
    models.join(' ') || 'no model',
    // Names come from applications and must not manipulate the terminal.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what this removes.
    name.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' '),
  ].join('  ')
}
