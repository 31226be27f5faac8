import type { operations } from '@plumbline/contract'
import { readCursor, writeCursor } from '../cursor.ts'
import { readInstant } from '../traces/filters.ts'
import { toScore } from '../traces/view.ts'
import type { Verb } from '../verb.ts'

export const list: Verb<typeof operations.scores.list> = async (
  { limit = 50, cursor, from, to, traceId, name, source },
  { workspace },
) => {
  const filters = {
    traceId: traceId?.toLowerCase(),
    name,
    source,
    fromMs: millisecondsOf(readInstant(from, 'from')),
    toMs: millisecondsOf(readInstant(to, 'to')),
  }
  const before = cursor === undefined ? undefined : readPosition(cursor)
  const { scores, next } = await workspace.traces.scores(filters, { limit, before })
  return {
    scores: scores.map(toScore),
    ...(next === undefined ? {} : { nextCursor: writeCursor('scores', [next.createdAtMs, next.scoreId]) }),
  }
}

const millisecondsOf = (micros: bigint | undefined): bigint | undefined =>
  micros === undefined ? undefined : micros / 1000n

function readPosition(cursor: string): { createdAtMs: number; scoreId: string } {
  const [createdAtMs, scoreId] = readCursor('scores', cursor, ['number', 'string']) as [number, string]
  return { createdAtMs, scoreId }
}
