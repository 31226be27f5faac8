import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkspaceControlStore } from '../store/open.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2027-01-01T10:00:00Z')
const later = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000)
const traceId = (index: number): string => `01940000-0000-7000-8000-${String(index).padStart(12, '0')}`
const [ada, bob] = ['ada', 'bob'].map((id) => ({ id, name: id.toUpperCase() }))
const isGone = /The item was taken out of the queue/

/** A queue of traces, each to be judged by two annotators, with the ids of its items in order. */
async function makeQueue(workspace: WorkspaceControlStore, items: number) {
  const annotatorsPerItem = 2
  const { id } = await workspace.annotationQueues.create(
    { name: 'Tone', instructions: '', evaluatorSlugs: ['tone'], annotatorsPerItem, feed: undefined },
    now,
  )
  const added = Array.from({ length: items }, (_, index) => ({ traceId: traceId(index), logId: undefined }))
  await workspace.annotationItems.addMany(id, added, now)
  const list = async (time = now) =>
    (await workspace.annotationItems.list({ queueId: id, annotatorsPerItem, now: time }, {})).items
  const turn = (annotator = ada!, time = now) => ({ queueId: id, annotator, now: time, heldUntil: later(10) })
  const progress = async (annotator = ada!) =>
    workspace.annotationQueues.progress((await workspace.annotationQueues.find(id))!, annotator.id)
  return { id, added, itemIds: (await list()).map((item) => item.id), list, turn, progress }
}

forEachControlStore('taking items out of annotation queues', (open) => {
  test('unjudged items are removed, even if held or skipped, and judged ones stay', async () => {
    const { workspace } = await open()
    const { id, itemIds, list, turn, progress } = await makeQueue(workspace, 5)
    const [judged, heldItem, skipped, untouched] = itemIds as [string, string, string, string]
    const { assign, judge, skip } = workspace.annotationAssignments
    await assign(turn(), judged)
    await judge(turn(), judged)
    await assign(turn(ada), heldItem)
    await assign(turn(bob), heldItem)
    await skip(turn(), skipped)
    const annotatorItems = [judged, heldItem, skipped, untouched, 'unknown']
    const { removeMany } = workspace.annotationItems
    assert.deepEqual(await removeMany(id, annotatorItems, later(1)), { removed: 3, heldItems: 1, judged: 1 })
    assert.deepEqual(await removeMany(id, annotatorItems, later(2)), { removed: 0, heldItems: 0, judged: 1 })
    assert.deepEqual(
      (await list()).map((item) => item.id),
      [judged, itemIds[4]],
    )
    assert.deepEqual(await progress(), { items: 2, done: 0, judged: 1, skipped: 0, left: 1 })
  })

  test('an item of another queue or workspace stays', async () => {
    const { workspace, store } = await open()
    const { id } = await makeQueue(workspace, 1)
    const other = await makeQueue(workspace, 1)
    const theirs = store.scopedTo({ workspaceId: (await store.createWorkspace({ name: 'Other' })).id })
    const { removeMany } = workspace.annotationItems
    assert.equal((await removeMany(id, other.itemIds, now)).removed, 0)
    await assert.rejects(
      theirs.annotationItems.removeMany(other.id, other.itemIds, now),
      /There is no annotationQueue/,
    )
    assert.equal((await other.list()).length, 1)
  })

  test('no annotator gets a removed item any more, and its holder gets an error', async () => {
    const { workspace } = await open()
    const { id, itemIds, turn, progress } = await makeQueue(workspace, 2)
    const [first, second] = itemIds as [string, string]
    const { assign, next, skip, undo } = workspace.annotationAssignments
    assert.equal(await next(turn(), []), first)
    await skip(turn(bob, later(1)), first)
    await workspace.annotationItems.removeMany(id, [first], later(2))
    await assert.rejects(assign(turn(ada, later(3)), first), isGone)
    await assert.rejects(undo(turn(bob, later(3)), first), isGone)
    assert.equal(await undo(turn(bob, later(3)), null), 'nothing', 'it was skipped before it went')
    assert.deepEqual((await progress(bob)).left, 1)
    assert.equal(await next(turn(ada, later(3)), []), second)
    assert.equal(await skip(turn(ada, later(3)), first), true, 'and goes on')
    assert.equal(await next(turn(ada, later(3)), [second]), undefined)
  })

  test('feeds leave out removed items, and adding one explicitly restores it unchanged', async () => {
    const { workspace } = await open()
    const { id, added, itemIds, list, turn } = await makeQueue(workspace, 3)
    const { assign, skip } = workspace.annotationAssignments
    await assign(turn(), itemIds[0]!)
    await skip(turn(bob), itemIds[0]!)
    const { addMany, removeMany } = workspace.annotationItems
    await removeMany(id, itemIds.slice(0, 2), now)
    const fourth = { traceId: traceId(3), logId: undefined }
    assert.equal(await addMany(id, [...added, fourth], later(1)), 1)
    assert.equal((await list()).length, 2)
    assert.equal(await addMany(id, added.slice(0, 1), later(2), { bringsBack: true }), 1)
    assert.equal(await addMany(id, added.slice(0, 1), later(2), { bringsBack: true }), 0)
    assert.deepEqual(
      (await list()).slice(0, 2).map((item) => item.id),
      [itemIds[0], itemIds[2]],
    )
    const turns = await workspace.annotationItems.turnsOf(itemIds.slice(0, 1), later(3))
    assert.deepEqual(turns.map(({ annotatorId, status }) => [annotatorId, status]).toSorted(), [
      ['ada', 'held'],
      ['bob', 'skipped'],
    ])
    assert.equal((await assign(turn(ada, later(3)), itemIds[0]!))?.id, itemIds[0])
  })

  test('a judgement that was being written is kept, together with its item', async () => {
    const { workspace } = await open()
    const { id, itemIds, list, turn, progress } = await makeQueue(workspace, 1)
    const { assign, judge } = workspace.annotationAssignments
    await assign(turn(), itemIds[0]!)
    await workspace.annotationItems.removeMany(id, itemIds, now)
    await judge(turn(), itemIds[0]!)
    assert.deepEqual(
      (await list()).map(({ id: itemId, judged }) => [itemId, judged]),
      [[itemIds[0], 1]],
    )
    assert.equal((await progress()).judged, 1)
  })
})
