import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { get } = operations.logs
const { app, newWorkspace } = await startTestApp()

describe('logs.get', () => {
  it('200: returns a log as its trace contains it, whatever its id, pending and stored', async () => {
    const workspace = await newWorkspace()
    const ids = ['plain', '../a/b?c=d&e#f', 'ü 100%', "' OR 1=1"]
    const { id } = await recordTrace(workspace, {
      logs: ids.map((logId) => ({
        id: logId,
        type: 'generation',
        input: { question: logId },
        output: ['a', null],
        metadata: { model: 'gpt-4o', deep: { a: [1] } },
        variables: [{ label: 'a', value: 'b' }],
      })),
    })
    for (const state of ['pending', 'stored']) {
      const { trace } = await workspace.ok(operations.traces.get, { id })
      for (const [index, logId] of ids.entries())
        assert.deepEqual((await workspace.ok(get, { id, logId })).log, trace.logs[index], `${state} ${logId}`)
      await app.flush()
    }
  })

  it('400: for a request without the id of a log', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace)
    // Safe: the request is invalid on purpose.
    const input = { id } as { id: string; logId: string }
    assert.match(await workspace.refused(get, input, 400), /logId/)
  })

  it('404: for a log that the trace does not have, and for a trace that does not exist', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { id } = await recordTrace(workspace, { logs: [{ id: 'a', type: 'event' }] })
    const { id: foreign } = await recordTrace(other, { logs: [{ id: 'a', type: 'event' }] })
    for (let round = 0; round < 2; round++) {
      const missing = await workspace.refused(get, { id, logId: 'b' }, 404)
      assert.equal(missing, `The trace "${id}" has no log with the id "b".`)
      for (const unknown of [foreign, 'nobody', '01890000-0000-7000-8000-000000000000']) {
        const message = await workspace.refused(get, { id: unknown, logId: 'a' }, 404)
        assert.equal(message, `No trace has the id "${unknown}".`)
      }
      await app.flush()
    }
  })
})
