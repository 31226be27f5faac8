/** Changes of channels concurrent with the service's own writes, which are not serialized with the workspace's writers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00Z')
const rounds = 20
const input = { name: 'Hook', type: 'webhook', target: 'example.com', sealed: 'seal 0' }

forEachControlStore('channels', (open) => {
  test('a channel that is renamed while the service stops it stays stopped', async () => {
    const { store, workspace, workspaceId } = await open()
    for (let round = 1; round <= rounds; round++) {
      const { id } = await workspace.channels.create({ ...input, name: `Hook ${round}` }, now)
      await Promise.all([
        workspace.channels.update(id, { name: `Renamed ${round}` }, now),
        store.notifications.disableChannel({ workspaceId, channelId: id }, { problem: 'Gone.', now }),
      ])
      const { name, disabledAt, problem } = (await workspace.channels.find(id))!
      assert.deepEqual([name, disabledAt, problem], [`Renamed ${round}`, now, 'Gone.'])
    }
  })
})
