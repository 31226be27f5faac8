import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeFeature, makeLivePrompt } from '../../../server/testing/test-app.ts'
import { createClient, type TraceRecording } from '../index.ts'
import { startService } from '../testing.ts'

const { url, workspace } = await startService()
const plumbline = createClient({
  baseUrl: url,
  apiKey: workspace.key.secret,
  batchDelayMs: 1,
  onError: () => {},
})
await makeFeature(workspace)
await makeLivePrompt(workspace, { text: 'Hello {{ name }}' })

async function readBack(recording: TraceRecording) {
  await plumbline.flush()
  const recorded = await recording.recorded()
  return (await workspace.ok(operations.traces.get, { id: recorded!.trace.id })).trace
}

describe('a trace', () => {
  it('arrives with all its fields, and its logs nested as they were started', async () => {
    const trace = plumbline.trace({
      name: 'chat',
      featureSlug: 'chat',
      user: { id: 'u1', name: 'Ada' },
      metadata: { plan: 'pro' },
      input: { question: 'Where?' },
    })
    const search = trace.retrieval({ name: 'search', input: 'Where?' })
    search.event({ name: 'cache missed' })
    search.end({ output: ['Lyon'] })
    const { prompt } = await plumbline.prompt('greeting')
    const generation = trace.generation({
      name: 'answer',
      model: 'gpt-4o',
      provider: 'open-ai',
      prompt,
      variables: { name: 'Ada' },
      metadata: { temperature: 0 },
    })
    generation.update({ metadata: { seed: 7 } })
    generation.end({ output: 'In Lyon.', inputTokens: 12, outputTokens: 3 })
    trace.end({ output: 'In Lyon.', metadata: { stars: 5 } })
    const storedTrace = await readBack(trace)
    assert.equal(storedTrace.featureSlug, 'chat')
    assert.deepEqual(storedTrace.user, { id: 'u1', name: 'Ada' })
    assert.deepEqual(storedTrace.metadata, { plan: 'pro', stars: 5 })
    assert.deepEqual([storedTrace.input, storedTrace.output], [{ question: 'Where?' }, 'In Lyon.'])
    const [root, retrieval, event, answer] = storedTrace.logs
    assert.equal(root!.id, trace.id)
    assert.deepEqual([retrieval!.parentId, event!.parentId, event!.type], [root!.id, retrieval!.id, 'event'])
    assert.equal(answer!.id, generation.id)
    const { temperature, seed } = answer!.metadata as Record<string, unknown>
    assert.ok(answer!.type === 'generation')
    assert.deepEqual([temperature, seed, answer!.model, answer!.provider], [0, 7, 'gpt-4o', 'open-ai'])
    assert.equal(answer!.prompt?.slug, 'greeting')
    assert.deepEqual(answer!.input, [{ role: 'user', content: 'Hello Ada' }])
    assert.deepEqual([answer!.inputTokens, answer!.outputTokens], [12, 3])
    assert.ok(Date.parse(storedTrace.endTime!) >= Date.parse(storedTrace.startTime!))
    assert.ok(answer!.startTime! >= storedTrace.startTime!)
  })

  it('records values as they were at the time, even if they change afterwards', async () => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const trace = plumbline.trace({ input: messages })
    messages.push({ role: 'assistant', content: 'Hello' })
    trace.end({ output: 42 })
    const storedTrace = await readBack(trace)
    assert.deepEqual(storedTrace.input, [{ role: 'user', content: 'Hi' }])
    assert.equal(storedTrace.output, '42')
  })

  it('accepts explicit times', async () => {
    const trace = plumbline.trace({ startTime: new Date('2025-06-01T10:00:00Z') })
    trace.end({ endTime: new Date('2025-06-01T10:00:02Z') })
    assert.equal((await readBack(trace)).totals.durationMs, 2000)
  })

  it('ends once; later changes are counted and ignored', async () => {
    const before = plumbline.stats.dropped.late
    const trace = plumbline.trace({ name: 'ended' })
    const open = trace.span({ name: 'open' })
    trace.end({ output: 'first' })
    trace.end({ output: 'again' })
    trace.update({ output: 'late' })
    // A step may outlast its trace.
    open.end({ output: 'after it' })
    const storedTrace = await readBack(trace)
    assert.deepEqual([storedTrace.output, storedTrace.logs[1]!.output], ['first', 'after it'])
    assert.equal(plumbline.stats.dropped.late, before + 1)
  })

  it('accepts any value without an error', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const hostile = new Proxy({}, { ownKeys: () => assert.fail('Do not look.') })
    const trace = plumbline.trace({ input: circle })
    trace.update({ output: 'with it', metadata: hostile })
    trace.generation({ variables: { big: 1n, circle } }).end({ error: new Error('No.', { cause: circle }) })
    trace.end(null as never)
    assert.deepEqual((await readBack(trace)).input, { self: '[circular]' })
  })
})

describe('a trace with a function', () => {
  it('ends with the result of the function, and nests logs across awaits', async () => {
    let recording: TraceRecording | undefined
    const answer = await plumbline.trace({ name: 'with' }, async (trace) => {
      recording = trace
      assert.equal(plumbline.current, trace)
      await Promise.all(
        [1, 2].map((n) =>
          trace.span({ name: `step ${n}` }, async (span) => {
            await new Promise((resolve) => setImmediate(resolve))
            assert.equal(plumbline.current, span)
            plumbline.current?.tool({ name: `tool ${n}` }, () => n)
          }),
        ),
      )
      return { done: true }
    })
    assert.deepEqual(answer, { done: true })
    assert.equal(plumbline.current, undefined)
    const storedTrace = await readBack(recording!)
    assert.deepEqual(storedTrace.output, { done: true })
    const nameOf = (id: string | null) => storedTrace.logs.find((log) => log.id === id)?.name
    const tools = storedTrace.logs.filter(({ type }) => type === 'tool')
    assert.deepEqual(
      tools.map((tool) => [tool.name, nameOf(tool.parentId), tool.output]),
      [
        ['tool 1', 'step 1', '1'],
        ['tool 2', 'step 2', '2'],
      ],
    )
  })

  it('rethrows a failure, and is marked as failed', async () => {
    const failure = new TypeError('It broke.')
    let recording: TraceRecording | undefined
    await assert.rejects(
      plumbline.trace({}, async (trace) => {
        recording = trace
        trace.span({}, () => {
          throw failure
        })
      }),
      failure,
    )
    const storedTrace = await readBack(recording!)
    assert.deepEqual(storedTrace.metadata?.error, { name: 'TypeError', message: 'It broke.' })
    assert.equal(storedTrace.totals.errors, 2, 'of the step and of the trace')
  })

  it('keeps an output that the function has set', async () => {
    let recording: TraceRecording | undefined
    const result = plumbline.trace({}, (trace) => {
      recording = trace
      trace.update({ output: 'mine' })
      return 'theirs'
    })
    assert.equal(result, 'theirs')
    assert.equal((await readBack(recording!)).output, 'mine')
  })
})
