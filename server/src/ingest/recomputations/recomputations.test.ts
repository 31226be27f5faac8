/** Costs of recorded traces by another price list: compared, then applied. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import { makeFeature, recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp
const { recomputations, prices, traces, metrics } = operations

/** Older than the list of the release, so that it never applies by default. */
const listVersion = '2019-01-01'
const gpt4o = { id: 'gpt-4o', match: { equals: 'gpt-4o' }, prices: { input_mtok: 5, output_mtok: 20 } }
const ours = { id: 'our-own', match: { equals: 'our-own' }, prices: { input_mtok: 1, output_mtok: 1 } }
const installer = await newWorkspace()
const list = {
  name: 'test-prices',
  version: listVersion,
  sources: [],
  providers: [{ id: 'openai', models: [gpt4o, ours] }],
}
await installer.ok(prices.update, { list }, await installer.signInOperator())

const startTime = '2026-03-01T10:20:00Z'
const range = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', listVersion }
const generation = (id: string, model: string, more: object = {}) => ({
  id,
  type: 'generation',
  inputTokens: 1000,
  outputTokens: 100,
  metadata: { model, provider: 'openai' },
  ...more,
})

async function recordUsage(workspace: TestWorkspace) {
  await makeFeature(workspace)
  return recordTrace(workspace, {
    featureSlug: 'chat',
    startTime,
    logs: [
      generation('listed', 'gpt-4o'),
      generation('unlisted', 'our-own'),
      generation('reported', 'gpt-4o', { cost: 7 }),
      generation('unknown', 'nobodys-model'),
    ],
  })
}

async function compareCosts(workspace: TestWorkspace, input: object = range) {
  const { recomputation } = await workspace.ok(recomputations.create, input)
  await app.jobsDrained()
  return (await workspace.ok(recomputations.get, { id: recomputation.id })).recomputation
}

