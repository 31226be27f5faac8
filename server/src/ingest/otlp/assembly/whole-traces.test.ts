/** A trace that arrived whole in one segment has the same rows that the assembler would make of its stored spans. */
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { encodeScores, readRows, selectRows } from '@plumbline/storage/traces/rows'
import { captures } from '../../../../../fixtures/captures/captures.ts'
import { type ExportFile, readExports } from '../../../../../fixtures/captures/exports.ts'
import { idOf, type JsonSpan, jsonExport, jsonSpan } from '../../../../testing/otlp-export.ts'
import { createTemplateCache } from '../../../workspace/template-cache.ts'
import type { RowContext } from '../../monitor/worker/make-log-row.ts'
import { makeSegmentWriters } from '../../monitor/worker/segment-writers.ts'
import { readLogRecords, readSpans } from '../receive/read-export.ts'
import { assemble } from './assemble.ts'
import { SegmentSpans, toSpanRows } from './segment-spans.ts'
import { blocksOf } from './store-whole-traces.ts'
import { additionRows } from './stored-span.ts'
import type { WholeTraceRows } from './whole-traces.ts'

const acceptance = { workspaceId: 'w', apiKeyId: 'key', receivedAtMs: 1_760_000_100_000, recordId: 'record' }
const resolved = { resolved: [], resolvedOf: [] }
const rowContext: RowContext = { overrides: [], templates: createTemplateCache() }

const encodingOf = ({ contentType }: ExportFile) => (contentType.includes('json') ? 'json' : 'protobuf')

/** The worker's result for the exports of one segment. */
function wholeTracesOf(exports: readonly ExportFile[]): WholeTraceRows {
  const spans = new SegmentSpans({ makesWholeTraces: true, liveRates: {}, writers: makeSegmentWriters() })
  for (const each of exports) {
    const signal = each.path.endsWith('/logs') ? 'logs' : 'traces'
    const accepted = {
      type: 'spans',
      ...acceptance,
      ...resolved,
      signal,
      encoding: encodingOf(each),
    } as const
    spans.append(accepted, each.body)
    spans.whole!.makeRows(() => rowContext)
  }
  return spans.whole!.take()
}

/** The spans of these exports, as the trace store returns them. */
function storedLines(exports: readonly ExportFile[]): string {
  const rows = exports.flatMap((each) =>
    each.path.endsWith('/logs')
      ? additionRows(readLogRecords(each.body, encodingOf(each)).parts, acceptance)
      : toSpanRows(readSpans(each.body, encodingOf(each)).parts, resolved, acceptance),
  )
  return rows
    .toSorted((a, b) => (`${a.otelTraceId} ${a.spanId}` < `${b.otelTraceId} ${b.spanId}` ? -1 : 1))
    .map((row) =>
      [
        row.workspaceId,
        row.otelTraceId,
        row.spanId,
        row.addition,
        row.receivedAtMs,
        row.apiKeyId,
        row.resolved,
        row.span,
      ].join('\t'),
    )
    .join('\n')
}

/** The rows of a block, without the revision. */
const rowsOf = (block: Uint8Array): unknown[] =>
  readRows(bufferOf(block)).map((row) => ({ ...row, revision: '' }))

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

const jsonOf = (spans: readonly JsonSpan[]): ExportFile => ({
  path: '/v1/traces',
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(jsonExport(spans))),
})

const [root, child, grandchild] = [1, 2, 3].map((number) =>
  jsonSpan({
    traceId: idOf(1, 16),
    spanId: idOf(number, 8),
    ...(number === 1 ? {} : { parentSpanId: idOf(number - 1, 8) }),
  }),
) as [JsonSpan, JsonSpan, JsonSpan]

describe('the rows of a whole trace equal those that the assembler makes of its stored spans', () => {
  for (const { name } of captures)
    it(name, async () => {
      const exports = readExports(name)
      const whole = wholeTracesOf(exports)
      const assembled = await assemble(
        {
          lines: storedLines(exports),
          revision: 7,
          liveRates: {},
          assemblies: whole.entries.map(({ workspaceId, otelTraceId, firstAtMs }) => ({
            ...{ workspaceId, otelTraceId, firstAtMs },
            digest: '',
          })),
        },
        () => rowContext,
      )
      assert.deepEqual(
        whole.entries.map(({ digest, traces, sampledTraces, notUnderstood }) => ({
          ...{ digest, traces, sampled: sampledTraces, notUnderstood },
        })),
        assembled.results.map(({ digest, traces, sampledTraces, notUnderstood }) => ({
          ...{ digest, traces, sampled: sampledTraces, notUnderstood },
        })),
      )
      const blockOf = (table: 'traces' | 'logs' | 'scores'): Uint8Array =>
        selectRows(
          bufferOf(whole[table]),
          whole.entries.map(({ rows }) => rows[table]),
        )
      assert.deepEqual(rowsOf(blockOf('traces')), rowsOf(assembled.traces))
      assert.deepEqual(rowsOf(blockOf('logs')), rowsOf(assembled.logs))
      assert.deepEqual(rowsOf(blockOf('scores')), rowsOf(encodeScores(assembled.scores)))
    })

  it('most captures arrive whole', () => {
    const whole = captures.filter(({ name }) => wholeTracesOf(readExports(name)).entries.length > 0)
    assert.ok(whole.length > captures.length / 2, `${whole.length} of ${captures.length}`)
  })
})

test('a trace in two exports of one segment is whole after the second', () => {
  const [entry] = wholeTracesOf([jsonOf([grandchild, child]), jsonOf([root])]).entries
  assert.deepEqual([entry?.otelTraceId, entry?.spans], [idOf(1, 16), 3])
})

for (const [what, exports] of [
  ['without its root', [jsonOf([child, grandchild])]],
  ['whose root is running', [jsonOf([{ ...root, endTimeUnixNano: '0' }, child])]],
  ['of which a parent is missing', [jsonOf([root, grandchild])]],
  ['of which more comes after it was whole', [jsonOf([root, child]), jsonOf([grandchild])]],
] as const)
  test(`a trace ${what} is left to the assembler`, () => {
    assert.deepEqual(wholeTracesOf(exports).entries, [])
  })

test('rows of a trace that got more spans after it was whole are not among those of the others', () => {
  const other = jsonSpan({ traceId: idOf(2, 16), spanId: idOf(1, 8) })
  const lone = wholeTracesOf([jsonOf([other])])
  const whole = wholeTracesOf([jsonOf([root, child]), jsonOf([other]), jsonOf([root, child])])
  assert.deepEqual(
    whole.entries.map(({ otelTraceId }) => otelTraceId),
    [idOf(2, 16)],
  )
  assert.deepEqual(blocksOf(whole.entries, whole), blocksOf(lone.entries, lone))
})
