import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { create, list, update, delete: remove } = operations.scores
const { app, newWorkspace } = await startTestApp()

describe("scores.create, for an application's end users", () => {
  it('201: a key with the recording scope gives a thumb, changes it and deletes it', async () => {
    const workspace = await newWorkspace()
    const { id: traceId } = await recordTrace(workspace)
    const { secret: key } = await workspace.newKey(['ingest'])
    const { score } = await workspace.ok(
      create,
      { traceId, name: 'thumb', value: true, userId: 'ada' },
      { key },
    )
    assert.deepEqual([score.userId, score.author, score.source, score.isOwn], ['ada', 'Test', 'api', true])
    const { score: changed } = await workspace.ok(update, { id: score.id, value: false }, { key })
    assert.equal(changed.value, false)
    await workspace.ok(remove, { id: score.id }, { key })
    assert.deepEqual((await workspace.ok(list)).scores, [])
  })

  it("201: a user's new score replaces the earlier one, before and after it is stored", async () => {
    const workspace = await newWorkspace()
    const { id: traceId } = await recordTrace(workspace)
    const { secret: key } = await workspace.newKey(['ingest'])
    const give = async (fields: object) =>
      (await workspace.ok(create, { traceId, name: 'thumb', userId: 'ada', ...fields }, { key })).score
    const scores = async () =>
      (await workspace.ok(operations.traces.get, { id: traceId })).trace.scores.map(({ id, value }) => [
        id,
        value,
      ])
    const thumbUp = await give({ value: true })
    const down = await give({ value: false, comment: 'It is wrong.' })
    assert.equal(down.id, thumbUp.id)
    assert.deepEqual(await scores(), [[thumbUp.id, false]])
    await app.flush()
    assert.deepEqual(await scores(), [[thumbUp.id, false]])
    await give({ value: true })
    assert.deepEqual(await scores(), [[thumbUp.id, true]])
    await app.flush()
    assert.deepEqual(await scores(), [[thumbUp.id, true]])
    const listed = await workspace.ok(list, { traceId })
    assert.deepEqual(
      listed.scores.map(({ id, value, comment }) => [id, value, comment]),
      [[thumbUp.id, true, null]],
    )
    const { rows } = await workspace.ok(operations.metrics.query, { measures: 'scores' })
    assert.equal(rows[0]?.scores, 1)
  })

  it('201: of many scores that a user gives at once, the last one stays', async () => {
    const workspace = await newWorkspace()
    const { id: traceId } = await recordTrace(workspace)
    const values = Array.from({ length: 40 }, (_, index) => index)
    await Promise.all(
      values.map((value) => workspace.ok(create, { traceId, name: 'stars', value, userId: 'ada' })),
    )
    const now = (await workspace.ok(operations.traces.get, { id: traceId })).trace.scores
    assert.equal(now.length, 1)
    await app.flush()
    assert.deepEqual((await workspace.ok(list)).scores, now)
  })

  it('201: other users, names, logs and keys have separate scores; without a user each score is separate', async () => {
    const workspace = await newWorkspace()
    const { id: traceId } = await recordTrace(workspace, { logs: [{ id: 'a', type: 'tool' }] })
    const { secret: key } = await workspace.newKey(['ingest'])
    const responses = [
      await workspace.ok(create, { traceId, name: 'thumb', value: true, userId: 'ada' }),
      await workspace.ok(create, { traceId, name: 'thumb', value: true, userId: 'bob' }),
      await workspace.ok(create, { traceId, name: 'stars', value: 5, userId: 'ada' }),
      await workspace.ok(create, { traceId, logId: 'a', name: 'thumb', value: true, userId: 'ada' }),
      await workspace.ok(create, { traceId, name: 'thumb', value: true }),
      await workspace.ok(create, { traceId, name: 'thumb', value: true }),
    ]
    assert.equal(new Set(responses.map(({ score }) => score.id)).size, responses.length)
    const again = await workspace.ok(create, { traceId, name: 'thumb', value: false, userId: 'ada' }, { key })
    assert.equal(again.score.id, responses[0]!.score.id, 'a key that was replaced goes on with its users')
  })

  it('201: returns who gave it, and whether that is the caller', async () => {
    const workspace = await newWorkspace()
    const { id: traceId } = await recordTrace(workspace)
    const [ada, bob] = [await workspace.signIn('editor'), await workspace.signIn('editor')]
    const { score } = await workspace.ok(create, { traceId, name: 'tone', value: 'warm' }, ada)
    assert.deepEqual([score.source, score.author, score.isOwn], ['human', 'editor', true])
    const readScore = async (who: object) =>
      (await workspace.ok(operations.traces.get, { id: traceId }, who)).trace.scores[0]!
    await app.flush()
    assert.deepEqual([(await readScore(ada)).isOwn, (await readScore(bob)).isOwn], [true, false])
    assert.equal((await workspace.ok(list, {}, bob)).scores[0]!.isOwn, false)
  })

  it('201: a score given long after its trace arrived is found by its id', async () => {
    const workspace = await newWorkspace()
    const { id: traceId } = await recordTrace(workspace)
    const input = { traceId, name: 'a', value: 1, createdAt: '2026-05-04T10:00:00.250Z' }
    const { score } = await workspace.ok(create, input)
    await app.flush()
    const { score: changed } = await workspace.ok(update, { id: score.id, value: 2 })
    assert.deepEqual([changed.value, changed.createdAt], [2, input.createdAt])
    await workspace.ok(remove, { id: score.id })
    await workspace.refused(remove, { id: score.id }, 404)
  })
})
