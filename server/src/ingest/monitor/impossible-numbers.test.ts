/** Numbers that no call can have are stored as sent, with a warning, and left out of sums (numbers, finding 11). */
// One control plane is enough: everything here is in the trace store.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { app, newWorkspace } = await startTestApp()

describe('POST /monitor/trace: impossible numbers', () => {
  it('give warnings, are kept on the log, and are left out of totals and metrics', async () => {
    const workspace = await newWorkspace()
    const startTime = '2026-03-01T10:00:00Z'
    const { trace, warning } = await recordTrace(workspace, {
      startTime,
      endTime: '2026-03-01T09:00:00Z',
      logs: [
        { id: 'negative', type: 'generation', inputTokens: -5, outputTokens: 10, cost: -1 },
        {
          id: 'huge',
          type: 'generation',
          inputTokens: 1e18,
          outputTokens: 10,
          metadata: { model: 'gpt-4o' },
        },
        { id: 'dear', type: 'generation', inputTokens: 7, outputTokens: 7, cost: 1e308 },
        { id: 'dear too', type: 'generation', inputTokens: 7, outputTokens: 7, cost: 1e308 },
        { id: 'right', type: 'generation', inputTokens: 30, outputTokens: 4, cost: 0.5 },
      ],
    })
    assert.match(warning ?? '', /logs\[0\]\.inputTokens cannot be -5/)
    assert.match(warning ?? '', /logs\[0\]\.cost cannot be -1/)
    assert.match(warning ?? '', /logs\[1\]\.inputTokens cannot be 1000000000000000000/)
    assert.match(warning ?? '', /logs\[2\]\.cost cannot be 1e\+308/)
    assert.deepEqual(
      trace.logs.map(({ inputTokens }) => inputTokens),
      [-5, 1e18, 7, 7, 30],
    )
    const { inputTokens, outputTokens, cost, durationMs } = trace.totals
    assert.deepEqual([inputTokens, outputTokens, cost, durationMs], [30, 4, 0.5, null])
    await app.flush()
    const { rows } = await workspace.ok(operations.metrics.query, {
      measures: 'inputTokens,outputTokens,cost,avgDurationMs',
    })
    assert.deepEqual(rows, [{ inputTokens: 30, outputTokens: 4, cost: 0.5, avgDurationMs: null }])
  })

  it('leave durations that end in the year 9999 out of means', async () => {
    const workspace = await newWorkspace()
    const startTime = '2026-03-01T10:00:00Z'
    const never = { startTime, endTime: '9999-12-31T23:59:59.999Z' }
    for (let count = 0; count < 38; count += 1)
      await recordTrace(workspace, { ...never, logs: [{ id: 'a', type: 'span', ...never }] })
    const { trace } = await recordTrace(workspace, { startTime, endTime: '2026-03-01T10:00:02Z' })
    assert.equal(trace.totals.durationMs, 2000)
    await app.flush()
    for (const more of [{}, { granularity: 'minute' }, { dimensions: 'type' }]) {
      const { rows } = await workspace.ok(operations.metrics.query, { measures: 'avgDurationMs', ...more })
      assert.deepEqual(
        rows.map(({ avgDurationMs }) => avgDurationMs),
        ['dimensions' in more ? null : 2000],
      )
    }
  })
})
