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
const scoresOf = async (workspace: TestWorkspace, id: string) =>
  (await workspace.ok(operations.traces.get, { id })).trace.scores

describe('annotationQueues.next', () => {
  it('200: gives annotators who request at once one item each, and no item that is assigned to another', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 6)
    const people = await Promise.all(Array.from({ length: 8 }, () => workspace.signIn('editor')))
    const answers = await Promise.all(people.map((person) => workspace.ok(queues.next, { id }, person)))
    const itemIds = answers.flatMap(({ item }) => item?.id ?? [])
    assert.equal(itemIds.length, 6)
    assert.equal(new Set(itemIds).size, 6)
    const { items } = await workspace.ok(queues.items, { id, status: 'held' })
    assert.deepEqual(
      items.map((item) => item.turns.length),
      [1, 1, 1, 1, 1, 1],
    )
  })

  it('200: returns the same item again, another on request, and after ten minutes gives it to others', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 2)
    const [ada, bob] = [await workspace.signIn('editor'), await workspace.signIn('editor')]
    const { item } = await workspace.ok(queues.next, { id }, ada)
    assert.equal((await workspace.ok(queues.next, { id }, ada)).item?.id, item?.id)
    const secondItem = await workspace.ok(queues.next, { id, holding: [item!.id] }, ada)
    assert.ok(secondItem.item !== null && secondItem.item.id !== item?.id)
    assert.equal((await workspace.ok(queues.next, { id }, bob)).item, null)
    clockMs += 10 * 60_000 + 1
    assert.equal((await workspace.ok(queues.next, { id }, bob)).item?.id, item?.id)
    const rejection = await workspace.refused(queues.submit, { id, itemId: item!.id, ...warm }, 409, ada)
    assert.match(rejection, /^Enough people have judged this item/)
  })

  it('400, 403 and 404: for too many ids, for a viewer, and for an unknown queue', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 0)
    const holding = Array.from({ length: 11 }, () => nobody)
    assert.match(await workspace.refused(queues.next, { id, holding }, 400), /^holding: /)
    await workspace.refused(queues.next, { id }, 403, await workspace.signIn('viewer'))
    await workspace.refused(queues.next, { id: nobody }, 404)
  })
})

describe('annotationQueues.submit', () => {
  it('200: records scores that are readable at once, with their annotator and evaluator version', async () => {
    const workspace = await newWorkspace()
    const { id, traceIds } = await makeQueue(workspace, 1)
    const ada = await workspace.signIn('editor')
    const { item } = await workspace.ok(queues.next, { id }, ada)
    const input = { id, itemId: item!.id, ...warm, comment: 'It thanks.' }
    const { scores, item: after, progress } = await workspace.ok(queues.submit, input, ada)
    assert.deepEqual(await scoresOf(workspace, traceIds[0]!), [{ ...scores[0], isOwn: false }])
    const { name, value, comment, source, author, evaluatorSlug, evaluatorVersion, isOwn } = scores[0]!
    assert.deepEqual(
      [name, value, comment, source, author, evaluatorSlug, evaluatorVersion, isOwn],
      ['tone', 'warm', 'It thanks.', 'human', 'editor', 'tone', 1, true],
    )
    assert.deepEqual(
      [after.isDone, after.turns.map(({ status, annotator }) => [status, annotator.isYou])],
      [true, [['judged', true]]],
    )
    assert.deepEqual(progress, { items: 1, done: 1, judged: 1, skipped: 0, left: 0 })
  })

  it('200: a repeated or changed submission is stored once', async () => {
    const workspace = await newWorkspace()
    const { id, traceIds } = await makeQueue(workspace, 1, { annotatorsPerItem: 2 })
    const [ada, bob] = [await workspace.signIn('editor'), await workspace.signIn('editor')]
    const { item } = await workspace.ok(queues.next, { id }, ada)
    const submit = (person: object, value: string) =>
      workspace.ok(
        queues.submit,
        { id, itemId: item!.id, scores: [{ evaluatorSlug: 'tone', value, comment: value }] },
        person,
      )
    await Promise.all([submit(ada, 'warm'), submit(ada, 'warm'), submit(bob, 'cold')])
    assert.equal((await scoresOf(workspace, traceIds[0]!)).length, 2)
    await app.flush()
    const { progress } = await submit(ada, 'cold')
    assert.equal(progress.done, 1)
    await app.flush()
    assert.deepEqual(
      (await scoresOf(workspace, traceIds[0]!)).map(({ value, comment }) => [value, comment]),
      [
        ['cold', 'cold'],
        ['cold', 'cold'],
      ],
    )
  })

  it('200: a log is judged separately from its trace', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 0)
    const { id: traceId } = await recordTrace(workspace, { logs: [{ id: 'answer', type: 'generation' }] })
    await workspace.ok(queues.add, { id, items: [{ traceId }, { traceId, logId: 'answer' }] })
    const expected = []
    for (const value of ['warm', 'cold']) {
      const { item } = await workspace.ok(queues.next, { id })
      const scores = [{ evaluatorSlug: 'tone', value }]
      await workspace.ok(queues.submit, { id, itemId: item!.id, scores })
      expected.push([item!.logId, value])
    }
    const read = (await scoresOf(workspace, traceId)).map(({ logId, value }) => [logId, value])
    assert.deepEqual(read.toSorted(), expected.toSorted())
  })

  it('400: for a score that no evaluator of the queue accepts, and for a missing one', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 1)
    const { item } = await workspace.ok(queues.next, { id })
    const refusalOf = (scores: object[]) =>
      workspace.refused(queues.submit, { id, itemId: item!.id, scores }, 400)
    assert.match(
      await refusalOf([{ evaluatorSlug: 'tone', value: 'odd' }]),
      /^scores\[0\]\.value: .*warm, cold/,
    )
    assert.match(await refusalOf([{ evaluatorSlug: 'other', value: 1 }]), /^scores\[0\]\.evaluatorSlug: /)
    assert.match(await refusalOf([...warm.scores, ...warm.scores]), /^scores\[1\]\.evaluatorSlug: /)
    assert.match(await refusalOf([]), /^scores: /)
    assert.deepEqual((await workspace.ok(queues.get, { id })).queue.progress.done, 0)
  })

  it('404: for an item of another queue, and for a queue of another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { id } = await makeQueue(workspace, 1)
    const theirs = await makeQueue(other, 1)
    const { item } = await workspace.ok(queues.next, { id })
    await other.refused(queues.submit, { id: theirs.id, itemId: item!.id, ...warm }, 404)
    await other.refused(queues.submit, { id, itemId: item!.id, ...warm }, 404)
    await other.refused(queues.skip, { id, itemId: item!.id }, 404)
  })
})

