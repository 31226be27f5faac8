import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { StoredTrace } from '@plumbline/contract'
import { createClient, type TraceRecording } from '../index.ts'
import { startService } from '../testing.ts'

const { url, workspace } = await startService()
const plumbline = createClient({ baseUrl: url, apiKey: workspace.key.secret, batchDelayMs: 1, onError() {} })

async function readBack({ traceId }: TraceRecording): Promise<StoredTrace> {
  await plumbline.flush()
  return (await plumbline.traces.get({ id: traceId })).trace
}

/** The trace that a function recorded. */
async function traceOf(act: () => unknown): Promise<StoredTrace> {
  let recording: TraceRecording | undefined
  await plumbline.trace({ name: 'around' }, async (trace) => {
    recording = trace
    await act()
  })
  return readBack(recording!)
}

const facts = ({ logs }: StoredTrace) =>
  logs.slice(1).map(({ name, type, parentId, input, output }) => ({
    name,
    type,
    parent: logs.find(({ id }) => id === parentId)?.name,
    input,
    output,
  }))

describe('an observed function', () => {
  it('is a log in the current recording, nested like the calls, synchronous or not', async () => {
    const add = plumbline.observe(function add(a: number, b: number) {
      return a + b
    })
    const answer = plumbline.observe(
      async (question: string) => {
        await new Promise((resolve) => setImmediate(resolve))
        return `${question} ${add(1, 2)}`
      },
      { name: 'answer', type: 'tool', metadata: { team: 'a' } },
    )
    const trace = await traceOf(async () => assert.equal(await answer('How many?'), 'How many? 3'))
    assert.deepEqual(facts(trace), [
      { name: 'answer', type: 'tool', parent: 'around', input: 'How many?', output: 'How many? 3' },
      { name: 'add', type: 'function', parent: 'answer', input: [1, 2], output: '3' },
    ])
  })

  it('keeps its name, its receiver and its errors', async () => {
    const counter = {
      count: 2,
      read: plumbline.observe(function read(this: { count: number }) {
        if (this.count > 2) throw new RangeError('Too many.')
        return this.count
      }),
    }
    assert.equal(counter.read.name, 'read')
    const trace = await traceOf(() => {
      assert.equal(counter.read(), 2)
      counter.count = 3
      assert.throws(() => counter.read(), RangeError)
    })
    assert.deepEqual(trace.logs[2]!.metadata?.error, { name: 'RangeError', message: 'Too many.' })
  })

  it('records generators of both kinds with their items, nested where they were called', async () => {
    const words = plumbline.observe(function* words(): Generator<string, void> {
      yield 'In '
      plumbline.current?.event({ name: 'half way' })
      yield 'Lyon.'
    })
    const numbers = plumbline.observe(async function* numbers() {
      yield 1
      yield 2
      yield 3
    })
    const trace = await traceOf(async () => {
      assert.deepEqual([...words()], ['In ', 'Lyon.'])
      for await (const number of numbers()) if (number === 2) break
    })
    assert.deepEqual(
      facts(trace).map(({ name, parent, output }) => [name, parent, output]),
      [
        ['words', 'around', 'In Lyon.'],
        ['half way', 'words', null],
        ['numbers', 'around', [1, 2]],
      ],
    )
  })

  it('is a trace of its own if nothing is current, and its arguments and result can be left out', async () => {
    let traceId = ''
    const secret = plumbline.observe(
      (_password: string) => {
        traceId = plumbline.current!.traceId
        plumbline.updateTrace({ user: { id: 'u1', name: 'Ada' }, tags: ['x'] })
        return 'token'
      },
      { name: 'sign in', captureInput: false, captureOutput: false },
    )
    assert.equal(secret('hunter2'), 'token')
    await plumbline.flush()
    const { trace } = await plumbline.traces.get({ id: traceId })
    assert.deepEqual([trace.name, trace.input, trace.output, trace.user?.id], ['sign in', null, null, 'u1'])
    assert.equal(trace.logs.length, 1)
  })
})

describe('a trace over several processes', () => {
  it('continues where its traceparent arrives, in any form', async () => {
    const front = plumbline.trace({ name: 'front' })
    const headers = front.traceHeaders()
    assert.match(headers.traceparent, /^00-[\da-f]{32}-[\da-f]{16}-01$/)
    const forms = [headers.traceparent, headers, new Headers(headers), { traceparent: [headers.traceparent] }]
    for (const [index, parent] of forms.entries()) plumbline.trace({ name: `back ${index}`, parent }).end()
    front.end()
    const { logs, name } = await readBack(front)
    assert.equal(name, 'front')
    assert.deepEqual(
      logs
        .filter(({ id }) => id !== front.id)
        .map((log) => [log.name, log.parentId])
        .sort(),
      forms.map((_, index) => [`back ${index}`, front.id]),
    )
  })

  it('starts anew if the traceparent is invalid', () => {
    const zero = `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`
    for (const parent of ['', 'x', zero, {}, new Headers(), null as never])
      assert.notEqual(plumbline.trace({ parent }).traceId, '0'.repeat(32))
  })

  it('passes on the headers of the current recording', () => {
    assert.deepEqual(plumbline.traceHeaders(), {})
    plumbline.trace({}, (trace) => assert.deepEqual(plumbline.traceHeaders(), trace.traceHeaders()))
  })
})

describe('a running trace', () => {
  it('has its id and its URL at once, and can be read and scored before it ends', async () => {
    const trace = plumbline.trace({ name: 'running', input: 'Hi' })
    trace.tool({ name: 'done' }).end()
    plumbline.score({ traceId: trace.traceId, name: 'thumb', value: true })
    const storedTrace = await readBack(trace)
    assert.equal(trace.url, `${url}/app/traces/${trace.traceId}`)
    assert.deepEqual([storedTrace.name, storedTrace.input, storedTrace.logs.length], ['running', 'Hi', 2])
    assert.deepEqual(
      storedTrace.scores.map(({ name }) => name),
      ['thumb'],
    )
    trace.end({ output: 'Hello.' })
    assert.equal((await readBack(trace)).output, 'Hello.')
  })
})

describe('the environment and the off switch', () => {
  it('options take precedence over variables, and variables over defaults', async () => {
    const program = `import { createClient } from '${new URL('../index.ts', import.meta.url).href}'
      const plumbline = createClient()
      const trace = plumbline.trace({ name: 'by variables' })
      trace.end()
      await plumbline.flush()
      const { trace: stored } = await plumbline.traces.get({ id: trace.traceId })
      console.log(stored.environment, stored.release)
      const off = createClient({ enabled: false })
      off.trace({ name: 'off' }, () => off.score({ traceId: 'x', name: 'n', value: 1 }))
      console.log((await off.close()).delivered, off.stats.pending)`
    const { stdout } = await runProgram(program, {
      PLUMBLINE_URL: url,
      PLUMBLINE_API_KEY: workspace.key.secret,
      PLUMBLINE_ENVIRONMENT: 'staging',
      PLUMBLINE_RELEASE: '1.2.3',
    })
    assert.equal(stdout, 'staging 1.2.3\n0 0\n')
  })

  it('without a key, nothing is recorded, which is reported once, and the application keeps running', async () => {
    const program = `import { createClient } from '${new URL('../index.ts', import.meta.url).href}'
      const plumbline = createClient()
      console.log(plumbline.trace({}, () => 'done'), (await plumbline.close()).delivered)`
    const { stdout, stderr } = await runProgram(program, {})
    assert.equal(stdout, 'done 0\n')
    assert.match(stderr, /Nothing is recorded: there is no API key/)
  })
})

const runProgram = (program: string, env: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env })
