import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeHuman, makeQueue, queues } from '../../../testing/annotation-queues.ts'
import {
  makeEvaluator,
  makeFeature,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

let clockMs = Date.now()
const { app, newWorkspace } = await startTestApp({ now: () => new Date(clockMs) })
const nobody = '01890000-0000-7000-8000-000000000000'

const tracesOf = async (workspace: TestWorkspace, id: string) =>
  (await workspace.ok(queues.items, { id, limit: 1000 })).items.map(({ traceId }) => traceId)

describe('annotationQueues.create, get, list, update and delete', () => {
  it('201 and 200: a queue has the given fields, can be changed, and disappears when it is deleted', async () => {
    const workspace = await newWorkspace()
    await makeHuman(workspace)
    const input = { name: 'Tone', instructions: '# Be fair', evaluatorSlugs: ['tone'], annotatorsPerItem: 2 }
    const { queue } = await workspace.ok(queues.create, { ...input, feed: { share: 0.5 } })
    const { id, createdAt, progress, ...rest } = queue
    assert.deepEqual(rest, { ...input, feed: { share: 0.5 } })
    assert.deepEqual(progress, { items: 0, done: 0, judged: 0, skipped: 0, left: 0 })
    const { queue: changed } = await workspace.ok(queues.update, { id, name: 'Other', feed: null })
    assert.deepEqual(changed, { ...queue, name: 'Other', feed: null })
    assert.deepEqual((await workspace.ok(queues.get, { id })).queue, changed)
    assert.deepEqual((await workspace.ok(queues.list)).queues, [changed])
    assert.deepEqual((await (await newWorkspace()).ok(queues.list)).queues, [])
    await workspace.ok(queues.delete, { id })
    await workspace.refused(queues.get, { id }, 404)
    await workspace.refused(queues.update, { id, name: 'a' }, 404)
    await workspace.refused(queues.delete, { id }, 404)
  })

  it('204: submitted scores are kept', async () => {
    const workspace = await newWorkspace()
    const { id, traceIds } = await makeQueue(workspace, 1)
    const { item } = await workspace.ok(queues.next, { id })
    const scores = [{ evaluatorSlug: 'tone', value: 'warm' }]
    await workspace.ok(queues.submit, { id, itemId: item!.id, scores })
    await workspace.ok(queues.delete, { id })
    const { trace } = await workspace.ok(operations.traces.get, { id: traceIds[0]! })
    assert.equal(trace.scores.length, 1)
  })

  it('400 and 404: names the wrong field, and the evaluator that does not exist', async () => {
    const workspace = await newWorkspace()
    await makeHuman(workspace)
    await makeEvaluator(workspace)
    const refusalOf = (fields: object, status = 400) =>
      workspace.refused(queues.create, { name: 'a', evaluatorSlugs: ['tone'], ...fields }, status)
    assert.match(await refusalOf({ evaluatorSlugs: [] }), /^evaluatorSlugs: /)
    assert.match(await refusalOf({ evaluatorSlugs: ['polite'] }), /^evaluatorSlugs\[0\]: .*"human"/)
    assert.match(await refusalOf({ evaluatorSlugs: ['nobody'] }, 404), /"nobody"/)
    assert.match(await refusalOf({ annotatorsPerItem: 0 }), /^annotatorsPerItem: /)
    assert.match(await refusalOf({ feed: { share: 2 } }), /^feed\.share: /)
    assert.match(await refusalOf({ feed: { share: 1, scoreMax: 1 } }), /^feed\.scoreName: /)
    assert.match(
      await refusalOf({ feed: { share: 1, featureslug: 'chat' } }),
      /^feed\.featureslug: is unknown/,
    )
    const { queue } = await workspace.ok(queues.create, { name: 'a', evaluatorSlugs: ['tone'] })
    const update = { id: queue.id, evaluatorSlugs: ['nobody'] }
    await workspace.refused(queues.update, update, 404)
    await workspace.refused(queues.update, { ...update, evaluatorSlugs: ['polite'] }, 400)
  })
})

describe('annotationQueues.add', () => {
  it('201: adds named items once, and returns how many already existed', async () => {
    const workspace = await newWorkspace()
    const { id, traceIds } = await makeQueue(workspace, 2)
    const { id: other } = await recordTrace(workspace, { logs: [{ id: 'a', type: 'tool' }] })
    const items = [{ traceId: traceIds[0]! }, { traceId: other }, { traceId: other, logId: 'a' }]
    assert.deepEqual(await workspace.ok(queues.add, { id, items: [...items, ...items] }), {
      added: 2,
      existing: 1,
    })
    assert.equal((await workspace.ok(queues.items, { id })).items.length, 4)
  })

  it('201: adds the latest items that match the filters, or a sample determined by the seed', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    const { id } = await makeQueue(workspace, 0)
    const traceIds: string[] = []
    for (let index = 0; index < 12; index++) {
      const { id: traceId } = await recordTrace(workspace, {
        featureSlug: 'chat',
        startTime: 1_750_000_000 + index,
        metadata: { env: index % 2 === 0 ? 'prod' : 'test' },
      })
      traceIds.push(traceId)
    }
    await recordTrace(workspace)
    const filter = { featureSlug: 'chat' }
    await workspace.ok(queues.add, { id, filter, count: 3 })
    assert.deepEqual((await tracesOf(workspace, id)).toSorted(), traceIds.slice(-3).toSorted())
    const draw = async (fields: object) => {
      const { queue } = await workspace.ok(queues.create, { name: 'a', evaluatorSlugs: ['tone'] })
      await workspace.ok(queues.add, { id: queue.id, filter, isRandom: true, ...fields })
      return (await tracesOf(workspace, queue.id)).toSorted()
    }
    const sampled = await draw({ count: 6, seed: 's' })
    assert.equal(sampled.length, 6)
    assert.deepEqual(await draw({ count: 6, seed: 's' }), sampled)
    const fewer = await draw({ count: 3, seed: 's' })
    assert.ok(fewer.every((traceId) => sampled.includes(traceId)))
    assert.notDeepEqual(await draw({ count: 6, seed: 't' }), sampled)
    assert.equal((await draw({ filter: { 'metadata.env': 'prod' } })).length, 6)
  })

  it('400 and 404: for neither or both of items and filter, and for items that do not exist', async () => {
    const workspace = await newWorkspace()
    const { id, traceIds } = await makeQueue(workspace, 1)
    assert.match(await workspace.refused(queues.add, { id }, 400), /^items: /)
    const items = [{ traceId: traceIds[0]! }]
    assert.match(await workspace.refused(queues.add, { id, items, filter: {} }, 400), /^items: /)
    assert.match(await workspace.refused(queues.add, { id, filter: { from: 'x' } }, 400), /^from: /)
    assert.equal(
      await workspace.refused(queues.add, { id, filter: { featureslug: 'x' } }, 400),
      'filter.featureslug: is unknown; did you mean featureSlug?',
    )
    await workspace.refused(queues.add, { id, items: [{ traceId: nobody }] }, 404)
    await workspace.refused(queues.add, { id, items: [{ traceId: traceIds[0]!, logId: 'x' }] }, 404)
    await workspace.refused(queues.add, { id: nobody, items }, 404)
  })
})

