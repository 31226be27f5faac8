import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachControlStore, type OpenedWorkspace } from '../testing.ts'
import type { Deletion } from './deletion-rows.ts'

const now = new Date('2026-03-01T12:00:00Z')
const selection = JSON.stringify({ filter: { userId: 'ada' } })

forEachControlStore('filters of deletions', (open) => {
  const request = ({ workspace }: OpenedWorkspace): Promise<Deletion> =>
    workspace.dataDeletions.create(
      {
        type: 'traces',
        selection,
        requestHash: 'hash',
        expected: 1,
        requestedBy: 'somebody',
        requestedByName: 'Somebody',
      },
      now,
    )
  const names = (text: string): boolean => text.includes('ada')

  test('are deleted while the deletion waits for the disk, and stay deleted', async () => {
    const opened = await open()
    const { dataDeletions } = opened.store
    const waiting = { progress: '{"step":"wait"}', deletedCounts: {}, isDone: true }
    const deletion = await dataDeletions.advance(await request(opened), waiting, now)
    assert.equal(await opened.workspace.subjectReferences.forgetSelections(names, 'remove'), 1)
    // A node that read the deletion earlier continues it.
    const finished = { progress: '{}', deletedCounts: {}, isFinished: true }
    assert.equal((await dataDeletions.advance(deletion, finished, now)).selection, undefined)
    assert.equal(await opened.workspace.subjectReferences.forgetSelections(names, 'count'), 0)
  })

  test('remain, and are counted, while there may be traces to delete', async () => {
    const opened = await open()
    const { id } = await request(opened)
    assert.equal(await opened.workspace.subjectReferences.forgetSelections(names, 'remove'), 0)
    assert.equal((await opened.store.dataDeletions.find(id))?.selection, selection)
    assert.equal(await opened.workspace.subjectReferences.forgetSelections(names, 'count'), 1)
  })
})
