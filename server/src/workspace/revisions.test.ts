import assert from 'node:assert/strict'
import { it } from 'node:test'
import { forEachControlStore } from '@plumbline/storage/control/testing'
import { makeRevisions } from './revisions.ts'

forEachControlStore('the revisions of workspaces', (open) => {
  it('a poll reports changes made by another node, and nothing else', async () => {
    const changed = await open()
    const unchanged = await open()
    const changedIds = new Set<string>()
    const { poll } = makeRevisions(changed.store, (workspaceId) => changedIds.add(workspaceId))
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

  it('catching up reports earlier changes, even while an older query is running', async () => {
    const { store, workspace, workspaceId } = await open()
    const other = await open()
    let changes = 0
    let queries = 0
    const counting = {
      revisions(ids?: readonly string[]) {
        queries += 1
        return store.revisions(ids)
      },
    }
    const onChanged = (id: string): void => {
      if (id === workspaceId) changes += 1
    }
    const { catchUp } = makeRevisions(counting, onChanged, 60_000)
    await catchUp(workspaceId)
    for (let round = 0; round < 20; round++) {
      const earlier = [catchUp(workspaceId), catchUp(other.workspaceId), catchUp(workspaceId)]
      await workspace.features.create({ slug: `new-${round}`, name: 'New' }, new Date())
      await Promise.all([catchUp(workspaceId), ...earlier])
      assert.equal(changes, round + 2)
    }
    assert.ok(queries < 1 + 20 * 5, 'requests of one moment share a query')
  })

  it('a store that does not respond delays one request for a moment, until the poll succeeds again', async () => {
    const { store, workspaceId } = await open()
    let isHanging = true
    let queries = 0
    const { catchUp, poll } = makeRevisions(
      {
        revisions(ids) {
          queries += 1
          return isHanging ? new Promise(() => undefined) : store.revisions(ids)
        },
      },
      () => undefined,
    )
    await Promise.all([catchUp(workspaceId), catchUp(workspaceId)])
    await catchUp(workspaceId)
    assert.equal(queries, 1)
    isHanging = false
    await poll()
    await catchUp(workspaceId)
    assert.equal(queries, 3)
  })
})
