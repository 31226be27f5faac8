import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordLog, recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { create } = operations.scores
const { app, newWorkspace } = await startTestApp()

describe('scores.create', () => {
  describe('201', () => {
    it('accepts a number, a boolean or a category, which are read with their trace at once and later', async () => {
      const workspace = await newWorkspace()
      const { id: traceId } = await recordTrace(workspace)
      const values = [0.75, 0, -1e-9, true, false, 'warm', '']
      const createdScores = []
      for (const value of values) {
        const input = { traceId, name: 'tone', value, comment: 'so it is' }
        createdScores.push((await workspace.ok(create, input)).score)
      }
      assert.deepEqual(
        createdScores.map(({ value }) => value),
        values,
      )
      const readNow = async () => (await workspace.ok(operations.traces.get, { id: traceId })).trace.scores
      // Scores of the same millisecond are in the order of their ids.
      createdScores.sort((first, second) =>
        `${first.createdAt} ${first.id}` < `${second.createdAt} ${second.id}` ? -1 : 1,
      )
      assert.deepEqual(await readNow(), createdScores)
      await app.flush()
      assert.deepEqual(await readNow(), createdScores)
      const later = (await workspace.ok(create, { traceId, name: 'later', value: 1 })).score
      assert.deepEqual(await readNow(), [...createdScores, later])
      const { id, createdAt, ...rest } = later
      assert.ok(id !== traceId && Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
      assert.deepEqual(rest, {
        traceId,
        logId: null,
        sessionId: null,
        name: 'later',
        value: 1,
        comment: null,
        source: 'api',
        author: 'Test',
        isOwn: true,
        userId: null,
        evaluatorSlug: null,
        evaluatorVersion: null,
        model: null,
        judgeTraceId: null,
        cost: null,
      })
    })

    it('has the time that was sent, else the current time', async () => {
      const workspace = await newWorkspace()
      const { id: traceId } = await recordTrace(workspace)
      const input = { traceId, name: 'a', value: 1, createdAt: '2026-05-04T10:00:00.250Z' }
      const { score } = await workspace.ok(create, input)
      assert.equal(score.createdAt, input.createdAt)
      await app.flush()
      assert.deepEqual((await workspace.ok(operations.traces.get, { id: traceId })).trace.scores, [score])
      for (const createdAt of ['yesterday', '1969-12-31T23:59:59Z', '2400-01-01T00:00:00Z'])
        assert.match(await workspace.refused(create, { ...input, createdAt }, 400), /^createdAt: must be/)
    })

    it('may belong to one log, by the id that the client set or that the response returned', async () => {
      const workspace = await newWorkspace()
      const { id: traceId } = await recordTrace(workspace, { logs: [{ id: 'mine', type: 'tool' }] })
      assert.equal(
        (await workspace.ok(create, { traceId, logId: 'mine', name: 'a', value: 1 })).score.logId,
        'mine',
      )
      const single = (await recordLog(workspace, { slug: 'x', output: 'y' })).answer
      const input = { traceId: single.trace.id, logId: single.log.id, name: 'a', value: 1 }
      assert.equal((await workspace.ok(create, input)).score.logId, single.log.id)
      assert.equal((await workspace.ok(create, { ...input, logId: null })).score.logId, null)
    })
  })

  describe('400', () => {
    it('names the wrong field', async () => {
      const workspace = await newWorkspace()
      const { id: traceId } = await recordTrace(workspace)
      const refusals: [path: string, fields: object][] = [
        ['traceId', { traceId: 5 }],
        ['name', { name: '' }],
        ['value', { value: undefined }],
        ['value', { value: null }],
        ['value', { value: {} }],
        ['value', { value: [1] }],
        ['logId', { logId: 5 }],
        ['comment', { comment: {} }],
      ]
      for (const [path, fields] of refusals) {
        const error = await workspace.refused(create, { traceId, name: 'a', value: 1, ...fields }, 400)
        assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(fields)}: ${error}`)
      }
    })
  })

  describe('404', () => {
    it('for an unknown trace, one of another workspace, and an unknown log', async () => {
      const [workspace, other] = [await newWorkspace(), await newWorkspace()]
      const { id: traceId } = await recordTrace(workspace)
      const { id: theirs } = await recordTrace(other)
      for (const unknown of ['nobody', '01890000-0000-7000-8000-000000000000', theirs]) {
        const error = await workspace.refused(create, { traceId: unknown, name: 'a', value: 1 }, 404)
        assert.equal(error, `No trace has the id "${unknown}".`)
      }
      const input = { traceId, logId: 'ghost', name: 'a', value: 1 }
      assert.match(await workspace.refused(create, input, 404), /has no log with the id "ghost"/)
    })
  })
})