describe('annotationQueues.skip and annotationQueues.undo', () => {
  it('200: a skipped item is not given to the same annotator again, but to others', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 1)
    const [ada, bob] = [await workspace.signIn('editor'), await workspace.signIn('editor')]
    const { item } = await workspace.ok(queues.next, { id }, ada)
    const { progress } = await workspace.ok(queues.skip, { id, itemId: item!.id }, ada)
    assert.deepEqual([progress.skipped, progress.left], [1, 0])
    assert.equal((await workspace.ok(queues.next, { id }, ada)).item, null)
    assert.equal((await workspace.ok(queues.next, { id }, bob)).item?.id, item?.id)
  })

  it('200: undoes the last submission, deletes its scores, and assigns the item again', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 2)
    const judge = async () => {
      const { item } = await workspace.ok(queues.next, { id })
      await workspace.ok(queues.submit, { id, itemId: item!.id, ...warm })
      clockMs += 1000
      return item!
    }
    const first = await judge()
    const second = await judge()
    const undone = await workspace.ok(queues.undo, { id })
    assert.deepEqual([undone.item.id, undone.scores.map(({ value }) => value)], [second.id, ['warm']])
    assert.equal(undone.progress.done, 1)
    assert.equal((await workspace.ok(queues.next, { id })).item?.id, second.id)
    assert.deepEqual(await scoresOf(workspace, second.traceId), [])
    await app.flush()
    assert.deepEqual(await scoresOf(workspace, second.traceId), [])
    const again = { id, itemId: second.id, scores: [{ evaluatorSlug: 'tone', value: 'cold' }] }
    await workspace.ok(queues.submit, again)
    await app.flush()
    assert.deepEqual(
      (await scoresOf(workspace, second.traceId)).map(({ value }) => value),
      ['cold'],
    )
    assert.equal((await workspace.ok(queues.undo, { id, itemId: first.id })).item.id, first.id)
    await workspace.refused(queues.undo, { id, itemId: first.id }, 404)
  })

  it('404 and 409: if there is nothing to undo, and if a judged item is skipped', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 1)
    await workspace.refused(queues.undo, { id }, 404)
    await workspace.refused(queues.undo, { id, itemId: nobody }, 404)
    const { item } = await workspace.ok(queues.next, { id })
    await workspace.ok(queues.submit, { id, itemId: item!.id, ...warm })
    await workspace.refused(queues.skip, { id, itemId: item!.id }, 409)
  })

  it('409: a skipped item that is assigned to another annotator cannot be taken back', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 1)
    const [ada, bob] = [await workspace.signIn('editor'), await workspace.signIn('editor')]
    const { item } = await workspace.ok(queues.next, { id }, ada)
    await workspace.ok(queues.skip, { id, itemId: item!.id }, ada)
    await workspace.ok(queues.next, { id }, bob)
    await workspace.refused(queues.undo, { id }, 409, ada)
  })
})
