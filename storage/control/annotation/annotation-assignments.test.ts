import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkspaceControlStore } from '../store/open.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2027-01-01T10:00:00Z')
const later = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000)
const traceId = (index: number): string => `01940000-0000-7000-8000-${String(index).padStart(12, '0')}`
const [ada, bob, eve] = ['ada', 'bob', 'eve'].map((id) => ({ id, name: id.toUpperCase() }))

async function makeQueue(workspace: WorkspaceControlStore, items: number, annotatorsPerItem = 1) {
  const { id } = await workspace.annotationQueues.create(
    { name: 'Tone', instructions: '', evaluatorSlugs: ['tone'], annotatorsPerItem, feed: undefined },
    now,
  )
  const added = Array.from({ length: items }, (_, index) => ({ traceId: traceId(index), logId: undefined }))
  await workspace.annotationItems.addMany(id, added, now)
  const turn = (annotator = ada!, time = now) => ({
    queueId: id,
    annotator,
    now: time,
    heldUntil: new Date(time.getTime() + 600_000),
  })
  return { id, turn }
}

forEachControlStore('turns of annotators', (open) => {
  test('many concurrent annotators get each item exactly as often as the queue requires', async () => {
    const { workspace } = await open()
    for (const annotatorsPerItem of [1, 2]) {
      const { id, turn } = await makeQueue(workspace, 12, annotatorsPerItem)
      const people = Array.from({ length: 30 }, (_, index) => ({ id: `p${index}`, name: `P${index}` }))
      const assigned = await Promise.all(
        people.map((person) => workspace.annotationAssignments.next(turn(person), [])),
      )
      const assignedIds = assigned.filter((item) => item !== undefined)
      assert.equal(assignedIds.length, 12 * annotatorsPerItem)
      for (const [, times] of Map.groupBy(assignedIds, (item) => item))
        assert.equal(times.length, annotatorsPerItem)
      const list = await workspace.annotationItems.list({ queueId: id, annotatorsPerItem, now }, {})
      const turns = await workspace.annotationItems.turnsOf(
        list.items.map((item) => item.id),
        now,
      )
      assert.equal(turns.length, assignedIds.length)
    }
  })

  test('if an item has more holders than annotators per item, the first to judge it gets it, and the others get another', async () => {
    const { workspace } = await open()
    const { id, turn } = await makeQueue(workspace, 2, 2)
    const { next, assign, judge } = workspace.annotationAssignments
    const first = (await next(turn(), []))!
    assert.equal(await next(turn(bob), []), first)
    await workspace.annotationQueues.update(id, { annotatorsPerItem: 1 }, now)
    assert.equal((await assign(turn(bob), first))?.id, first)
    await judge(turn(bob), first)
    assert.equal(await assign(turn(), first), undefined)
    const second = await next(turn(), [])
    assert.ok(second !== undefined && second !== first)
    assert.equal((await assign(turn(), second))?.id, second)
  })

  test('a repeated request returns the same item, or another one besides those already held', async () => {
    const { workspace } = await open()
    const { turn } = await makeQueue(workspace, 2)
    const { next } = workspace.annotationAssignments
    const first = await next(turn(), [])
    assert.equal(await next(turn(), []), first)
    const second = await next(turn(), [first!])
    assert.ok(second !== undefined && second !== first)
    assert.equal(await next(turn(), [first!]), second)
    assert.equal(await next(turn(), [first!, second]), undefined)
    assert.equal(await next(turn(bob), []), undefined)
  })

  test('an item not judged in time is released, and another request extends the hold', async () => {
    const { workspace } = await open()
    const { turn } = await makeQueue(workspace, 1)
    const { next, assign } = workspace.annotationAssignments
    const item = await next(turn(), [])
    assert.equal(await next(turn(bob, later(9)), []), undefined)
    await next(turn(ada, later(9)), [item!])
    assert.equal(await next(turn(bob, later(11)), []), undefined)
    assert.equal(await next(turn(bob, later(20)), []), item)
    assert.equal(await assign(turn(ada, later(21)), item!), undefined, 'somebody else is at it')
    assert.equal((await assign(turn(ada, later(31)), item!))?.id, item, 'and has left it')
  })

  test('items that others have judged come first, and no annotator judges one twice', async () => {
    const { workspace } = await open()
    const { id, turn } = await makeQueue(workspace, 3, 2)
    const { next, judge, skip } = workspace.annotationAssignments
    const first = (await next(turn(), []))!
    await skip(turn(), first)
    const second = (await next(turn(), []))!
    await judge(turn(), second)
    assert.equal(await next(turn(bob), []), second)
    await judge(turn(bob), second)
    await judge(turn(bob, later(1)), second)
    const queue = (await workspace.annotationQueues.find(id))!
    assert.deepEqual(await workspace.annotationQueues.progress(queue, 'bob'), {
      items: 3,
      done: 1,
      judged: 1,
      skipped: 0,
      left: 2,
    })
    assert.deepEqual(await workspace.annotationQueues.progress(queue, 'ada'), {
      items: 3,
      done: 1,
      judged: 1,
      skipped: 1,
      left: 1,
    })
    // A list has the same progress for each queue, with a constant number of statements.
    const other = await makeQueue(workspace, 2)
    const list = await workspace.annotationQueues.list()
    for (const annotator of ['ada', 'bob', 'eve']) {
      const progress = await workspace.annotationQueues.progressOfAll(annotator)
      assert.deepEqual(new Set(progress.keys()), new Set([id, other.id]))
      for (const each of list)
        assert.deepEqual(progress.get(each.id), await workspace.annotationQueues.progress(each, annotator))
    }
    const third = await next(turn(), [])
    assert.ok(![first, second].includes(third!))
    assert.equal(await next(turn(eve), []), first)
  })

  test('undo reverts the last action, or the action on a given item', async () => {
    const { workspace } = await open()
    const { id, turn } = await makeQueue(workspace, 3)
    const { next, judge, skip, undo } = workspace.annotationAssignments
    assert.equal(await undo(turn(), null), 'nothing')
    const first = (await next(turn(), []))!
    await judge(turn(ada, later(1)), first)
    const second = (await next(turn(ada, later(1)), []))!
    await skip(turn(ada, later(2)), second)
    const undone = await undo(turn(ada, later(3)), null)
    assert.ok(typeof undone === 'object' && undone.id === second)
    assert.equal(await undo(turn(bob, later(3)), null), 'nothing')
    const again = await undo(turn(ada, later(3)), first)
    assert.ok(typeof again === 'object' && again.id === first && again.judged === 0)
    const queue = (await workspace.annotationQueues.find(id))!
    const { done, judged, left } = await workspace.annotationQueues.progress(queue, 'ada')
    assert.deepEqual([done, judged, left], [0, 0, 3])
    // Another annotator may have taken the skipped item.
    await skip(turn(ada, later(4)), second)
    const theirs = await next(turn(bob, later(4)), [])
    assert.equal(theirs, second)
    assert.equal(await undo(turn(ada, later(5)), second), 'taken')
  })

  test('items come in the order in which they were added', async () => {
    const { workspace } = await open()
    const { id, turn } = await makeQueue(workspace, 40)
    const { items } = await workspace.annotationItems.list({ queueId: id, annotatorsPerItem: 1, now }, {})
    assert.deepEqual(
      items.map((item) => item.traceId),
      items.map((_, index) => traceId(index)),
    )
    assert.equal(await workspace.annotationAssignments.next(turn(), []), items[0]!.id)
  })

  test('an item added again exists once, and is deleted with its queue', async () => {
    const { workspace } = await open()
    const { id, turn } = await makeQueue(workspace, 2)
    const item = { traceId: traceId(1), logId: undefined }
    assert.equal(await workspace.annotationItems.addMany(id, [item, item, { ...item, logId: 'a' }], now), 1)
    await workspace.annotationAssignments.next(turn(), [])
    await workspace.annotationQueues.remove(id)
    assert.deepEqual(await workspace.annotationQueues.list(), [])
    await assert.rejects(workspace.annotationAssignments.next(turn(), []), /There is no annotationQueue/)
  })

  test('a feed continues where it was, and a new one starts now', async () => {
    const { workspace } = await open()
    const { id } = await makeQueue(workspace, 0)
    assert.deepEqual(await workspace.annotationQueues.listFed(), [])
    const feed = JSON.stringify({ feed: { share: 1 }, since: now })
    await workspace.annotationQueues.update(id, { feed }, now)
    const [first = assert.fail()] = await workspace.annotationQueues.listFed()
    assert.deepEqual(first.fedUntil, now)
    const readFedUntil = async () => (await workspace.annotationQueues.listFed())[0]?.fedUntil
    await workspace.annotationQueues.setFedUntil({ ...first, fedUntil: later(1) })
    assert.deepEqual(await readFedUntil(), later(1))
    const other = JSON.stringify({ feed: { share: 0.5 }, since: now })
    await workspace.annotationQueues.update(id, { feed: other }, later(2))
    await workspace.annotationQueues.setFedUntil({ ...first, fedUntil: later(9) })
    assert.deepEqual(await readFedUntil(), later(2))
  })
})
