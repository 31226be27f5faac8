import type { operations } from '@plumbline/contract'
import type { Position } from '@plumbline/storage/traces'
import { readCursor, writeCursor } from '../cursor.ts'
import type { Verb } from '../verb.ts'
import { readFilters } from './filters.ts'
import { toTraceSummary } from './view.ts'

export const list: Verb<typeof operations.traces.list> = async (
  { limit = 50, cursor, ...filters },
  { workspace },
) => {
  const before = readPosition(cursor)
  const page = await workspace.traces.list(readFilters(filters), { limit, before })
  return {
    traces: page.traces.map(toTraceSummary),
    ...(page.next === undefined ? {} : { nextCursor: writePosition(page.next) }),
  }
}

const writePosition = ({ startUs, traceId }: Position): string =>
  writeCursor('traces', [String(startUs), traceId])

function readPosition(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [startUs, traceId] = readCursor('traces', cursor, ['string', 'string']) as [string, string]
  return { startUs: BigInt(startUs), traceId }
}
