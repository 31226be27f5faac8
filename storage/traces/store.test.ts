import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeLogRow, encodeScoreRow, encodeTraceRow } from './rows.ts'
import type { TraceStore } from './store.ts'
import { openTestTraceStore, testLog, testScore, testTrace } from './testing.ts'

let store: TraceStore
before(async () => {
  store = await openTestTraceStore()
})
after(() => store.close())

test('what was inserted is found', async () => {
  const trace = testTrace({
    workspaceId: 'w',
    input: '{"a":1}',
    metadata: '{"a.b":"c","n":1}',
    prompts: [{ slug: 's', version: null }],
  })
  const logs = [
    testLog(trace, { logId: 'b', position: 1, startUs: -5n }),
    testLog(trace, { logId: 'a', input: '"Hello\\nwörld “foo” 今天天气"' }),
  ]
  const score = testScore(trace, { value: 0.5 })
  const result = await store.insert({
    token: 't1',
    traces: Buffer.from(encodeTraceRow(trace)),
    logs: Buffer.from(logs.map(encodeLogRow).join('')),
    scores: Buffer.from(encodeScoreRow(score)),
  })
  assert.deepEqual(result, { refused: [] })
  const found = await store.scopedTo('w').find(trace.traceId)
  assert.deepEqual(found, { trace, logs: [logs[1], logs[0]], scores: [score] })
})
