import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations, wholeCharactersMax, wholeLogsMax } from '@plumbline/contract'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { get, outline } = operations.traces
const { app, newWorkspace } = await startTestApp()

const generation = { id: 'g', type: 'generation', input: 'a', output: 'b', metadata: { model: 'gpt-4o' } }

describe('traces.outline', () => {
  it('200: equals traces.get if there are few logs, pending and stored', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, {
      name: 'small',
      input: { a: 1 },
      metadata: { b: 2 },
      logs: [generation, { id: 't', type: 'tool' }],
    })
    await workspace.ok(operations.scores.create, { traceId: id, name: 'good', value: true })
    for (const state of ['pending', 'stored']) {
      const { trace, ...otherFields } = await workspace.ok(get, { id })
      assert.deepEqual(
        await workspace.ok(outline, { id }),
        { trace: { ...trace, logCount: 2 }, ...otherFields },
        state,
      )
      await app.flush()
    }
  })

  it('200: leaves out the logs if there are many, and keeps everything else', async () => {
    const workspace = await newWorkspace()
    const logs = Array.from({ length: wholeLogsMax + 1 }, (_, index) => ({ ...generation, id: `${index}` }))
    // Its price is unknown, and its tokens are counted by the service.
    const { id } = await recordTrace(workspace, {
      logs: [...logs, { ...generation, id: 'odd', metadata: { model: 'nobody-knows' } }],
    })
    for (const state of ['pending', 'stored']) {
      const { trace, ...otherFields } = await workspace.ok(get, { id })
      const { logs: all, ...rest } = trace
      assert.equal(rest.totals.unpriced, 1)
      assert.equal(rest.totals.estimated, all.length)
      const expected = { trace: { ...rest, logCount: all.length }, ...otherFields }
      assert.deepEqual(await workspace.ok(outline, { id }), expected, state)
      await app.flush()
    }
  })

  it('200: leaves out few but large logs', async () => {
    const workspace = await newWorkspace()
    const large = { ...generation, input: 'x'.repeat(wholeCharactersMax) }
    const { id } = await recordTrace(workspace, { logs: [large] })
    for (const state of ['pending', 'stored']) {
      const { trace } = await workspace.ok(outline, { id })
      assert.deepEqual([trace.logs, trace.logCount], [undefined, 1], state)
      await app.flush()
    }
  })

  it('404: for a trace that does not exist or belongs to another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { id: foreign } = await recordTrace(other)
    await app.flush()
    for (const id of ['nobody', '01890000-0000-7000-8000-000000000000', foreign])
      assert.equal(await workspace.refused(outline, { id }, 404), `No trace has the id "${id}".`)
  })
})
