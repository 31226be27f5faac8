import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { spanOf } from '../../../../testing/otlp-spans.ts'
import { additionRows, spanRow, spansOfRows } from './stored-span.ts'

const acceptance = { workspaceId: 'w', apiKeyId: 'k', receivedAtMs: 1 }
const span = spanOf()
const spanLine = spanRow(span, undefined, acceptance)

const messagesOf = (...exports: readonly (readonly string[])[]): unknown[] => {
  const rows = exports.flatMap((contents) =>
    additionRows(
      contents.map((content, sequence) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        event: { name: 'gen_ai.user.message', timeNs: 5n, attributes: { content } },
        sequence,
      })),
      acceptance,
    ),
  )
  const { spans } = spansOfRows(span.traceId, [spanLine, ...rows])
  return spans.flatMap(({ events }) => events.map(({ attributes }) => attributes.content))
}

describe('log records with the same time', () => {
  it('are all kept in the order of their export, even if two are identical', () => {
    assert.deepEqual(messagesOf(['yes', 'no', 'yes']), ['yes', 'no', 'yes'])
  })

  it('are stored once if their export is repeated', () => {
    assert.deepEqual(messagesOf(['yes', 'no', 'yes'], ['yes', 'no', 'yes']), ['yes', 'no', 'yes'])
    assert.deepEqual(messagesOf(['yes'], ['no', 'yes']).toSorted(), ['no', 'yes'])
  })
})
