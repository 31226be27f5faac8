import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeFeature, recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { query } = operations.metrics
const { app, newWorkspace } = await startTestApp()

describe('metrics.query', () => {
  describe('200', () => {
    it('measures the traces and logs of the workspace, counting each usage once', async () => {
      const [workspace, other] = [await newWorkspace(), await newWorkspace()]
      const usage = { type: 'generation', inputTokens: 10, outputTokens: 5, cost: 0.25 }
      const logs = [
        { id: 'a', ...usage },
        { id: 'b', parentId: 'a', ...usage },
        { id: 'c', type: 'tool', metadata: { error: 'x' } },
      ]
      const startTime = '2025-01-01T10:00:00Z'
      await recordTrace(workspace, {
        logs,
        startTime,
        endTime: '2025-01-01T10:00:02Z',
        user: { id: 'u', name: 'U' },
      })
      await recordTrace(workspace, { startTime: '2025-01-02T10:00:00Z' })
      await recordTrace(other, { logs, startTime })
      await app.flush()
      const measures = 'traces,logs,generations,inputTokens,outputTokens,totalTokens,cost,users'
      const { rows } = await workspace.ok(query, { measures })
      assert.deepEqual(rows, [
        {
          traces: 2,
          logs: 3,
          generations: 2,
          inputTokens: 10,
          outputTokens: 5,
          totalTokens: 15,
          cost: 0.25,
          users: 1,
        },
      ])
      const range = { from: '2025-01-01T00:00:00Z', to: '2025-01-03T00:00:00Z' }
      const byDay = await workspace.ok(query, { measures: 'traces', granularity: 'day', ...range })
      assert.deepEqual(
        byDay.rows.map(({ traces }) => traces),
        [1, 1],
      )
      assert.ok(byDay.rows.every(({ time }) => typeof time === 'string' && !Number.isNaN(Date.parse(time))))
    })

    it('reports how many generations a sum of costs lacks, and how many have estimated tokens (numbers, finding 6)', async () => {
      const workspace = await newWorkspace()
      const usage = { type: 'generation', inputTokens: 1000, outputTokens: 100 }
      await recordTrace(workspace, {
        logs: [
          { id: 'a', ...usage, metadata: { model: 'gpt-4o' } },
          { id: 'b', ...usage, metadata: { model: 'our-own-model' } },
          { id: 'c', type: 'generation', input: 'Hi', output: 'Hello', metadata: { model: 'gpt-4o' } },
        ],
      })
      // A failed call without known tokens used none.
      const failure = { model: 'gpt-4o', error: 'Too many requests.' }
      const { trace } = await recordTrace(workspace, {
        logs: [{ id: 'd', type: 'generation', metadata: failure }],
      })
      const { cost, unpriced: unpricedInTrace, estimated: estimatedInTrace } = trace.totals
      assert.deepEqual([cost, unpricedInTrace, estimatedInTrace], [null, 0, 0])
      await app.flush()
      const measures = 'generations,unpriced,estimated'
      const { rows } = await workspace.ok(query, { measures })
      assert.deepEqual(rows, [{ generations: 4, unpriced: 1, estimated: 1 }])
      const byModel = await workspace.ok(query, { measures, dimensions: 'model,environment' })
      assert.deepEqual(
        byModel.rows.map(({ model, unpriced }) => [model, unpriced]),
        [
          ['gpt-4o', 0],
          ['our-own-model', 1],
        ],
      )
    })

    it('groups by dimensions, and accepts the filters of the list', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      await recordTrace(workspace, { featureSlug: 'chat', metadata: { plan: 'pro' } })
      await recordTrace(workspace, { featureSlug: 'chat', metadata: { plan: 'free' } })
      await recordTrace(workspace)
      await app.flush()
      const { rows } = await workspace.ok(query, { measures: 'traces', dimensions: 'feature' })
      const counts = new Map(rows.map(({ feature, traces }) => [feature, traces]))
      assert.equal(counts.get('chat'), 2)
      const filtered = { measures: 'traces', filters: '{"featureSlug":"chat","metadata.plan":"pro"}' }
      assert.deepEqual((await workspace.ok(query, filtered)).rows, [{ traces: 1 }])
      const plans = await workspace.ok(query, { measures: 'traces', dimensions: 'metadata.plan' })
      assert.ok(plans.rows.some((row) => row['metadata.plan'] === 'pro' && row.traces === 1))
    })
  })

  it('200: measures the logs of any of several models, and whole traces if a model is excluded', async () => {
    const workspace = await newWorkspace()
    const call = (id: string, model: string, fields: object) => ({
      id,
      type: 'generation',
      metadata: { model, ...fields },
    })
    for (let index = 0; index < 10; index++)
      await recordTrace(workspace, {
        logs: [
          { ...call('a', 'gpt-4o', {}), cost: 0.01 },
          { ...call('b', 'claude', { error: 'No.' }), cost: 1 },
        ],
      })
    await recordTrace(workspace, { logs: [{ ...call('a', 'gemini', {}), cost: 5 }] })
    await app.flush()
    const measure = async (filters: object) => {
      const { rows } = await workspace.ok(query, {
        measures: 'traces,cost,errorRate',
        filters: JSON.stringify(filters),
      })
      const { traces, cost, errorRate } = rows[0]!
      return [traces, Number(Number(cost).toFixed(6)), errorRate]
    }
    const where = (...conditions: object[]) => measure({ where: JSON.stringify(conditions) })
    const ofCalls = [10, 0.1, 0]
    assert.deepEqual(await measure({ model: 'gpt-4o' }), ofCalls)
    assert.deepEqual(await where({ field: 'model', is: ['gpt-4o'] }), ofCalls)
    assert.deepEqual(await where({ field: 'model', is: ['gpt-4o', 'gpt-4o-mini'] }), ofCalls)
    const both = [
      { field: 'model', is: ['gpt-4o', 'claude'] },
      { field: 'type', is: ['generation'] },
    ]
    assert.deepEqual(await where(...both), [10, 10.1, 0.5])
    // Whole traces without a call of the model; with another condition, the logs in them that match it.
    assert.deepEqual(await where({ field: 'model', not: ['gemini'] }), [10, 10.1, 1])
    assert.deepEqual(await where({ field: 'model', is: ['gpt-4o', 'gemini'], not: ['claude'] }), [1, 5, 0])
    // No call has two models, but a trace can: the first condition decides which calls are measured.
    const two = [
      { field: 'model', is: ['gpt-4o'] },
      { field: 'model', is: ['claude'] },
    ]
    assert.deepEqual(await where(...two), ofCalls)
    assert.deepEqual(await measure({ model: 'gpt-4o', where: JSON.stringify([two[1]]) }), ofCalls)
  })

  it('200: returns the days of a time zone, including those of 23 and 25 hours', async () => {
    const workspace = await newWorkspace()
    for (const startTime of [
      '2025-03-29T22:59:59.999Z',
      '2025-03-29T23:00:00Z',
      '2025-03-30T21:59:59Z',
      '2025-03-30T22:00:00Z',
    ])
      await recordTrace(workspace, { startTime })
    await app.flush()
    const daysIn = async (timeZone: object) => {
      const { rows } = await workspace.ok(query, { measures: 'traces', granularity: 'day', ...timeZone })
      return rows.map(({ time, traces }) => [time, traces])
    }
    assert.deepEqual(await daysIn({ timeZone: 'Europe/Berlin' }), [
      ['2025-03-28T23:00:00.000000Z', 1],
      ['2025-03-29T23:00:00.000000Z', 2],
      ['2025-03-30T22:00:00.000000Z', 1],
    ])
    const inUtc = [
      ['2025-03-29T00:00:00.000000Z', 2],
      ['2025-03-30T00:00:00.000000Z', 2],
    ]
    assert.deepEqual(await daysIn({}), inUtc)
    assert.deepEqual(await daysIn({ timeZone: 'UTC' }), inUtc)
    const lateNights = { granularity: 'day', timeZone: 'Asia/Kolkata', from: '2025-03-29T22:00:00Z' }
    const { rows } = await workspace.ok(query, { measures: 'traces', ...lateNights })
    assert.deepEqual(
      rows.map(({ time, traces }) => [time, traces]),
      [
        ['2025-03-29T18:30:00.000000Z', 2],
        ['2025-03-30T18:30:00.000000Z', 2],
      ],
    )
  })

  it('400: for an unknown time zone', async () => {
    const workspace = await newWorkspace()
    for (const timeZone of ['Berlin', 'Europe/Berlim', '', "UTC') --"])
      assert.match(
        await workspace.refused(query, { measures: 'traces', granularity: 'day', timeZone }, 400),
        /^timeZone: ".*" is not a time zone: use an IANA name/,
      )
  })

  it('200: returns the groups with the highest first measure, up to a limit', async () => {
    const workspace = await newWorkspace()
    for (const release of ['a', 'b', 'b', 'c', 'c', 'c']) await recordTrace(workspace, { release })
    await app.flush()
    const top = await workspace.ok(query, { measures: 'traces,cost', dimensions: 'release', limit: 2 })
    assert.deepEqual(
      top.rows.map(({ release, traces }) => [release, traces]),
      [
        ['c', 3],
        ['b', 2],
      ],
    )
  })

  describe('400', () => {
    it('names the invalid parameter', async () => {
      const workspace = await newWorkspace()
      const refusals: [parameter: string, query: object][] = [
        ['measures', {}],
        ['measures', { measures: '' }],
        ['measures', { measures: 'traces,wisdom' }],
        ['dimensions', { measures: 'traces', dimensions: 'weather' }],
        ['granularity', { measures: 'traces', granularity: 'fortnight' }],
        ['limit', { measures: 'traces', limit: 0 }],
        ['limit', { measures: 'traces', limit: 5, granularity: 'day' }],
        ['filters', { measures: 'traces', filters: 'not json' }],
        ['filters', { measures: 'traces', filters: '[]' }],
        ['filters.featureslug', { measures: 'traces', filters: '{"featureslug":"x"}' }],
        ['filters.hasError', { measures: 'traces', filters: '{"hasError":"x"}' }],
        ['from', { measures: 'traces', from: 'x' }],
        ['to', { measures: 'traces', to: '2024-02-30T00:00:00Z' }],
      ]
      for (const [parameter, value] of refusals) {
        const error = await workspace.refused(query, value, 400)
        assert.ok(error.startsWith(`${parameter}: `), `${JSON.stringify(value)}: ${error}`)
      }
    })
  })
})
