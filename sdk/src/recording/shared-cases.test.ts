/** The cases that this client and the Python client must both pass. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Log, Prompt, StoredTrace } from '@plumbline/contract'
import { draw } from '@plumbline/contract/rollout-draw'
import { eventually } from '../../../fixtures/eventually.ts'
import { formatTable } from '../client/experiment-table.ts'
import { summarize } from '../client/summarize.ts'
import type { RowResult } from '../experiment.ts'
import { gateMarkdown, judgeGate, readRule, readRules } from '../gate.ts'
import { createClient, type Mask, type Plumbline, type Recording, type TraceFields } from '../index.ts'
import { render } from '../render.ts'
import { answerWith, type Fate, fates, startProxy, startService } from '../testing.ts'

type Values = Readonly<Record<string, unknown>>

interface CaseLog extends Values {
  readonly type: Log['type']
  readonly name: string
  readonly logs?: readonly CaseLog[]
}

interface TraceCase {
  readonly title: string
  readonly trace: Values
  readonly logs: readonly CaseLog[]
}

interface Response {
  readonly status: number
  readonly body: unknown
  readonly headers?: Record<string, string>
}

interface Cases {
  readonly render: readonly {
    readonly title?: string
    readonly text: string
    readonly systemText?: string
    readonly promptMessages?: Prompt['messages']
    readonly variables: Values
    readonly messages?: unknown
    readonly fails?: boolean
  }[]
  readonly draws: readonly { readonly id: string; readonly key: string; readonly draw: number }[]
  readonly traces: readonly (TraceCase & { readonly warning?: string })[]
  readonly masks: readonly (TraceCase & {
    readonly hook: keyof typeof hooks
    readonly stored: Values
    readonly storedLog?: Values
    readonly storedWithout?: readonly string[]
  })[]
  readonly deliveries: readonly {
    readonly title: string
    readonly answers: readonly (Response | 'break')[]
    readonly delivered: number
    readonly retried: number
    readonly dropped: Values
  }[]
  readonly prompts: readonly {
    readonly title: string
    readonly ttl: number
    readonly answers: readonly { readonly version?: string; readonly status?: number }[]
    readonly calls: readonly string[]
    readonly then?: string
    readonly requests?: number
  }[]
  readonly scores: readonly {
    readonly evaluators: readonly string[]
    readonly thresholds: Readonly<Record<string, number>>
    readonly rows: readonly { readonly scores: RowResult['scores']; readonly error?: string }[]
    readonly unstored?: number
    readonly hasPassed: boolean
    readonly table: readonly string[]
  }[]
  readonly gate: {
    readonly comparison: Parameters<typeof judgeGate>[0] & Parameters<typeof gateMarkdown>[0]
    readonly rules: readonly string[]
    readonly verdict: unknown
    readonly markdown: readonly string[]
    readonly unreadable: readonly { readonly rule: string; readonly error: string }[]
  }
}

const upper = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toUpperCase()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, upper(each)]))
}

const hooks = {
  upper: (value) => upper(value),
  failOnInput: (value, { field }) => {
    if (field === 'input') throw new Error('no')
    return value
  },
  dropMetadata: (value, { field }) => (field === 'metadata' ? undefined : value),
} satisfies Record<string, Mask>

// Safe: the file is ours, and all its cases run below.
const cases = JSON.parse(
  readFileSync(new URL('../../../fixtures/clients/cases.json', import.meta.url), 'utf8'),
) as Cases
const { url, workspace } = await startService()
const makeClient = (options: object = {}): Plumbline =>
  createClient({
    baseUrl: url,
    apiKey: workspace.key.secret,
    onError() {},
    batchDelayMs: 1,
    pauseMsMin: 5,
    pauseMsMax: 20,
    ...options,
  })

function recordLogs(parent: Recording, logs: readonly CaseLog[]): void {
  for (const { type, logs: inner = [], ...fields } of logs) {
    if (type === 'event') parent.event(fields)
    else {
      const step = parent[type](fields)
      recordLogs(step, inner)
      step.end()
    }
  }
}

async function record(plumbline: Plumbline, { trace, logs }: TraceCase): Promise<StoredTrace> {
  const recording = plumbline.trace(trace as TraceFields)
  recordLogs(recording, logs)
  recording.end()
  const storedRecording = await recording.recorded()
  return (await plumbline.traces.get({ id: storedRecording!.trace.id })).trace
}

/** The stored object contains what was recorded, and may contain more: the service adds to the metadata. */
function hasFields(record: object, expectation: Values): void {
  for (const [name, value] of Object.entries(expectation)) {
    const storedValue: unknown = Reflect.get(record, name)
    if (name === 'metadata') hasFields(storedValue as object, value as Values)
    else if (name === 'error') assert.equal((Reflect.get(record, 'metadata') as Values).error, value)
    else if (name === 'prompt') assert.equal((storedValue as Values).slug, (value as Values).slug)
    else if (name === 'variables')
      assert.deepEqual(
        storedValue,
        Object.entries(value as Values).map(([label, each]) => ({ label, value: each })),
      )
    else assert.deepEqual(storedValue, value, name)
  }
}

function hasLogs(record: StoredTrace, expectation: readonly CaseLog[], parentId: string): void {
  for (const { logs = [], ...fields } of expectation) {
    const log = record.logs.find(({ name }) => name === fields.name)!
    assert.equal(log.parentId, parentId)
    hasFields(log, fields)
    hasLogs(record, logs, log.id)
  }
}