describe('annotationQueues.items', () => {
  it('200: returns pages of items in any state', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 5)
    const { item } = await workspace.ok(queues.next, { id })
    const scores = [{ evaluatorSlug: 'tone', value: 'warm' }]
    await workspace.ok(queues.submit, { id, itemId: item!.id, scores })
    await workspace.ok(queues.next, { id })
    const count = async (status: string) => (await workspace.ok(queues.items, { id, status })).items.length
    assert.deepEqual([await count('open'), await count('held'), await count('done')], [4, 1, 1])
    const walked: string[] = []
    let cursor: string | undefined
    do {
      const page = await workspace.ok(queues.items, { id, limit: 2, ...(cursor && { cursor }) })
      walked.push(...page.items.map((each) => each.id))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    assert.equal(new Set(walked).size, 5)
  })

  it('400 and 404: for a cursor of another list, and for an unknown queue', async () => {
    const workspace = await newWorkspace()
    const { id } = await makeQueue(workspace, 0)
    assert.match(await workspace.refused(queues.items, { id, cursor: 'x' }, 400), /^cursor: /)
    await workspace.refused(queues.items, { id: nobody }, 404)
  })
})

describe('a queue with a feed', () => {
  it('adds a share of the traces of a feature that arrive from then on, each once', async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await recordTrace(workspace, { featureSlug: 'chat' })
    clockMs += 1000
    const { id } = await makeQueue(workspace, 0, { feed: { featureSlug: 'chat', share: 0.5 } })
    await recordTrace(workspace)
    const traceIds: string[] = []
    for (let index = 0; index < 40; index++) {
      clockMs += 10
      traceIds.push((await recordTrace(workspace, { featureSlug: 'chat' })).id)
    }
    await app.flush()
    await app.feedQueues()
    const queuedIds = await tracesOf(workspace, id)
    assert.ok(queuedIds.length > 5 && queuedIds.length < 35, `${queuedIds.length} of 40`)
    assert.ok(queuedIds.every((traceId) => traceIds.includes(traceId)))
    clockMs += 60_000
    await app.feedQueues()
    assert.equal((await tracesOf(workspace, id)).length, queuedIds.length)
    await workspace.ok(queues.update, { id, feed: { featureSlug: 'chat', share: 1 } })
    clockMs += 1000
    const { id: last } = await recordTrace(workspace, { featureSlug: 'chat' })
    await app.flush()
    clockMs += 60_000
    await app.feedQueues()
    const after = await tracesOf(workspace, id)
    assert.deepEqual([after.length, after.includes(last)], [queuedIds.length + 1, true])
  })

  it('adds traces with low scores of a judge, also if the score arrives later', async () => {
    const workspace = await newWorkspace()
    clockMs += 1000
    const { id } = await makeQueue(workspace, 0, { feed: { share: 1, scoreName: 'good', scoreMax: 0.5 } })
    clockMs += 1000
    const [low, high] = [await recordTrace(workspace), await recordTrace(workspace)]
    await app.flush()
    await app.feedQueues()
    assert.deepEqual(await tracesOf(workspace, id), [])
    const give = (traceId: string, value: number) =>
      workspace.ok(operations.scores.create, { traceId, name: 'good', value })
    await give(low.id, 0.2)
    await give(high.id, 0.9)
    await app.flush()
    clockMs += 3_600_000
    await app.feedQueues()
    assert.deepEqual(await tracesOf(workspace, id), [low.id])
  })
})
