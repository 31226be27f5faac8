import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')

forEachControlStore('price overrides', (open) => {
  test('a price is returned as it was given, newest first', async () => {
    const { workspace } = await open()
    const full = {
      provider: 'open-ai',
      model: 'gpt-*',
      startsAt: new Date('2026-01-01T00:00:00Z'),
      inputPerMillion: 0.15,
      outputPerMillion: 2,
      cacheReadPerMillion: 0,
      cacheWritePerMillion: 0.3,
      reasoningPerMillion: 4.5,
    }
    const first = await workspace.prices.create(full, new Date(0))
    assert.deepEqual(first, { id: first.id, ...full, createdAt: new Date(0) })
    const second = await workspace.prices.create(
      { model: 'own', inputPerMillion: 1, outputPerMillion: 2 },
      now,
    )
    assert.equal(second.provider, undefined)
    assert.equal(second.cacheReadPerMillion, undefined)
    assert.deepEqual(await workspace.prices.list(), [second, first])
  })

  test('the prices of all workspaces are returned at once, without workspaces that have none', async () => {
    const { store, workspace, workspaceId } = await open()
    const { workspaceId: otherWorkspaceId } = await open()
    const [older, newer] = [
      await workspace.prices.create({ model: 'a', inputPerMillion: 1, outputPerMillion: 2 }, new Date(0)),
      await workspace.prices.create({ model: 'b', inputPerMillion: 1, outputPerMillion: 2 }, now),
    ]
    const prices = await store.pricesByWorkspace()
    assert.deepEqual(prices.get(workspaceId), [newer, older])
    assert.equal(prices.has(otherWorkspaceId), false)
  })

  test('a price is deleted in its workspace only', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    const { id } = await workspace.prices.create({ model: 'm', inputPerMillion: 1, outputPerMillion: 2 }, now)
    assert.deepEqual(await other.prices.list(), [])
    assert.equal(await other.prices.delete(id), false)
    assert.equal(await workspace.prices.delete(id), true)
    assert.equal(await workspace.prices.delete(id), false)
    assert.deepEqual(await workspace.prices.list(), [])
  })
})
