/** Events from older Langfuse clients: each event is one part of the record that it stands for. */
import { isRecord, recordsOf, textOf } from './read-value.ts'
import type { JsonRecord, SortedRecord } from './shapes.ts'

/** Kinds of parts that have to be merged into a record. */
export const traceEvent = 'trace event'
export const observationEvent = 'observation event'

const eventType =
  /^(trace|score|span|generation|event|observation|agent|tool|chain|retriever|evaluator|embedding|guardrail)-(?:create|update)$/

export const isEvent = ({ type, body }: JsonRecord): boolean =>
  typeof type === 'string' && (eventType.test(type) || type === 'sdk-log') && isRecord(body)

/** A whole batch, as posted. */
export const isBatch = ({ batch }: JsonRecord): boolean =>
  Array.isArray(batch) && batch.length > 0 && batch.every((event) => isRecord(event) && isEvent(event))

export const sortBatch = ({ batch }: JsonRecord): SortedRecord[] => recordsOf(batch).flatMap(sortEvent)

export function sortEvent(event: JsonRecord): SortedRecord[] {
  const body = event.body as JsonRecord
  const kind = eventType.exec(String(event.type))?.[1]
  if (kind === undefined)
    return [{ type: 'ignored', what: 'sdk-log event', why: 'it is about the client itself' }]
  const id = textOf(body.id) ?? textOf(event.id)
  if (kind === 'trace') return [part(id, traceEvent, { ...body, id })]
  const traceId = textOf(body.traceId)
  if (kind === 'score')
    return traceId === undefined
      ? [{ type: 'ignored', what: 'score', why: 'it judges no trace' }]
      : [part(traceId, 'score', { ...body, timestamp: body.timestamp ?? event.timestamp })]
  const observation = {
    ...body,
    id,
    ...(kind === 'observation' ? {} : { type: kind.toUpperCase() }),
    ...(String(event.type).endsWith('-create') ? { startTime: body.startTime ?? event.timestamp } : {}),
  }
  return [part(traceId ?? id, observationEvent, observation)]
}

const part = (traceId: unknown, kind: string, record: JsonRecord): SortedRecord => ({
  type: 'part',
  traceId: String(traceId),
  kind,
  record,
})

/** Merges parts into a record, in order of arrival: later values replace earlier ones, except that metadata is merged. */
export function mergeRecords(records: readonly JsonRecord[]): JsonRecord {
  const merged: Record<string, unknown> = {}
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      const earlier = merged[name]
      if (value == null) continue
      merged[name] =
        name === 'metadata' && isRecord(earlier) && isRecord(value) ? { ...earlier, ...value } : value
    }
  return merged
}
