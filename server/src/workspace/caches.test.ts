import assert from 'node:assert/strict'
import { it } from 'node:test'
import { forEachControlStore } from '@plumbline/storage/control/testing'
import { makeRevisionPoll } from './caches.ts'

forEachControlStore('the poll of revisions', (open) => {
  it('tells of what another node changed, and of nothing else', async () => {
    const changed = await open()
    const unchanged = await open()
    const changedIds = new Set<string>()
    const poll = makeRevisionPoll(changed.store, (workspaceId) => changedIds.add(workspaceId))
    await poll()
    assert.ok(changedIds.has(changed.workspaceId) && changedIds.has(unchanged.workspaceId))
    changedIds.clear()
    await changed.workspace.features.create({ slug: 'new', name: 'New' }, new Date())
    await poll()
    assert.deepEqual([...changedIds], [changed.workspaceId])
    changedIds.clear()
    await changed.store.deletions.begin(unchanged.workspaceId, new Date())
    await poll()
    assert.deepEqual([...changedIds], [unchanged.workspaceId])
  })
})
