// page, part 8: 10,000 logs are opened in pages.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type OutlinedLog, operations } from '@plumbline/contract'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import { recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list } = operations.logs
const testApp = await startTestApp()
const { app, newWorkspace } = testApp

/** All pages of the logs of a trace. */
async function pagesOf(workspace: TestWorkspace, input: { id: string; limit?: number; q?: string }) {
  const pages: OutlinedLog[][] = []
  for (let cursor: string | undefined; ; ) {
    const { logs, nextCursor } = await workspace.ok(list, cursor === undefined ? input : { ...input, cursor })
    pages.push(logs)
    if (nextCursor === undefined) return pages
    cursor = nextCursor
  }
}

/** Runs the same assertions while a trace is in the spool, and again after it is stored. */
async function pendingAndStored(check: () => Promise<void>): Promise<void> {
  await check()
  await app.flush()
  await check()
}

const several = Array.from({ length: 25 }, (_, index) => ({
  id: `log ${25 - index}`,
  type: 'event',
  name: `step ${index}`,
  input: { text: 'x'.repeat(1000) },
}))

describe('logs.list', () => {
  it('200: returns the logs of a trace in the order they were sent, in pages, pending and stored', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, { logs: several })
    await pendingAndStored(async () => {
      const pages = await pagesOf(workspace, { id, limit: 10 })
      assert.deepEqual(
        pages.map(({ length }) => length),
        [10, 10, 5],
      )
      assert.deepEqual(
        pages.flat().map((log) => log.id),
        several.map((log) => log.id),
      )
      assert.ok(pages.flat().every((log) => !('input' in log)))
    })
  })

  it('200: returns the fields of a log that a tree shows, the same pending and stored', async () => {
    const workspace = await newWorkspace()
    const call = {
      id: 'call',
      type: 'generation',
      name: 'ask',
      parentId: 'agent',
      inputTokens: 10,
      outputTokens: 2,
    }
    const { id } = await recordTrace(workspace, {
      logs: [
        { id: 'agent', type: 'span', startTime: '2026-03-01T10:00:00Z', endTime: '2026-03-01T10:00:01Z' },
        { ...call, metadata: { model: 'gpt-4o', provider: 'openai' }, output: 'yes' },
        { id: 'mail', type: 'tool', metadata: { error: { message: 'The mail server was down.' } } },
        { id: 'calm', type: 'tool', metadata: { error: false } },
      ],
    })
    await pendingAndStored(async () => {
      const [[agent, ask, mail, calm] = []] = await pagesOf(workspace, { id })
      assert.deepEqual(agent, {
        id: 'agent',
        type: 'span',
        name: null,
        parentId: null,
        startTime: '2026-03-01T10:00:00.000000Z',
        endTime: '2026-03-01T10:00:01.000000Z',
        error: null,
      })
      assert.deepEqual(
        [
          ask?.parentId,
          ask?.model,
          ask?.inputTokens,
          ask?.outputTokens,
          ask?.tokensEstimated,
          ask?.countsInTotals,
        ],
        ['agent', 'gpt-4o', 10, 2, false, true],
      )
      assert.ok(ask?.cost && ask.costEstimate === ask.cost && ask.costDetail === undefined)
      assert.deepEqual([mail?.error, calm?.error], ['The mail server was down.', null])
      const detailed = await workspace.ok(list, { id, costDetail: true })
      assert.ok(detailed.logs[1]?.costDetail)
    })
  })

  it('200: searches names, types, models, ids, errors, inputs and outputs, pending and stored', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, {
      logs: [
        { id: 'one', type: 'span', name: 'Größe', input: 'He said "WAIT" twice' },
        { id: 'two', type: 'tool', output: { state: 'wait' } },
        { id: 'three', type: 'tool', metadata: { error: 'It was 100% late', other: 'wait' } },
        { id: 'four', type: 'generation', metadata: { model: 'gpt-4o' }, input: "it's", output: 'no' },
      ],
    })
    const searches = {
      GRÖSSE: [],
      GRÖßE: ['one'],
      wait: ['one', 'two'],
      '"wait"': ['one', 'two'],
      'type:tool wait': ['two'],
      '100%': ['three'],
      "it's": ['four'],
      'gpt-4o': ['four'],
      THREE: ['three'],
      ' ': ['one', 'two', 'three', 'four'],
    }
    await pendingAndStored(async () => {
      for (const [q, ids] of Object.entries(searches)) {
        const pages = await pagesOf(workspace, { id, q, limit: 1 })
        assert.deepEqual(
          pages.flat().map((log) => log.id),
          ids,
          q,
        )
      }
    })
  })

  it('200: ends a page before it becomes too large, and continues after it', async () => {
    const workspace = await newWorkspace()
    const logs = several.map((log) => ({ ...log, name: 'n'.repeat(100_000) }))
    const { id } = await recordTrace(workspace, { logs })
    await pendingAndStored(async () => {
      const pages = await pagesOf(workspace, { id })
      assert.ok(pages.every((page) => JSON.stringify(page).length < 600_000))
      assert.deepEqual(
        pages.flat().map((log) => log.id),
        several.map((log) => log.id),
      )
    })
  })

  it('200: returns the spans of an OpenTelemetry trace that is not assembled yet, by both of its ids', async () => {
    const workspace = await newWorkspace()
    const span = jsonSpan({
      traceId: idOf(41, 16),
      spanId: idOf(41, 8),
      parentSpanId: idOf(40, 8),
      name: 'child',
    })
    await postJson(testApp, workspace, jsonExport([span]))
    const otelId = idOf(41, 16)
    await pendingAndStored(async () => {
      const { trace } = await workspace.ok(operations.traces.outline, { id: otelId })
      for (const id of [otelId, trace.id]) {
        const [log] = (await pagesOf(workspace, { id })).flat()
        assert.equal(log?.name, 'child')
        const whole = await workspace.ok(operations.logs.get, { id, logId: log?.id ?? '' })
        assert.equal(whole.log.name, 'child')
      }
    })
  })

  it('400: for a cursor of another list, or a search that is too long', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, { logs: several })
    for (const cursor of ['x', Buffer.from('["logs",-1]').toString('base64url')])
      assert.match(await workspace.refused(list, { id, cursor }, 400), /^cursor: /)
    assert.match(await workspace.refused(list, { id, q: 'x'.repeat(501) }, 400), /^q: /)
  })

  it('404: for a trace that does not exist or belongs to another workspace', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { id: foreign } = await recordTrace(other, { logs: several })
    await pendingAndStored(async () => {
      for (const id of ['nobody', '01890000-0000-7000-8000-000000000000', foreign])
        assert.equal(await workspace.refused(list, { id }, 404), `No trace has the id "${id}".`)
    })
  })
})
