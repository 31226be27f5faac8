// One control plane is enough: all of this is in the trace store, and scores and masking are tested on both elsewhere.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { startTestApp, type TestWorkspace } from '../../testing/test-app.ts'
import { otelTraceIdOf, spanIdOf } from './ids.ts'

const { app, newWorkspace, send } = await startTestApp()

const start = '2026-11-01T10:00:00.000Z'
const later = (seconds: number) => new Date(Date.parse(start) + seconds * 1000).toISOString()

const event = (type: string, body: object, timestamp = start) => ({ id: randomUUID(), type, timestamp, body })

async function ingest({ key }: TestWorkspace, ...batch: readonly unknown[]) {
  const answer = await send({
    method: 'POST',
    url: '/api/public/ingestion',
    payload: { batch },
    headers: { authorization: `Basic ${Buffer.from(`pk:${key.secret}`).toString('base64')}` },
  })
  assert.equal(answer.status, 207, answer.text)
  return JSON.parse(answer.text) as {
    successes: { id: string; status: number }[]
    errors: { id: string; status: number; message: string }[]
  }
}

const readTrace = async (workspace: TestWorkspace, id: string) => {
  await app.flush()
  return (await workspace.ok(operations.traces.get, { id: otelTraceIdOf(id) })).trace
}

