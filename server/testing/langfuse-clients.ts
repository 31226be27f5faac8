/** Runs applications with Langfuse's own SDKs against a service, and checks what must have been recorded. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { operations, type Score, type StoredTrace } from '@plumbline/contract'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { otelTraceIdOf, spanIdOf } from '../src/langfuse/ids.ts'
import type { TestWorkspace } from './test-app.ts'

const apps = new URL('../../fixtures/langfuse-clients/', import.meta.url).pathname

/** The output that such an application prints. */
export interface PrintedResult {
  readonly auth?: boolean
  readonly prompts: {
    readonly text: readonly unknown[]
    readonly first: readonly unknown[]
    readonly old: readonly unknown[]
    readonly chat: readonly unknown[]
    readonly fallback: string
  }
  readonly traceId: string
  readonly spans: Readonly<Record<string, string>>
  readonly decoratedTraceId?: string
  readonly dataset?: { readonly name: string; readonly items: readonly (readonly unknown[])[] }
  readonly experiment?: { readonly traceIds: readonly string[] }
  readonly run?: readonly unknown[]
  readonly fetchedTrace?: Readonly<Record<string, unknown>>
  readonly traceIds?: readonly string[]
  readonly session?: number
}

interface Application {
  readonly program: string
  readonly file: string
  readonly parameters?: readonly string[]
}

