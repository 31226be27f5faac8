/** `plumbline traces tail`: traces as they come, until the person interrupts. */
import { setTimeout as pause } from 'node:timers/promises'
import { RequestFailed } from '@plumbline/sdk'
import type { Session } from '../session.ts'
import { type FilterOptions, type TraceSummary, toFilters, walk } from './filters.ts'

export interface TailOptions extends FilterOptions {
  /** Seconds between two looks. */
  readonly interval: number
  /** How many of those that are there already are shown. */
  readonly last: number
}

/** The list is by start, and a trace arrives when it has ended: each look goes back this far. */
const lookBackMs = 15 * 60_000
const pageSize = 100

export async function tail(session: Session, options: TailOptions): Promise<void> {
  const { client, signal, tell } = session
  /** Instants of the traces in the window, by id, so that each is shown once. */
  let seen = new Map<string, number>()
  let isFirst = true
  let isAway = false
  while (!signal.aborted) {
    const from = Date.now() - lookBackMs
    try {
      const fresh: TraceSummary[] = []
      for await (const trace of walk(
        client,
        toFilters({ ...options, from: new Date(from).toISOString() }),
        pageSize,
      )) {
        if (!seen.has(trace.id)) fresh.push(trace)
        seen.set(trace.id, Date.parse(trace.startTime))
      }
      for (const trace of (isFirst ? fresh.slice(0, options.last) : fresh).reverse()) show(session, trace)
      seen = new Map([...seen].filter(([, startMs]) => startMs >= from))
      isFirst = false
      if (isAway) tell('The service is back.')
      isAway = false
    } catch (error) {
      const isFinal = error instanceof RequestFailed && error.status < 500 && error.status !== 429
      if (isFinal || isFirst || !(error instanceof Error)) throw error
      // An outage ends some time, and what came meanwhile is shown then.
      if (!isAway) tell(`${error.message} Trying on.`)
      isAway = true
    }
    await pause(options.interval * 1000, undefined, { signal }).catch(() => {})
  }
}

/** A line for each, JSON too: what reads a tail does not wait for its end. */
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
    // Names come from applications, and must not play with the terminal.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is taken out.
    name.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' '),
  ].join('  ')
}
