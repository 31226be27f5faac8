import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachControlStore, type OpenedWorkspace, testConnection } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00Z')

forEachControlStore('connections', (open) => {
  const connect = ({ workspace }: OpenedWorkspace, name: string) =>
    workspace.connections.create(testConnection({ name }), now)

  test('the spend of a connection is summed exactly, by UTC day', async () => {
    const opened = await open()
    const { store, workspace, workspaceId } = opened
    const otherConnection = await connect(opened, 'B')
    const idle = await connect(opened, 'A')
    assert.deepEqual([otherConnection.spentToday, idle.spentToday], [0, 0])
    // All models of a connection share its spend.
    const group = (model: string) => ({
      workspaceId,
      target: { connectionId: otherConnection.id, model },
      isCode: false,
    })
    await store.evaluations.addCost(group('one'), 0.1, new Date('2026-03-01T00:00:00Z'))
    await store.evaluations.addCost(group('two'), 0.2, new Date('2026-03-01T23:59:59.999Z'))
    await store.evaluations.addCost(group('one'), 7, new Date('2026-02-28T23:59:59.999Z'))
    const readSpending = async (time: string) =>
      (await workspace.connections.list(new Date(time))).map(({ name, spentToday }) => [name, spentToday])
    assert.deepEqual(await readSpending('2026-03-01T12:00:00Z'), [
      ['A', 0],
      ['B', 0.1 + 0.2],
    ])
    assert.deepEqual(await readSpending('2026-03-02T00:00:00Z'), [
      ['A', 0],
      ['B', 0],
    ])
    const renamed = await workspace.connections.update(otherConnection.id, { name: 'C' }, now)
    assert.equal(renamed.spentToday, 0.1 + 0.2)
    assert.deepEqual((await workspace.connections.list(now))[0], idle)
    assert.deepEqual(await (await open()).workspace.connections.list(now), [])
  })
})