describe('behavior of both clients', () => {
  for (const { title, text, systemText = '', promptMessages, variables, messages, fails } of cases.render) {
    it(`renders ${title ?? text}`, () => {
      const prompt = { text, systemText, ...(promptMessages && { messages: promptMessages }) }
      if (fails) assert.throws(() => render(prompt, variables), { name: 'TemplateFailed' })
      else assert.deepEqual(render(prompt, variables), messages)
    })
  }

  it('selects rollout versions', () => {
    for (const { id, key, draw: expected } of cases.draws) assert.equal(draw(id, key), expected)
  })

  for (const traceCase of cases.traces) {
    it(`records ${traceCase.title}`, async () => {
      const storedTrace = await record(makeClient(), traceCase)
      hasFields(storedTrace, traceCase.trace)
      hasLogs(storedTrace, traceCase.logs, storedTrace.logs[0]!.id)
      assert.ok((storedTrace.warning ?? '').includes(traceCase.warning ?? ''))
    })
  }

  for (const maskCase of cases.masks) {
    it(`masks: ${maskCase.title}`, async () => {
      const errors: Error[] = []
      const plumbline = makeClient({
        mask: hooks[maskCase.hook],
        onError: (error: Error) => errors.push(error),
      })
      const storedTrace = await record(plumbline, maskCase)
      hasFields(storedTrace, maskCase.stored)
      for (const key of maskCase.storedWithout ?? [])
        assert.ok(!Object.hasOwn(Object(storedTrace.metadata), key))
      if (maskCase.storedLog) hasFields(storedTrace.logs.at(-1)!, maskCase.storedLog)
      assert.equal(errors.length > 0, maskCase.hook === 'failOnInput')
    })
  }

  for (const { title, answers, delivered, retried, dropped } of cases.deliveries) {
    it(`delivers after ${title}`, async () => {
      const proxy = await startProxy(url)
      proxy.fate(
        fates.pass,
        ...answers.map((response): Fate => (response === 'break' ? fates.breakOff : answer(response))),
      )
      const plumbline = makeClient({ baseUrl: proxy.url })
      plumbline.trace({ name: 'one' }).end()
      await eventually(async () => assert.equal((await plumbline.flush({ timeoutMs: 1000 })).pending, 0))
      const { stats } = plumbline
      assert.deepEqual([stats.delivered, stats.retried], [delivered, retried])
      assert.deepEqual(
        Object.fromEntries(Object.entries(stats.dropped).filter(([, count]) => count)),
        dropped,
      )
    })
  }

  for (const { title, ttl, answers, calls, then, requests } of cases.prompts) {
    it(`serves a prompt, which ${title}`, async () => {
      const proxy = await startProxy(url)
      proxy.fate(answer({ status: 503, body: { error: 'No more.' } }), ...answers.map(promptAnswer))
      const plumbline = makeClient({ baseUrl: proxy.url, promptTtlMs: ttl * 1000 })
      const version = () =>
        plumbline.prompt('p').then(
          ({ prompt }) => prompt.version,
          () => 'error',
        )
      const versions: string[] = []
      for (const _ of calls) versions.push(await version())
      assert.deepEqual(versions, calls)
      if (then !== undefined)
        await eventually(async () => {
          assert.ok(proxy.requests.length >= answers.length)
          assert.equal(await version(), then)
        })
      if (requests !== undefined) assert.equal(proxy.requests.length, requests)
    })
  }

  it('summarizes scores in a table', () => {
    for (const { evaluators, thresholds, rows, unstored = 0, hasPassed, table } of cases.scores) {
      const judge = Object.fromEntries(evaluators.map((name) => [name, () => 1]))
      // Safe: these are the fields that the summary and the table read.
      const results = rows.map(({ scores, error }) => ({
        scores,
        ...(error === undefined ? {} : { error: new Error(error) }),
      })) as unknown as RowResult[]
      const summary = summarize({ evaluators: judge, thresholds }, results)
      assert.equal(summary.hasPassed, hasPassed)
      const text = formatTable({ plan: { name: 'Try' }, results, durationMs: 1500, unstored, ...summary })
      assert.deepEqual(text.trimEnd().split('\n'), table)
    }
  })

  it('judges a gate, with the same messages', () => {
    const { comparison, rules, verdict, markdown, unreadable } = cases.gate
    const judged = judgeGate(comparison, 'c', readRules(rules))
    assert.deepEqual(judged, verdict)
    assert.deepEqual(gateMarkdown(comparison, 'c', judged, 'http://x/compare').split('\n'), markdown)
    for (const { rule, error } of unreadable) assert.throws(() => readRule(rule), { message: error })
  })
})

function answer({ status, body, headers = {} }: Response): Fate {
  return answerWith(status, typeof body === 'string' ? body : JSON.stringify(body), headers)
}

function promptAnswer({ version, status }: { version?: string; status?: number }): Fate {
  if (version === undefined) return answer({ status: status!, body: status === 304 ? '' : { error: 'No.' } })
  const prompt = { slug: 'p', text: 't', systemText: '', version, tag: 'production', model: {} }
  return answer({ status: 200, body: { prompt }, headers: { etag: `"${version}"` } })
}
