import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()
const price = { model: 'mine', inputPerMillion: 10, outputPerMillion: 20 }

describe('prices.list', () => {
  it('200: returns the prices of the workspace', async () => {
    const workspace = await newWorkspace()
    await (await newWorkspace()).ok(operations.prices.create, price)
    assert.deepEqual(await workspace.ok(operations.prices.list), { priceOverrides: [] })
    const { priceOverride } = await workspace.ok(operations.prices.create, price)
    assert.deepEqual(await workspace.ok(operations.prices.list), { priceOverrides: [priceOverride] })
  })
})
