/**
 * Batches of Langfuse's older clients. Events of traces and observations become parts of spans, which are recorded like an
 * OpenTelemetry export; scores are recorded as usual. The response has a result for each event.
 */

import { invalid, ServiceError } from '@plumbline/contract'
import { parseDateTime } from '@plumbline/contract/date-time'
import type { LangfuseContext, LangfuseInput } from './endpoint.ts'
import { OperationRefused } from './endpoint.ts'
import { type IngestionEvent, isSpanEvent, toSpanParts } from './events-to-spans.ts'
import { isRecord, recordIn, requiredText } from './read-input.ts'
import { submitScore } from './scores.ts'
import { logsExport, type SpanPart, tracesExport } from './span-parts.ts'

const eventsMax = 10_000

export async function ingest(input: LangfuseInput, context: LangfuseContext): Promise<object> {
  const { batch } = recordIn(input.body)
  if (!Array.isArray(batch)) throw invalid('batch', 'must be a list of events')
  if (batch.length > eventsMax) throw invalid('batch', `must have at most ${eventsMax} events`)
  const results = new Results()
  const parts: SpanPart[] = []
  const scores: IngestionEvent[] = []
  const recorded: string[] = []
  for (const [index, each] of batch.entries()) {
    try {
      const event = readEvent(each, `batch[${index}]`)
      if (isSpanEvent(event.type)) {
        parts.push(...toSpanParts(event, `batch[${index}].body`))
        recorded.push(event.id)
      } else if (event.type === 'score-create') scores.push(event)
      // The client's own log events are meant for Langfuse's support.
      else if (event.type === 'sdk-log') results.succeed(event.id)
      else throw invalid(`batch[${index}].type`, `"${event.type}" is not a known event`)
    } catch (error) {
      results.fail(idOf(each), error)
    }
  }
  await record(parts, context)
  for (const id of recorded) results.succeed(id)
  for (const { id, body, timestamp } of scores) {
    try {
      await submitScore(body, new Date(timestamp), context)
      results.succeed(id)
    } catch (error) {
      results.fail(id, error)
    }
  }
  return results.body()
}

async function record(parts: readonly SpanPart[], { receive, caller, now }: LangfuseContext): Promise<void> {
  if (parts.length === 0) return
  const encoding = 'json'
  const spans = tracesExport(parts)
  if (spans !== undefined) await receive({ signal: 'traces', encoding, body: spans }, caller, now)
  await receive({ signal: 'logs', encoding, body: logsExport(parts) }, caller, now)
}

class Results {
  readonly #successes: object[] = []
  readonly #failures: object[] = []

  succeed(id: string): void {
    this.#successes.push({ id, status: 201 })
  }

  /** An error that may be temporary fails the whole batch, which the client then sends again. */
  fail(id: string, error: unknown): void {
    if (error instanceof OperationRefused && error.status < 500) {
      this.#failures.push({ id, status: error.status, message: error.message, error: error.message })
      return
    }
    if (!(error instanceof ServiceError) || ['unavailable', 'internal'].includes(error.code)) throw error
    this.#failures.push({
      id,
      status: error.status,
      message: error.message,
      error: error.message,
    })
  }

  body(): object {
    return { successes: this.#successes, errors: this.#failures }
  }
}

function readEvent(event: unknown, path: string): IngestionEvent {
  if (!isRecord(event)) throw invalid(path, 'must be an object')
  const [id, type] = [requiredText(event, 'id'), requiredText(event, 'type')]
  const timestamp = parseDateTime(String(event.timestamp))
  if (Number.isNaN(timestamp)) throw invalid(`${path}.timestamp`, 'must be an ISO 8601 date-time')
  if (!isRecord(event.body) && type !== 'sdk-log') throw invalid(`${path}.body`, 'must be an object')
  return { id, type, timestamp, body: isRecord(event.body) ? event.body : {} }
}

const idOf = (event: unknown): string => (isRecord(event) && typeof event.id === 'string' ? event.id : '')
