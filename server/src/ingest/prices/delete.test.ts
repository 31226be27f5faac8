import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp } from '../../../testing/test-app.ts'

const { create, delete: remove, list } = operations.prices
const { newWorkspace } = await startTestApp()
const price = { model: 'mine', inputPerMillion: 10, outputPerMillion: 20 }

describe('prices.delete', () => {
  it('204: removes a price', async () => {
    const workspace = await newWorkspace()
    const { priceOverride } = await workspace.ok(create, price)
    await workspace.ok(remove, { id: priceOverride.id })
    assert.deepEqual(await workspace.ok(list), { priceOverrides: [] })
  })

  it('404: for a price that does not exist or belongs to another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { priceOverride } = await other.ok(create, price)
    for (const id of ['nobody', priceOverride.id])
      assert.equal(await workspace.refused(remove, { id }, 404), `No price override has the id "${id}".`)
    assert.equal((await other.ok(list)).priceOverrides.length, 1)
  })
})