/** Runs an application with the service's URL and the keys of a workspace; resolves to the printed output. */
export async function runApplication(
  { program, file, parameters = [] }: Application,
  { url, workspace }: { url: string; workspace: TestWorkspace },
): Promise<PrintedResult> {
  const child = spawn(program, [`${apps}${file}`, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: hostEnvironment.PATH,
      LANGFUSE_HOST: url,
      LANGFUSE_BASE_URL: url,
      LANGFUSE_BASEURL: url,
      LANGFUSE_PUBLIC_KEY: 'pk-any',
      LANGFUSE_SECRET_KEY: workspace.key.secret,
      PYTHONDONTWRITEBYTECODE: '1',
    },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  assert.equal(code, 0, `${output.stdout}\n${output.stderr}`)
  const [line = ''] = output.stdout.trim().split('\n').slice(-1)
  return JSON.parse(line) as PrintedResult
}

/** Checks the prompts of every application, as the SDK returned them; older SDKs have no placeholders and no commit messages. */
export function checkPrompts({ prompts }: PrintedResult, { isOld = false } = {}): void {
  const config = { model: 'gpt-4o', temperature: 0.1, extra: { list: [1, 2] } }
  const message = isOld ? [] : ['Harsher.']
  assert.deepEqual(prompts.text, [
    'Movie Critic',
    2,
    ['latest', 'production', 'staging'],
    config,
    ...message,
    'As a mild critic, judge Alien.',
  ])
  assert.deepEqual(prompts.first, [1, 'As a critic, judge {{movie}}.'])
  assert.deepEqual(prompts.old, [1, ['old']])
  assert.deepEqual(prompts.chat, [
    1,
    ['draft', 'latest'],
    [
      { role: 'system', content: 'You are Kurt.' },
      ...(isOld ? [] : [{ role: 'assistant', content: 'Hm.' }]),
      { role: 'user', content: 'And now?' },
    ],
  ])
  assert.equal(prompts.fallback, 'None.')
}

interface Expectation {
  readonly environment?: string
  readonly release?: string
  /** Whether the SDK sends batches: then the trace is a log of its own, above all others. */
  readonly isBatch?: boolean
  /** The SDK's form of the number 3 in metadata. */
  readonly k?: unknown
  readonly temperature?: unknown
}

/** Checks an application's dataset, its items, and its run as an experiment whose traces have their rows and scores. */
export async function checkDataset(output: PrintedResult, workspace: TestWorkspace): Promise<void> {
  assert.equal(output.dataset?.name, 'Trivia set')
  const items = output.dataset.items.map(([id, ...rest]) => [id === 'item-1' ? id : 'own', ...rest])
  assert.deepEqual(items, [
    ['item-1', { q: '1+2' }, { a: 3 }, null],
    ['own', '2+2', '4', null],
  ])
  const { rows } = await workspace.ok(operations.datasets.rows, { slug: 'trivia-set' })
  assert.deepEqual(
    rows.map(({ name, values, idealOutput }) => [name, values, idealOutput]),
    [
      ['item-1', { input: { q: '1+2' }, expectedOutput: { a: 3 } }, '{"a":3}'],
      [undefined, { input: '2+2' }, '4'],
    ],
  )
  const { experiments } = await workspace.ok(operations.experiments.list, {})
  assert.deepEqual(
    experiments.map(({ name, featureSlug }) => [name, featureSlug]),
    [['nightly 1', 'trivia-set']],
  )
  const ids = output.experiment?.traceIds ?? []
  assert.equal(ids.length, 2)
  for (const id of ids)
    await eventually(async () => {
      const { trace } = await workspace.ok(operations.traces.get, { id: otelTraceIdOf(id) })
      assert.equal(trace.experiment?.id, experiments[0]?.id)
      assert.deepEqual(
        trace.scores.map(({ name, comment }) => [name, comment]),
        [['exact', 'compared']],
      )
    })
  const run = await workspace.call(operations.experiments.get, { id: experiments[0]!.id })
  assert.equal(run.status, 200)
}

/** Checks the trace of every application, field by field. */
export async function checkTrace(
  output: PrintedResult,
  workspace: TestWorkspace,
  { environment, release, isBatch = false, k = 3, temperature = 0.2 }: Expectation,
): Promise<void> {
  const trace = await eventually(async () => {
    const read = await workspace.ok(operations.traces.get, { id: otelTraceIdOf(output.traceId) })
    assert.ok(read.trace.logs.length >= (isBatch ? 5 : 4) && read.trace.scores.length === 3)
    return read.trace
  })
  const { tags: _, ...metadata } = trace.metadata ?? {}
  assert.deepEqual(
    [trace.name, trace.user?.id, trace.sessionId, trace.tags, trace.environment, trace.release],
    ['support', 'ann', 'session-1', ['trial', 'eu'], environment ?? null, release ?? null],
  )
  assert.deepEqual([trace.input, trace.output], [{ question: 'Why?' }, { answer: 'Because.' }])
  assert.deepEqual(
    omitField(metadata, 'otel'),
    isBatch ? { tier: 'gold', region: 'eu' } : { tier: 'gold', build: { n: 7 } },
  )
  assert.deepEqual([trace.totals.inputTokens, trace.totals.outputTokens, trace.totals.cost], [14, 5, 0.003])
  assert.ok(trace.endTime !== null)
  checkLogs(trace, output, { isBatch, k, temperature })
  const scoreOf = ({ name, value, comment, logId }: Score) => [name, value, comment, logId]
  assert.deepEqual(trace.scores.map(scoreOf).toSorted(), [
    ['brief', true, null, spanIdOf(output.spans.generation ?? '')],
    ['helpful', 0.8, 'It helps.', null],
    ['tone', 'warm', null, null],
  ])
}

function checkLogs(
  trace: StoredTrace,
  { spans }: PrintedResult,
  { isBatch, k, temperature }: Required<Pick<Expectation, 'isBatch' | 'k' | 'temperature'>>,
): void {
  const logOf = (name: string) => {
    const log = trace.logs.find(({ id }) => id === spanIdOf(spans[name] ?? ''))
    assert.ok(log !== undefined, name)
    return { ...log, metadata: omitField(log.metadata ?? {}, 'otel') }
  }
  const root = logOf('root')
  assert.deepEqual([root.name, root.type, root.input], ['answer', 'span', { question: 'Why?' }])
  assert.deepEqual([root.output, root.metadata], [{ answer: 'Because.' }, { build: { n: 7 } }])
  const retriever = logOf('retriever')
  assert.deepEqual(
    [retriever.name, retriever.type, retriever.parentId, retriever.input, retriever.output],
    ['look up', isBatch ? 'span' : 'retrieval', root.id, 'Why?', ['doc']],
  )
  const type = isBatch ? {} : { type: 'RETRIEVER' }
  assert.deepEqual(retriever.metadata, {
    k,
    langfuse: { ...type, level: 'WARNING', statusMessage: 'slow index' },
  })
  const generation = logOf('generation')
  assert.deepEqual(
    [generation.name, generation.type, generation.parentId, generation.model, generation.cost],
    ['write', 'generation', root.id, 'gpt-4o', 0.003],
  )
  assert.deepEqual(
    [generation.inputTokens, generation.outputTokens, generation.usage?.cacheRead, generation.promptVersion],
    [14, 5, 4, '2'],
  )
  assert.deepEqual(generation.prompt, { slug: 'movie-critic', version: '2' })
  const message = (role: string, content: string) => [{ role, parts: [{ type: 'text', content }] }]
  assert.deepEqual(
    [generation.input, generation.output],
    [message('user', 'Why?'), message('assistant', 'Because.')],
  )
  assert.deepEqual(generation.metadata, { parameters: { temperature }, langfuse: { version: '7' } })
  const failed = logOf(isBatch ? 'event' : 'tool')
  assert.deepEqual(
    [failed.name, failed.type, failed.parentId, failed.metadata.error],
    ['send', isBatch ? 'event' : 'tool', root.id, { message: 'no route' }],
  )
}

const omitField = (fields: object, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
