import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { get } = operations.traces
const { app, newWorkspace } = await startTestApp()

describe('traces.get', () => {
  it('200: returns a trace as soon as it is acknowledged, by its id in upper or lower case', async () => {
    const workspace = await newWorkspace()
    const { id, trace } = await recordTrace(workspace, { name: 'here' })
    assert.equal(trace.name, 'here')
    assert.equal((await workspace.ok(get, { id: id.toUpperCase() })).trace.id, id)
  })

  it('200: has the logs in the order they were sent, however many', async () => {
    const workspace = await newWorkspace()
    const logs = Array.from({ length: 1200 }, (_, index) => ({ id: `log ${1200 - index}`, type: 'event' }))
    const { id } = await recordTrace(workspace, { logs })
    await app.flush()
    const { trace } = await workspace.ok(get, { id })
    assert.deepEqual(
      trace.logs.map((log) => log.id),
      logs.map((log) => log.id),
    )
  })

  it('404: is a trace that does not exist, before and after others are stored, or of another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { id: pending } = await recordTrace(other)
    for (const id of ['nobody', '01890000-0000-7000-8000-000000000000', pending, "' OR 1=1"]) {
      assert.equal(await workspace.refused(get, { id }, 404), `No trace has the id "${id}".`)
    }
    await app.flush()
    await workspace.refused(get, { id: pending }, 404)
  })
})
