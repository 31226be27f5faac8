import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordGeneration, startTestApp } from '../../../testing/test-app.ts'

const { create } = operations.prices
const { newWorkspace } = await startTestApp()
const prices = { inputPerMillion: 10, outputPerMillion: 20 }

describe('prices.create', () => {
  it('201: returns the price with only the fields that were set', async () => {
    const workspace = await newWorkspace()
    const { priceOverride } = await workspace.ok(create, { model: 'mine', provider: null, ...prices })
    const { id, createdAt, ...price } = priceOverride
    assert.ok(id.length > 0 && Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(price, { model: 'mine', ...prices })
    const full = {
      provider: 'acme',
      model: 'mine-*',
      startsAt: '2025-01-01T00:00:00.000Z',
      ...prices,
      cacheReadPerMillion: 1,
      cacheWritePerMillion: 0,
      reasoningPerMillion: 30.5,
    }
    const { id: _id, createdAt: _at, ...read } = (await workspace.ok(create, full)).priceOverride
    assert.deepEqual(read, full)
  })

  it('201: applies to its provider, from its start on, and to the models that its pattern matches', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(create, {
      provider: 'acme',
      model: 'mine-*',
      startsAt: '2025-01-01T00:00:00Z',
      ...prices,
    })
    const costOf = async (metadata: object, startTime: string) =>
      (await recordGeneration(workspace, { metadata, startTime, inputTokens: 1e6, outputTokens: 0 })).log.cost
    assert.equal(await costOf({ provider: 'acme', model: 'mine-1' }, '2025-01-01T00:00:00Z'), 10)
    assert.equal(await costOf({ provider: 'acme', model: 'mine-1' }, '2024-12-31T23:59:59Z'), null)
    assert.equal(await costOf({ provider: 'other', model: 'mine-1' }, '2025-01-02T00:00:00Z'), null)
    assert.equal(await costOf({ provider: 'acme', model: 'yours-1' }, '2025-01-02T00:00:00Z'), null)
  })

  it('201: prices cached and reasoning tokens separately', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(create, { model: 'mine', ...prices, cacheReadPerMillion: 1, reasoningPerMillion: 100 })
    const usage = {
      prompt_tokens_details: { cached_tokens: 500_000 },
      completion_tokens_details: { reasoning_tokens: 250_000 },
    }
    const fields = { inputTokens: 1e6, outputTokens: 1e6, metadata: { model: 'mine', usage } }
    assert.equal((await recordGeneration(workspace, fields)).log.cost, 5 + 0.5 + 15 + 25)
  })

  it('400: names the wrong field', async () => {
    const workspace = await newWorkspace()
    const refusals: [path: string, fields: object][] = [
      ['model', { model: '' }],
      ['inputPerMillion', { inputPerMillion: -1 }],
      ['inputPerMillion', { inputPerMillion: 1e300 }],
      ['outputPerMillion', { outputPerMillion: undefined }],
      ['cacheReadPerMillion', { cacheReadPerMillion: 'free' }],
      ['startsAt', { startsAt: 'soon' }],
      ['provider', { provider: '' }],
    ]
    for (const [path, fields] of refusals) {
      const error = await workspace.refused(create, { model: 'mine', ...prices, ...fields }, 400)
      assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(fields)}: ${error}`)
    }
  })
})