describe('POST /api/public/ingestion', () => {
  it('assembles one observation from any batches, in any order, however often they are sent', async () => {
    const workspace = await newWorkspace()
    const [trace, span] = [`order-${randomUUID()}`, 'any text as an id']
    const update = event(
      'span-update',
      { id: span, traceId: trace, endTime: later(2), output: 'b' },
      later(2),
    )
    const create = event('span-create', {
      ...{ id: span, traceId: trace, name: 'step', startTime: start },
      ...{ input: 'a', metadata: { one: 1 } },
    })
    const second = event(
      'span-update',
      { id: span, traceId: trace, metadata: { two: { b: [2] } }, output: 'c' },
      later(3),
    )
    for (const each of [update, second, create, update]) await ingest(workspace, each)
    const { logs, startTime, endTime } = await readTrace(workspace, trace)
    const [log] = logs.filter(({ id }) => id === spanIdOf(span))
    assert.deepEqual([logs.length, log?.name, log?.input, log?.output], [1, 'step', 'a', 'c'])
    assert.deepEqual(
      [log?.startTime, log?.endTime],
      [start, later(2)].map((time) => time.replace('Z', '000Z')),
    )
    const { otel: _, ...metadata } = log?.metadata ?? {}
    assert.deepEqual(metadata, { one: 1, two: { b: [2] } })
    assert.deepEqual([startTime, endTime], [log?.startTime, log?.endTime])
  })

  it('shows the current state of a growing trace, whose root lasts as long as the spans below it', async () => {
    const workspace = await newWorkspace()
    const id = randomUUID()
    await ingest(workspace, event('trace-create', { id, name: 'chat', userId: 'ann', tags: ['a'] }))
    const before = await readTrace(workspace, id)
    assert.deepEqual([before.name, before.logs.length, before.user?.id], ['chat', 1, 'ann'])
    const generation = { id: randomUUID(), traceId: id, name: 'call', startTime: later(1), endTime: later(4) }
    const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 }
    await ingest(workspace, event('generation-create', { ...generation, model: 'gpt-4o', usage }, later(4)))
    await ingest(workspace, event('trace-create', { id, output: 'done', metadata: { k: true } }, later(5)))
    const after = await readTrace(workspace, id)
    const [root, call] = after.logs
    assert.deepEqual(
      [after.id, after.output, after.totals.inputTokens, after.totals.durationMs, root?.endTime],
      [before.id, 'done', 10, 4000, call?.endTime],
    )
    assert.deepEqual(
      [call?.parentId, call?.type, after.tags, after.metadata?.k],
      [root?.id, 'generation', ['a'], true],
    )
  })

  it("converts OpenAI's usage to disjoint buckets", async () => {
    const workspace = await newWorkspace()
    const id = randomUUID()
    const usageDetails = {
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 8 },
      ...{ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    }
    await ingest(
      workspace,
      event('generation-create', { id, traceId: id, model: 'gpt-4o', usageDetails, endTime: later(1) }),
    )
    const [log] = (await readTrace(workspace, id)).logs
    assert.deepEqual(log?.usage, {
      freshInput: 60,
      cacheRead: 40,
      cacheWrite: 0,
      textOutput: 12,
      reasoning: 8,
    })
  })

  it('responds to each event separately, and names the problem of each', async () => {
    const workspace = await newWorkspace()
    const traceId = randomUUID()
    const right = event('event-create', { traceId, name: 'x' })
    const { successes, errors } = await ingest(
      workspace,
      right,
      event('sdk-log', { log: 'mine' }),
      event('no-event', {}),
      event('span-create', { traceId, startTime: 'yesterday' }),
      { ...event('span-create', { traceId }), timestamp: undefined },
      event('score-create', { traceId, name: 'n', value: 'text', dataType: 'NUMERIC' }),
      event('score-create', { sessionId: 's', name: 'n', value: 1 }),
      'nothing',
    )
    assert.deepEqual([successes.length, successes.some(({ id }) => id === right.id)], [2, true])
    const sentences: RegExp[] = [
      /^batch\[2\]\.type: "no-event" is not a known event/,
      /^batch\[3\]\.body\.startTime: must be an ISO 8601/,
      /^batch\[4\]\.timestamp: /,
      /^batch\[7\]: must be an object/,
      /^value: must be a number for a NUMERIC score/,
      /names a session/,
    ]
    assert.equal(errors.length, sentences.length)
    for (const [index, sentence] of sentences.entries()) assert.match(errors[index]!.message, sentence)
    assert.deepEqual(
      errors.map(({ status }) => status),
      [400, 400, 400, 400, 400, 501],
    )
  })

  it('400: for a body without a batch', async () => {
    const { key } = await newWorkspace()
    const answer = await send({
      method: 'POST',
      url: '/api/public/ingestion',
      payload: {},
      headers: { authorization: `Bearer ${key.secret}` },
    })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /batch: must be a list/)
  })

  it('keeps a score until its trace arrives, and replaces it when it is sent again with the same id', async () => {
    const workspace = await newWorkspace()
    const traceId = randomUUID()
    const score = (value: number) =>
      event('score-create', { id: 'mine', traceId, name: 'help', value, comment: 'well' })
    assert.equal((await ingest(workspace, score(0.1))).errors.length, 0)
    await ingest(workspace, event('trace-create', { id: traceId, name: 'late' }))
    await eventually(async () => assert.equal((await readTrace(workspace, traceId)).scores.length, 1))
    await ingest(workspace, score(0.9))
    await eventually(async () => {
      const { scores } = await readTrace(workspace, traceId)
      assert.deepEqual(
        scores.map(({ name, value, comment }) => [name, value, comment]),
        [['help', 0.9, 'well']],
      )
    })
  })

  it('masks before anything is written', async () => {
    const workspace = await newWorkspace()
    const rules = [{ type: 'detector', detector: 'email', name: 'mail', action: 'mask' }]
    const set = await workspace.call(operations.masking.update, { rules })
    assert.equal(set.status, 200, set.text)
    const id = randomUUID()
    await ingest(
      workspace,
      event('generation-create', {
        id,
        traceId: id,
        name: 'x',
        input: 'to ann@example.com',
        endTime: later(1),
      }),
      event('score-create', { traceId: randomUUID(), name: 'n', value: 1, comment: 'by ann@example.com' }),
    )
    const [log] = (await readTrace(workspace, id)).logs
    assert.doesNotMatch(JSON.stringify(log), /ann@example/)
    const { items } = await app.control
      .scopedTo({ workspaceId: workspace.id })
      .jobs.list({ kind: 'langfuse.score' })
    assert.match(JSON.stringify(items), /by \[email\]/)
    assert.doesNotMatch(JSON.stringify(items), /ann@example/)
  })
})
