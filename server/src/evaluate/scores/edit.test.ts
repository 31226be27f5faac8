import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list, create, update, delete: remove } = operations.scores
const { app, newWorkspace } = await startTestApp()

const give = async (workspace: TestWorkspace, traceId: string, fields: object = {}) =>
  (await workspace.ok(create, { traceId, name: 'accuracy', value: 0.5, comment: 'So so.', ...fields })).score
const nobody = '01890000-0000-7000-8000-000000000000'

describe('scores.list', () => {
  it('200: returns scores, the latest first, by name, source, trace and time', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { id } = await recordTrace(workspace)
    const { id: second } = await recordTrace(workspace)
    await give(other, (await recordTrace(other)).id)
    // Distinct times: scores of the same millisecond have no order that a caller could know.
    const scores = [
      await give(workspace, id, { createdAt: '2026-01-02T03:04:05.001Z' }),
      await give(workspace, id, { name: 'tone', value: 'rude', createdAt: '2026-01-02T03:04:05.002Z' }),
      await give(workspace, second, { value: true, createdAt: '2026-01-02T03:04:05.003Z' }),
    ]
    await app.flush()
    const lastFirst = scores.toReversed()
    const listScores = async (query: object) => (await workspace.ok(list, query)).scores
    assert.deepEqual(await listScores({}), lastFirst)
    assert.deepEqual(await listScores({ name: 'tone' }), [scores[1]])
    assert.deepEqual(await listScores({ traceId: second }), [scores[2]])
    assert.deepEqual(await listScores({ traceId: 'nobody' }), [])
    assert.deepEqual(await listScores({ traceIds: `${second},${nobody},none` }), [scores[2]])
    assert.deepEqual(await listScores({ traceIds: `${id}, ${second}` }), lastFirst)
    assert.deepEqual((await listScores({ source: 'api' })).length, 3)
    assert.deepEqual(await listScores({ from: '2099-01-01T00:00:00Z' }), [])
    assert.deepEqual((await listScores({ from: scores[0]!.createdAt, to: '2099-01-01T00:00:00Z' })).length, 3)
    const walked = []
    let cursor: string | undefined
    do {
      const page = await workspace.ok(list, { limit: 1, ...(cursor && { cursor }) })
      walked.push(...page.scores)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    assert.deepEqual(walked, lastFirst)
  })

  it('400: names the invalid parameter', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(list, { from: 'x' }, 400), /^from: /)
    for (const cursor of ['x', Buffer.from('["scores",1,"x"]').toString('base64url')])
      assert.match(await workspace.refused(list, { cursor }, 400), /^cursor: /)
    const many = Array.from({ length: 201 }, () => nobody).join()
    assert.match(await workspace.refused(list, { traceIds: many }, 400), /^traceIds: /)
  })
})

describe('scores.update', () => {
  it('200: changes value and reason, at once after creation and everywhere it is read', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace)
    const score = await give(workspace, id)
    const { score: better } = await workspace.ok(update, { id: score.id, value: false, comment: null })
    assert.deepEqual(better, { ...score, value: false, comment: null })
    const { score: worse } = await workspace.ok(update, {
      id: score.id,
      value: 'wrong',
      comment: 'It’s "odd"\\n',
    })
    assert.deepEqual(worse, { ...score, value: 'wrong', comment: 'It’s "odd"\\n' })
    assert.deepEqual((await workspace.ok(operations.traces.get, { id })).trace.scores, [worse])
  })

  it('400: for an invalid value', async () => {
    const workspace = await newWorkspace()
    const { id } = await give(workspace, (await recordTrace(workspace)).id)
    assert.match(await workspace.refused(update, { id, value: {} }, 400), /^value: /)
  })

  it('403: for a score of another key', async () => {
    const workspace = await newWorkspace()
    const { id } = await give(workspace, (await recordTrace(workspace)).id)
    const { secret } = await workspace.newKey(['manage'])
    await workspace.refused(update, { id, value: 1 }, 403, { key: secret })
    await workspace.refused(remove, { id }, 403, { key: secret })
  })

  it('404: for a score that does not exist or belongs to another workspace', async () => {
    const workspace = await newWorkspace()
    const { id } = await give(workspace, (await recordTrace(workspace)).id)
    await workspace.refused(update, { id: nobody, value: 1 }, 404)
    await (await newWorkspace()).refused(update, { id, value: 1 }, 404)
  })
})

describe('scores.delete', () => {
  it('204: deletes the score and leaves the others', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace)
    const [deletedItem, stays] = [await give(workspace, id), await give(workspace, id, { name: 'tone' })]
    await workspace.ok(remove, { id: deletedItem.id })
    await app.flush()
    assert.deepEqual((await workspace.ok(list)).scores, [stays])
    assert.deepEqual((await workspace.ok(operations.traces.get, { id })).trace.scores, [stays])
    await workspace.refused(remove, { id: deletedItem.id }, 404)
  })
})
