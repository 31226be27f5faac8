import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { explain, query } = operations.metrics
const { app, newWorkspace } = await startTestApp()

const window = { from: '2025-03-02T00:00:00Z', to: '2025-03-03T00:00:00Z' }
const before = '2025-03-01T06:00:00Z'
const after = '2025-03-02T06:00:00Z'

const record = async (
  workspace: TestWorkspace,
  count: number,
  fields: { startTime: string; cost?: number; isFailed?: boolean; release?: string; organization?: object },
) => {
  const { cost = 0.01, isFailed = false, ...trace } = fields
  const logs = [
    { id: 'a', type: 'generation', cost, model: 'm', ...(isFailed && { metadata: { error: 'Timed out' } }) },
  ]
  await Promise.all(Array.from({ length: count }, () => recordTrace(workspace, { logs, ...trace })))
}

describe('metrics.explain', () => {
  describe('200', () => {
    it('names the release that introduced failures, with counts and an interval', async () => {
      const workspace = await newWorkspace()
      await record(workspace, 40, { startTime: before, release: '1.0' })
      await record(workspace, 20, { startTime: after, release: '1.0' })
      await record(workspace, 20, { startTime: after, release: '2.0', isFailed: true })
      await app.flush()
      const answer = await workspace.ok(explain, { measure: 'errorRate', ...window })
      assert.equal(answer.before, 0)
      assert.equal(answer.after, 0.5)
      assert.deepEqual([answer.tracesBefore, answer.tracesAfter], [40, 40])
      assert.deepEqual(answer.baseline, { from: '2025-03-01T00:00:00.000Z', to: '2025-03-02T00:00:00.000Z' })
      const [reason] = answer.reasons
      assert.deepEqual([reason?.dimension, reason?.value], ['release', '2.0'])
      assert.deepEqual([reason?.tracesBefore, reason?.tracesAfter, reason?.after], [0, 20, 1])
      assert.ok(Math.abs(reason!.shareOfChange - 1) < 1e-9)
      const [low = 0, high = 0] = reason!.interval
      assert.ok(low > 0.3 && low < 0.5 && high > 0.5 && high < 0.7, `${low} to ${high}`)
      // Every trace has the same model, so the model explains nothing.
      assert.ok(answer.reasons.every(({ dimension }) => dimension !== 'model'))
    })

    it('names the customer whose traffic caused the cost, and adds up to the metrics', async () => {
      const workspace = await newWorkspace()
      const [usual, busy] = [
        { id: 'other', name: 'Other' },
        { id: 'acme', name: 'ACME Ltd' },
      ]
      for (const startTime of [before, after]) await record(workspace, 30, { startTime, organization: usual })
      await record(workspace, 30, { startTime: after, cost: 1, organization: busy })
      await app.flush()
      const answer = await workspace.ok(explain, { measure: 'cost', ...window })
      const { rows } = await workspace.ok(query, { measures: 'cost', ...window })
      assert.ok(Math.abs(answer.after! - Number(rows[0]!.cost)) < 1e-9)
      const customer = answer.reasons.find(({ dimension }) => dimension === 'organization')
      assert.deepEqual([customer?.value, customer?.label, customer?.tracesAfter], ['acme', 'ACME Ltd', 30])
      assert.ok(Math.abs(customer!.contribution - 30) < 1e-9)
    })

    it('finds nothing if everything grew alike, and compares with the requested baseline', async () => {
      const workspace = await newWorkspace()
      for (const release of ['1.0', '2.0']) {
        await record(workspace, 10, { startTime: before, release })
        await record(workspace, 20, { startTime: after, release })
      }
      await app.flush()
      const alike = await workspace.ok(explain, { measure: 'traces', ...window })
      assert.deepEqual([alike.before, alike.after, alike.change, alike.reasons], [20, 40, 20, []])
      const half = { baselineFrom: '2025-03-01T00:00:00Z', baselineTo: '2025-03-01T12:00:00Z' }
      const scaled = await workspace.ok(explain, { measure: 'traces', ...window, ...half })
      assert.deepEqual([scaled.before, scaled.tracesBefore], [40, 20])
      const filters = '{"release":"1.0"}'
      assert.equal((await workspace.ok(explain, { measure: 'traces', ...window, filters })).after, 20)
    })

    it('counts traces without an end, and measures the others', async () => {
      const workspace = await newWorkspace()
      const recordOne = (startTime: string, fields: object) =>
        recordTrace(workspace, { startTime, logs: [{ id: 'a', type: 'span' }], ...fields })
      for (let index = 0; index < 10; index++) {
        await recordOne(before, { endTime: '2025-03-01T06:00:01Z', release: '1.0' })
        await recordOne(before, { release: '1.0' })
        await recordOne(after, { endTime: '2025-03-02T06:00:03Z', release: '2.0' })
        await recordOne(after, { release: '2.0' })
        await recordOne(after, { release: '2.0' })
      }
      await app.flush()
      const answer = await workspace.ok(explain, { measure: 'avgDurationMs', ...window })
      assert.deepEqual(
        [answer.before, answer.after, answer.tracesBefore, answer.tracesAfter],
        [1000, 3000, 20, 30],
      )
      const [reason] = answer.reasons
      assert.deepEqual([reason?.value, reason?.tracesBefore, reason?.tracesAfter], ['2.0', 0, 30])
      assert.equal(reason?.shareOfTraces, 0.6)
      const { rows } = await workspace.ok(query, { measures: 'traces,avgDurationMs', ...window })
      assert.deepEqual(rows, [{ traces: 30, avgDurationMs: 3000 }])
      // No trace of the baseline has ended.
      const [filters, measure] = ['{"release":"2.0"}', 'avgDurationMs']
      const { before: none, tracesAfter } = await workspace.ok(explain, { measure, ...window, filters })
      assert.deepEqual([none, tracesAfter], [null, 30])
    })

    it('returns nothing if nothing was recorded', async () => {
      const workspace = await newWorkspace()
      const { before, after, change } = await workspace.ok(explain, { measure: 'errorRate', ...window })
      assert.deepEqual([before, after, change], [null, null, null])
      assert.equal((await workspace.ok(explain, { measure: 'cost', ...window })).change, 0)
    })
  })

  describe('400', () => {
    it('names the wrong parameter', async () => {
      const workspace = await newWorkspace()
      const wrong: [parameter: string, fields: object][] = [
        ['measure', { measure: 'p95DurationMs' }],
        ['from', { from: 'soon' }],
        ['to', { to: window.from }],
        ['baselineTo', { baselineTo: window.to }],
        ['baselineFrom', { baselineFrom: window.to }],
        ['filters', { filters: 'not json' }],
        ['filters.featureslug', { filters: '{"featureslug":"x"}' }],
      ]
      for (const [parameter, fields] of wrong) {
        const error = await workspace.refused(explain, { measure: 'cost', ...window, ...fields }, 400)
        assert.ok(error.startsWith(`${parameter}: `), `${JSON.stringify(fields)}: ${error}`)
      }
    })
  })
})
