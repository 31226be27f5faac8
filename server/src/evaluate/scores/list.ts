import { invalid, type operations } from '@plumbline/contract'
import { readCursor, writeCursor } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import { readInstant } from '../../traces/filters.ts'
import { toScore } from '../../traces/view.ts'

export const list: Verb<typeof operations.scores.list> = async (
  { limit = 50, cursor, from, to, traceId, traceIds, name, source },
  { workspace, caller },
) => {
  const filters = {
    traceId: traceId?.toLowerCase(),
    traceIds: traceIds === undefined ? undefined : readIds(traceIds),
    name,
    source,
    fromMs: millisecondsOf(readInstant(from, 'from')),
    toMs: millisecondsOf(readInstant(to, 'to')),
  }
  const before = cursor === undefined ? undefined : readPosition(cursor)
  const { scores, next } = await workspace.traces.scores(filters, { limit, before })
  return {
    scores: scores.map((score) => toScore(score, caller.id)),
    ...(next === undefined ? {} : { nextCursor: writeCursor('scores', [next.createdAtMs, next.scoreId]) }),
  }
}

const idsMax = 200

function readIds(list: string): readonly string[] {
  const ids = list.split(',').map((id) => id.trim().toLowerCase())
  if (ids.length > idsMax) throw invalid('traceIds', `must name at most ${idsMax} traces`)
  return ids
}

const millisecondsOf = (micros: bigint | undefined): bigint | undefined =>
  micros === undefined ? undefined : micros / 1000n

function readPosition(cursor: string): { createdAtMs: number; scoreId: string } {
  const [createdAtMs, scoreId] = readCursor('scores', cursor, ['integer', 'uuid'])
  return { createdAtMs, scoreId }
}
