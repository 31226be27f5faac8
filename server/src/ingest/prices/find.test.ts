import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { find, create } = operations.prices
const { newWorkspace } = await startTestApp()

describe('prices.find', () => {
  it('200: returns the price of the list, until the workspace has one of its own', async () => {
    const workspace = await newWorkspace()
    const { price: listed } = await workspace.ok(find, { model: 'gpt-4o', provider: 'open-ai' })
    assert.deepEqual([listed?.source, listed?.model], ['price-list', 'gpt-4o'])
    assert.deepEqual([listed?.inputPerMillion, listed?.outputPerMillion], [2.5, 10])
    const { priceOverride } = await workspace.ok(create, {
      model: 'gpt-4*',
      inputPerMillion: 1,
      outputPerMillion: 2,
      cacheReadPerMillion: 0.5,
    })
    const { price: own } = await workspace.ok(find, { model: 'gpt-4o' })
    assert.deepEqual([own?.source, own?.overrideId], ['override', priceOverride.id])
    assert.deepEqual([own?.inputPerMillion, own?.outputPerMillion, own?.cacheReadPerMillion], [1, 2, 0.5])
  })

  it('200: returns null for an unknown model', async () => {
    assert.deepEqual(await (await newWorkspace()).ok(find, { model: 'no-such-model' }), { price: null })
  })

  it('400: requires a model', async () => {
    assert.match(await (await newWorkspace()).refused(find, {}, 400), /^model: is required/)
  })
})
