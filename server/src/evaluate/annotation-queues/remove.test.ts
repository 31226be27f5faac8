// One control plane is enough: items and assignments have tests of their own on both.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeQueue, queues } from '../../../testing/annotation-queues.ts'
import { recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

let clockMs = Date.now()
const { app, newWorkspace } = await startTestApp({ now: () => new Date(clockMs) })
const nobody = '01890000-0000-7000-8000-000000000000'

const warm = { scores: [{ evaluatorSlug: 'tone', value: 'warm' }] }
const wasTakenOut = /^This item was removed from the queue/
const itemsOf = async (workspace: TestWorkspace, id: string) =>
  (await workspace.ok(queues.items, { id, limit: 1000 })).items

describe('annotationQueues.remove', () => {
  it('200: removes items, even assigned ones, and keeps judged items', async () => {
    const workspace = await newWorkspace()
    const { id, traceIds } = await makeQueue(workspace, 4)
    const [ada, bob] = [await workspace.signIn('editor'), await workspace.signIn('editor')]
    const judged = (await workspace.ok(queues.next, { id }, ada)).item!
    await workspace.ok(queues.submit, { id, itemId: judged.id, ...warm }, ada)
    const heldItem = (await workspace.ok(queues.next, { id }, bob)).item!
    const free = (await itemsOf(workspace, id)).at(-1)!
    const itemIds = [judged.id, heldItem.id, free.id, free.id, nobody]
    assert.deepEqual(await workspace.ok(queues.remove, { id, itemIds }, ada), {
      removed: 2,
      held: 1,
      judged: 1,
      missing: 1,
    })
    const left = await itemsOf(workspace, id)
    assert.deepEqual(
      left.map(({ id: itemId }) => itemIds.includes(itemId)),
      [true, false],
    )
    const { queue } = await workspace.ok(queues.get, { id }, ada)
    assert.deepEqual(queue.progress, { items: 2, done: 1, judged: 1, skipped: 0, left: 1 })
    const { trace } = await workspace.ok(operations.traces.get, { id: judged.traceId })
    assert.equal(trace.scores.length, 1)
    assert.ok(traceIds.includes(free.traceId))
    assert.deepEqual(await workspace.ok(queues.remove, { id, itemIds: [free.id] }, bob), {
      removed: 0,
      held: 0,
      judged: 0,
      missing: 1,
    })
  })

  it('200: the annotator of a removed item gets an error, may judge it if it is restored, and otherwise skips it', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 2)
    const bob = await workspace.signIn('editor')
    const first = (await workspace.ok(queues.next, { id }, bob)).item!
    const submit = { id, itemId: first.id, ...warm }
    await workspace.ok(queues.remove, { id, itemIds: [first.id] })
    assert.match(await workspace.refused(queues.submit, submit, 409, bob), wasTakenOut)
    assert.match(await workspace.refused(queues.undo, { id, itemId: first.id }, 409, bob), wasTakenOut)
    const { trace } = await workspace.ok(operations.traces.get, { id: first.traceId })
    assert.deepEqual(trace.scores, [], 'nothing is stored of what was refused')
    assert.notEqual((await workspace.ok(queues.next, { id }, bob)).item!.id, first.id)
    const back = await workspace.ok(queues.add, { id, items: [{ traceId: first.traceId }] })
    assert.deepEqual(back, { added: 1, existing: 0 })
    assert.equal((await workspace.ok(queues.submit, submit, bob)).item.isDone, true)
    const second = (await workspace.ok(queues.next, { id }, bob)).item!
    await workspace.ok(queues.remove, { id, itemIds: [second.id] })
    const { progress } = await workspace.ok(queues.skip, { id, itemId: second.id }, bob)
    assert.deepEqual(progress, { items: 1, done: 1, judged: 1, skipped: 0, left: 0 })
    assert.equal((await workspace.ok(queues.next, { id }, bob)).item, null)
  })

  it('200: a feed and a filter do not add removed items again', async () => {
    const workspace = await newWorkspace()
    clockMs += 1000
    const { id } = await makeQueue(workspace, 0, { feed: { share: 1 } })
    clockMs += 1000
    const traceIds = [(await recordTrace(workspace)).id, (await recordTrace(workspace)).id]
    const feed = async (): Promise<string[]> => {
      await app.flush()
      clockMs += 60_000
      await app.feedQueues()
      return (await itemsOf(workspace, id)).map(({ traceId }) => traceId)
    }
    assert.deepEqual((await feed()).toSorted(), traceIds.toSorted())
    const [deletedItem, remaining] = await itemsOf(workspace, id)
    await workspace.ok(queues.remove, { id, itemIds: [deletedItem!.id] })
    const { id: last } = await recordTrace(workspace)
    assert.deepEqual((await feed()).toSorted(), [remaining!.traceId, last].toSorted())
    assert.deepEqual(await workspace.ok(queues.add, { id, filter: {} }), { added: 0, existing: 3 })
    assert.equal((await itemsOf(workspace, id)).length, 2)
  })

  it('400, 403 and 404: for no ids or too many, for a viewer, and for an unknown queue', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { id } = await makeQueue(workspace, 1)
    const itemIds = (await itemsOf(workspace, id)).map((item) => item.id)
    const many = Array.from({ length: 1001 }, () => nobody)
    assert.match(await workspace.refused(queues.remove, { id, itemIds: [] }, 400), /^itemIds: /)
    assert.match(await workspace.refused(queues.remove, { id, itemIds: many }, 400), /^itemIds: /)
    await workspace.refused(queues.remove, { id, itemIds }, 403, await workspace.signIn('viewer'))
    await workspace.refused(queues.remove, { id: nobody, itemIds }, 404)
    await other.refused(queues.remove, { id, itemIds }, 404)
    assert.equal((await itemsOf(workspace, id)).length, 1)
  })
})
