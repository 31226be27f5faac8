import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordGeneration, recordLog, recordTrace, startTestApp } from '../../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()

// Counted with o200k_base.
const fox = 'The quick brown fox jumps over the lazy dog.'
const foxTokens = 10
const hello = 'hello world'
const helloTokens = 2
const gpt = { model: 'gpt-4o', provider: 'open-ai' }

describe('the tokens of a generation', () => {
  it('are stored exactly as sent, including zeros and fractions', async () => {
    const workspace = await newWorkspace()
    for (const usage of [
      { inputTokens: 1234, outputTokens: 0.5 },
      { inputTokens: 0, outputTokens: 0 },
    ]) {
      const { log } = await recordGeneration(workspace, {
        ...usage,
        input: fox,
        output: hello,
        metadata: gpt,
      })
      assert.deepEqual([log.inputTokens, log.outputTokens], [usage.inputTokens, usage.outputTokens])
      assert.equal(log.tokensEstimated, false)
    }
  })

  it('are counted if they are absent or null, and marked as our count', async () => {
    const workspace = await newWorkspace()
    for (const absent of [{}, { inputTokens: null, outputTokens: null }]) {
      const { log, trace } = await recordGeneration(workspace, { ...absent, input: fox, output: hello })
      assert.deepEqual(
        [log.inputTokens, log.outputTokens, log.tokensEstimated],
        [foxTokens, helloTokens, true],
      )
      assert.equal(trace.totals.tokensEstimated, true)
    }
    const { log } = await recordGeneration(workspace, { input: fox, output: hello, inputTokens: 99 })
    assert.deepEqual([log.inputTokens, log.outputTokens, log.tokensEstimated], [99, helloTokens, true])
    const bare = await recordGeneration(workspace, { inputTokens: 99 })
    assert.deepEqual([bare.log.outputTokens, bare.log.tokensEstimated], [null, false])
    assert.deepEqual([bare.trace.totals.tokensEstimated, bare.trace.totals.estimated], [false, 0])
  })

  it('are null without content and usage, whether input and output are absent or null', async () => {
    const workspace = await newWorkspace()
    for (const absent of [{}, { output: null }, { input: null, output: null }]) {
      const { log, trace } = await recordGeneration(workspace, { ...absent, metadata: gpt })
      const { inputTokens, outputTokens, tokensEstimated, cost } = log
      assert.deepEqual([inputTokens, outputTokens, tokensEstimated, cost], [null, null, false, null])
      const { unpriced, estimated } = trace.totals
      assert.deepEqual([trace.totals.cost, unpriced, estimated], [null, 1, 0])
    }
    const { log, trace } = await recordLog(workspace, { slug: 'nobody', output: null })
    assert.deepEqual([log.inputTokens, log.outputTokens, log.tokensEstimated], [null, null, false])
    assert.equal(trace.totals.estimated, 0)
  })

  it('are split into disjoint buckets by metadata.usage', async () => {
    const usage = {
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 5 },
    }
    const fields = { inputTokens: 100, outputTokens: 20, metadata: { ...gpt, usage } }
    const { log } = await recordGeneration(await newWorkspace(), fields)
    assert.deepEqual(log.usage, {
      freshInput: 70,
      cacheRead: 30,
      cacheWrite: 0,
      textOutput: 15,
      reasoning: 5,
    })
  })
})

describe('the cost of a generation', () => {
  it('is computed from the tokens, in US dollars, if the model is known', async () => {
    const workspace = await newWorkspace()
    const costOf = async (inputTokens: number, outputTokens: number) =>
      (await recordGeneration(workspace, { inputTokens, outputTokens, metadata: gpt })).log.cost ?? 0
    const [input, output, both] = [await costOf(1e6, 0), await costOf(0, 1e6), await costOf(2e6, 1e6)]
    assert.ok(input > 0.1 && output > input && output < 100)
    assert.ok(Math.abs(both - (2 * input + output)) < 1e-9)
  })

  it('is null if the model is unknown', async () => {
    const workspace = await newWorkspace()
    for (const metadata of [null, { model: 'nobody-knows-me' }]) {
      const { log, trace } = await recordGeneration(workspace, {
        inputTokens: 1e6,
        outputTokens: 1,
        metadata,
      })
      assert.deepEqual([log.cost, log.costEstimate, trace.totals.cost], [null, null, null])
    }
  })

  it('is stored as sent, with our estimate and its detail', async () => {
    const fields = { inputTokens: 1e6, outputTokens: 0, cost: 7.123456789, metadata: gpt }
    const { log, trace } = await recordGeneration(await newWorkspace(), fields)
    assert.equal(log.cost, 7.123456789)
    assert.ok((log.costEstimate ?? 0) > 0.1 && log.costEstimate !== log.cost && log.costDetail !== null)
    assert.equal(trace.totals.cost, 7.123456789)
  })

  it('of 0 is read back as 0, and totals use our estimate instead', async () => {
    const fields = { inputTokens: 1e6, outputTokens: 0, cost: 0 }
    const workspace = await newWorkspace()
    const { log, trace } = await recordGeneration(workspace, { ...fields, metadata: gpt })
    assert.equal(log.cost, 0)
    assert.equal(trace.totals.cost, log.costEstimate)
    assert.ok((trace.totals.cost ?? 0) > 0)
    assert.equal((await recordGeneration(workspace, fields)).trace.totals.cost, 0)
  })

  it('uses the workspace’s own price, without changing costs computed before', async () => {
    const workspace = await newWorkspace()
    const fields = { inputTokens: 1e6, outputTokens: 1e6, metadata: gpt }
    const before = await recordGeneration(workspace, fields)
    const price = { model: 'gpt-4*', inputPerMillion: 1000, outputPerMillion: 500 }
    const { priceOverride } = await workspace.ok(operations.prices.create, price)
    assert.equal((await recordGeneration(workspace, fields)).log.cost, 1500)
    assert.notEqual((await recordGeneration(await newWorkspace(), fields)).log.cost, 1500)
    await workspace.ok(operations.prices.delete, { id: priceOverride.id })
    assert.equal((await recordGeneration(workspace, fields)).log.cost, before.log.cost)
  })
})

describe('the totals of a trace', () => {
  it('count a usage once that a framework reports on every level', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cost: 0.25, metadata: gpt }
    const logs = [
      { id: 'root', type: 'generation', ...usage },
      { id: 'middle', type: 'span', parentId: 'root' },
      { id: 'leaf', type: 'generation', parentId: 'middle', ...usage },
      { id: 'other', type: 'generation', ...usage, metadata: { model: 'gpt-4', error: 'Overloaded' } },
      { id: 'tool', type: 'tool', metadata: { error: { code: 7 } } },
      { id: 'fine', type: 'tool', metadata: { error: '' } },
    ]
    const startTime = '2025-01-01T00:00:00Z'
    const { trace } = await recordTrace(await newWorkspace(), {
      logs,
      startTime,
      endTime: '2025-01-01T00:00:01.5Z',
    })
    assert.deepEqual(trace.totals, {
      inputTokens: 20,
      outputTokens: 10,
      cost: 0.5,
      durationMs: 1500,
      errors: 2,
      models: ['gpt-4o', 'gpt-4'],
      tokensEstimated: false,
      unpriced: 0,
      estimated: 0,
    })
    const counts = trace.logs.filter(({ type }) => type === 'generation').map((log) => log.countsInTotals)
    assert.deepEqual(counts, [false, true, true])
  })
})