describe('recomputations', () => {
  it('compare the costs by a list with the stored ones, by feature and model, and change nothing', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordUsage(workspace)
    const { status, traces: count, differences } = await compareCosts(workspace)
    assert.deepEqual([status, count], ['compared', 1])
    assert.deepEqual(differences, [
      {
        featureSlug: 'chat',
        provider: 'openai',
        model: 'gpt-4o',
        generations: 1,
        before: 0.0035,
        after: 0.007,
        unpricedBefore: 0,
      },
      {
        featureSlug: 'chat',
        provider: 'openai',
        model: 'our-own',
        generations: 1,
        before: 0,
        after: 0.0011,
        unpricedBefore: 1,
      },
    ])
    const { trace } = await workspace.ok(traces.get, { id })
    assert.equal(trace.totals.cost, 7.0035)
  })

  it('leave costs that the client reported, whether they are those of the list or earlier ones', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await recordTrace(workspace, {
      featureSlug: 'chat',
      startTime,
      // With the list of the release, and with the other list.
      logs: [
        generation('release', 'gpt-4o', { cost: 0.0035 }),
        generation('other', 'gpt-4o', { cost: 0.007 }),
        generation('ours', 'gpt-4o'),
      ],
    })
    await app.flush()
    const recompute = async () => {
      await workspace.ok(recomputations.apply, { id: (await compareCosts(workspace)).id })
      await app.jobsDrained()
      const { trace } = await workspace.ok(traces.get, { id })
      const costs = trace.logs.map(({ cost, costEstimate }) => [cost, costEstimate])
      return [costs, Number(trace.totals.cost?.toFixed(9))]
    }
    assert.deepEqual(await recompute(), [
      [
        [0.0035, 0.007],
        [0.007, 0.007],
        [0.007, 0.007],
      ],
      0.0175,
    ])
    await workspace.ok(prices.create, {
      model: 'gpt-4o',
      inputPerMillion: 100,
      outputPerMillion: 100,
    })
    assert.deepEqual(await recompute(), [
      [
        [0.0035, 0.11],
        [0.007, 0.11],
        [0.11, 0.11],
      ],
      0.1205,
    ])
  })

  it('leave a cost that an agent reports instead of the estimates of its calls, in every sum', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await recordTrace(workspace, {
      featureSlug: 'chat',
      startTime,
      logs: [
        { id: 'agent', type: 'generation', cost: 0.5 },
        generation('call', 'gpt-4o', { parentId: 'agent' }),
        generation('unlisted', 'our-own', { parentId: 'agent' }),
        generation('other', 'gpt-4o'),
      ],
    })
    await app.flush()
    const assertSums = async (cost: number) => {
      const { trace } = await workspace.ok(traces.get, { id })
      const { totals, logs } = trace
      assert.deepEqual([totals.inputTokens, totals.unpriced], [3000, 0])
      const costs = [totals.cost, logs.reduce((sum, log) => sum + (log.costInTotals ?? 0), 0)]
      const outlined = await workspace.ok(operations.logs.list, { id })
      costs.push(outlined.logs.reduce((sum, log) => sum + (log.costInTotals ?? 0), 0))
      for (const more of [{}, { dimensions: 'model' }, { granularity: 'minute' }]) {
        const { rows } = await workspace.ok(metrics.query, { measures: 'cost,unpriced', ...more })
        costs.push(rows.reduce((sum, row) => sum + Number(row.cost), 0))
        assert.ok(rows.every((row) => Number(row.unpriced) === 0))
      }
      for (const each of costs) assert.ok(Math.abs((each ?? 0) - cost) < 1e-9, `${costs} in place of ${cost}`)
    }
    await assertSums(0.5035)
    const { id: recomputationId, differences } = await compareCosts(workspace)
    assert.deepEqual(
      differences?.map(({ model, generations, before, after }) => [model, generations, before, after]),
      [['gpt-4o', 1, 0.0035, 0.007]],
    )
    await workspace.ok(recomputations.apply, { id: recomputationId })
    await app.jobsDrained()
    await assertSums(0.507)
  })

  it('are applied as a job: logs, totals and metrics get the new costs, and the old ones are kept', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordUsage(workspace)
    await app.flush()
    const { id: recomputationId } = await compareCosts(workspace)
    const { recomputation } = await workspace.ok(recomputations.apply, { id: recomputationId })
    assert.equal(recomputation.status, 'applying')
    await app.jobsDrained()
    const applied = await workspace.ok(recomputations.get, { id: recomputationId })
    assert.equal(applied.recomputation.status, 'applied')

    const { trace } = await workspace.ok(traces.get, { id })
    const costs = new Map(trace.logs.map(({ id: logId, cost }) => [logId, cost]))
    assert.deepEqual(
      [...costs],
      [
        ['listed', 0.007],
        ['unlisted', 0.0011],
        ['reported', 7],
        ['unknown', null],
      ],
    )
    assert.ok(Math.abs((trace.totals.cost ?? 0) - 7.0081) < 1e-9)
    const detail = trace.logs[0]?.costDetail as { list: object; previous: { total: number; list: object } }
    assert.deepEqual(detail.list, { name: 'test-prices', version: listVersion })
    assert.equal(detail.previous.total, 0.0035)
    assert.equal(trace.logs[2]?.costEstimate, 0.007)

    const measure = async (more: object) =>
      (await workspace.ok(metrics.query, { measures: 'cost', ...more })).rows
    // Read from the hourly sums of traces and of logs, and from the rows themselves.
    const [byTrace] = await measure({})
    const byModel = await measure({ dimensions: 'model' })
    const [byMinute] = await measure({ granularity: 'minute' })
    const assertNear = (value: unknown, expectation: number) =>
      assert.ok(Math.abs(Number(value) - expectation) < 1e-9, `${value} in place of ${expectation}`)
    assertNear(byTrace?.cost, 7.0081)
    assertNear(byMinute?.cost, 7.0081)
    assertNear(byModel.find(({ model }) => model === 'gpt-4o')?.cost, 7.007)
    assertNear(byModel.find(({ model }) => model === 'our-own')?.cost, 0.0011)

    // A second application finds nothing to change.
    assert.deepEqual((await compareCosts(workspace)).differences, [])
  })

  it('cover OpenTelemetry traces with many logs', async () => {
    const workspace = await newWorkspace()
    const calls = Array.from({ length: 120 }, (_, index) =>
      jsonSpan({
        traceId: idOf(77, 16),
        spanId: idOf(index + 1, 8),
        ...(index === 0 ? {} : { parentSpanId: idOf(1, 8) }),
        startTimeUnixNano: String(BigInt(Date.parse(startTime)) * 1_000_000n),
        attributes: [
          { key: 'gen_ai.operation.name', value: { stringValue: index === 0 ? 'invoke_agent' : 'chat' } },
          { key: 'gen_ai.response.model', value: { stringValue: 'gpt-4o' } },
          { key: 'gen_ai.usage.input_tokens', value: { intValue: '1000' } },
          { key: 'gen_ai.usage.output_tokens', value: { intValue: '100' } },
        ],
      }),
    )
    await postJson(testApp, workspace, jsonExport(calls))
    await app.flush()
    const before = (await workspace.ok(metrics.query, { measures: 'cost' })).rows[0]?.cost
    const { id, differences } = await compareCosts(workspace)
    assert.equal(differences[0]?.generations, 119)
    await workspace.ok(recomputations.apply, { id })
    await app.jobsDrained()
    const after = (await workspace.ok(metrics.query, { measures: 'cost' })).rows[0]?.cost
    assert.ok(Math.abs(Number(after) - 2 * Number(before)) < 1e-9, `${before} became ${after}`)
    const listed = await workspace.ok(traces.list, {})
    assert.ok(Math.abs((listed.traces[0]?.totals.cost ?? 0) - 119 * 0.007) < 1e-9)
  })

  it('are listed, the latest first', async () => {
    const workspace = await newWorkspace()
    const first = await compareCosts(workspace)
    const second = await compareCosts(workspace)
    const { recomputations: listed } = await workspace.ok(recomputations.list, {})
    assert.deepEqual(
      listed.map(({ id }) => id),
      [second.id, first.id],
    )
  })

  describe('400, 404, 409', () => {
    it('reject an empty range, an invalid time, and an unknown list', async () => {
      const workspace = await newWorkspace()
      const refusalOf = async (input: object) =>
        workspace.refused(recomputations.create, { ...range, ...input }, 400)
      assert.match(await refusalOf({ from: range.to }), /^from: must be before to/)
      assert.match(await refusalOf({ from: '2026-02-30' }), /^from: /)
      // Found by the run of 100,000 random requests: once stored, they broke every list of recomputations.
      for (const to of [1e20, 9007199254740992, '2255-01-01T00:00:00Z'])
        assert.match(await refusalOf({ to }), /^to: must be a time from 1970 to 2254/)
      assert.match(await refusalOf({ listVersion: '1999-01-01' }), /^listVersion: must be one of /)
    })

    it('reject unknown recomputations, and apply only compared ones', async () => {
      const workspace = await newWorkspace()
      const id = '01890000-0000-7000-8000-000000000000'
      await workspace.refused(recomputations.get, { id }, 404)
      await workspace.refused(recomputations.apply, { id }, 404)
      const { id: applied } = await compareCosts(workspace)
      await workspace.ok(recomputations.apply, { id: applied })
      await app.jobsDrained()
      const message = await workspace.refused(recomputations.apply, { id: applied }, 409)
      assert.match(message, /is applied; only one that is compared can be applied/)
      await (await newWorkspace()).refused(recomputations.get, { id: applied }, 404)
    })
  })
})
