/** The filters of lists and metrics, from the wire to the store. */
import {
  type InputOf,
  invalid,
  metadataFilterPrefix,
  type operations,
  type Timestamp,
} from '@plumbline/contract'
import type { TraceFilters } from '@plumbline/storage/traces'
import { readTimestamp } from '../monitor/timestamp.ts'

type Sent = Omit<InputOf<typeof operations.traces.list>, 'limit' | 'cursor'>

/** Filters as the store takes them; throws `invalid_request` for an instant that is none. */
export function readFilters(sent: Sent): TraceFilters {
  const { from, to, ...others } = sent
  const metadata = Object.entries(sent)
    .filter(([name]) => name.startsWith(metadataFilterPrefix))
    .map(([name, value]) => [name.slice(metadataFilterPrefix.length), String(value)])
  const { featureSlug, experimentId, promptSlug, promptVersion, userId, organizationId } = others
  const { type, name, model, hasError, minCost, minDurationMs, q } = others
  return {
    featureSlug,
    experimentId,
    promptSlug,
    promptVersion,
    userId,
    organizationId,
    type,
    name,
    model,
    hasError,
    minCost,
    minDurationMs,
    q,
    fromUs: readInstant(from, 'from'),
    toUs: readInstant(to, 'to'),
    ...(metadata.length > 0 ? { metadata: Object.fromEntries(metadata) } : {}),
  }
}

/** An instant of a query: ISO 8601, or a Unix time as text. */
export function readInstant(value: Timestamp | undefined, path: string): bigint | undefined {
  if (value === undefined) return undefined
  const isNumber = typeof value === 'number' || /^\d+(?:\.\d+)?$/.test(value)
  const micros = readTimestamp(isNumber ? Number(value) : value)
  if (micros === undefined) throw invalid(path, 'must be an ISO 8601 date-time that exists, or a Unix time')
  return micros
}
