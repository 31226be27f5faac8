/** Converts a trace to a table row. */
import type { StoredTrace } from '@plumbline/storage/traces'
import { arrivalMs } from '@plumbline/storage/traces/rows'
import type { Cell, TableColumn, TableRow } from '../../operate/exchange/table.ts'

interface TraceColumn extends TableColumn {
  readonly cell: (stored: StoredTrace) => Cell
}

const column = (
  name: string,
  type: TableColumn['type'],
  cell: (trace: StoredTrace['trace'], scores: StoredTrace['scores']) => Cell,
): TraceColumn => ({ name, type, cell: ({ trace, scores }) => cell(trace, scores) })

/** Columns have the names of the interface; values that are not text there are JSON here. */
export const traceColumns: readonly TraceColumn[] = [
  column('id', 'text', ({ traceId }) => traceId),
  column('name', 'text', ({ name }) => name),
  column('featureSlug', 'text', ({ featureSlug }) => featureSlug),
  column('experimentId', 'text', ({ experimentId }) => experimentId),
  column('sessionId', 'text', ({ sessionId }) => sessionId),
  column('userId', 'text', ({ userId }) => userId),
  column('userName', 'text', ({ userName }) => userName),
  column('organizationId', 'text', ({ organizationId }) => organizationId),
  column('organizationName', 'text', ({ organizationName }) => organizationName),
  column('startTime', 'instant', ({ startUs }) => startUs),
  column('endTime', 'instant', ({ endUs }) => endUs),
  column('receivedAt', 'instant', ({ traceId }) => BigInt(arrivalMs(traceId)) * 1000n),
  column('durationMs', 'number', ({ durationUs }) =>
    durationUs === null ? null : Number(durationUs) / 1000,
  ),
  column('inputTokens', 'number', ({ inputTokens }) => inputTokens),
  column('outputTokens', 'number', ({ outputTokens }) => outputTokens),
  column('tokensEstimated', 'flag', ({ tokensEstimated }) => tokensEstimated),
  column('cost', 'number', ({ cost }) => cost),
  column('errors', 'number', ({ errors }) => errors),
  column('logCount', 'number', ({ logCount }) => logCount),
  column('models', 'text', ({ models }) => models.join(' ')),
  column('input', 'text', ({ input }) => plain(input)),
  column('output', 'text', ({ output }) => plain(output)),
  column('idealOutput', 'text', ({ idealOutput }) => plain(idealOutput)),
  column('metadata', 'text', ({ metadata }) => metadata),
  column('scores', 'text', (_trace, scores) => (scores.length === 0 ? null : scoresAsJson(scores))),
]

export const toTableRow = (trace: StoredTrace): TableRow => traceColumns.map(({ cell }) => cell(trace))

/** A JSON text without its quotes; other JSON unchanged. */
const plain = (json: string | null): string | null =>
  json?.startsWith('"') ? (JSON.parse(json) as string) : json

const scoresAsJson = (scores: StoredTrace['scores']): string =>
  JSON.stringify(
    scores.map(({ name, value, comment, logId, source }) => ({ name, value, comment, logId, source })),
  )
