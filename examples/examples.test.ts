import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type OutputOf, operations } from '@plumbline/contract'
import { hostEnvironment } from '../fixtures/environment.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startModelServer } from '../fixtures/model-server/server.ts'
import { startService } from '../sdk/src/testing.ts'

const model = await startModelServer()
after(() => model.close())
const { url, workspace } = await startService()

type Trace = OutputOf<typeof operations.traces.get>['trace']
type Log = Trace['logs'][number]

/** Runs an example from the command line, and returns its output and the trace that it recorded. */
async function run(file: string, name: string): Promise<{ output: string; trace: Trace }> {
  const { stdout: output } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, file)], {
    env: {
      ...hostEnvironment,
      PLUMBLINE_URL: url,
      PLUMBLINE_API_KEY: workspace.key.secret,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${workspace.key.secret}`,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'any',
    },
  })
  const { traces } = await eventually(async () => {
    const listed = await workspace.ok(operations.traces.list, { name })
    assert.equal(listed.traces.length, 1, `one trace is called "${name}"`)
    return listed
  })
  const { trace } = await workspace.ok(operations.traces.get, { id: traces[0]!.id })
  return { output, trace }
}

/** The generations of a trace, each with its model, tokens and cost. */
function generationsOf({ logs }: Trace): Log[] {
  const generations = logs.filter((log) => log.type === 'generation')
  for (const { model, inputTokens, outputTokens, cost, tokensEstimated } of generations) {
    assert.equal(model, 'gpt-4o-mini')
    assert.ok(inputTokens! > 0 && outputTokens! > 0)
    assert.equal(tokensEstimated, false, 'the model told its tokens')
    assert.ok(cost! > 0)
  }
  return generations
}

/** The logs as a tree of `type name`. */
function treeOf({ logs }: Trace, parentId: string | null = null): unknown[] {
  return logs
    .filter((log) => (log.parentId ?? null) === parentId)
    .map(({ id, type, name }) => {
      const inner = treeOf({ logs } as Trace, id)
      return inner.length === 0 ? `${type} ${name}` : { [`${type} ${name}`]: inner }
    })
}

const toText = (value: unknown): string => JSON.stringify(value)

describe('an example', () => {
  it('with plain fetch records a trace', async () => {
    const { output, trace } = await run('plain-fetch.ts', 'Plain fetch')
    assert.match(output, new RegExp(`/app/traces/${trace.id}`))
    assert.deepEqual(treeOf(trace), ['generation answer'])
    const [answer] = generationsOf(trace)
    assert.match(toText(answer!.input), /bridge in Avignon/)
    assert.ok(output.startsWith(String(answer!.output)))
    assert.equal(trace.totals.inputTokens, answer!.inputTokens)
    assert.deepEqual(trace.user, { id: 'ada', name: 'Ada' })
  })

  it('with the client records a trace, with the documents found for the answer', async () => {
    const { output, trace } = await run('sdk.ts', 'Client')
    assert.deepEqual(treeOf(trace), [{ 'span Client': ['retrieval search', 'generation answer'] }])
    assert.match(toText(trace.logs[1]!.output), /warehouse in Lyon/)
    const [answer] = generationsOf(trace)
    assert.match(toText(answer!.input), /warehouse in Lyon/)
    assert.equal(output.trim(), trace.output)
  })

  it('with the OpenAI client records a trace, with the tool between the generations', async () => {
    const { output, trace } = await run('openai-client.ts', 'OpenAI client')
    assert.deepEqual(
      trace.logs.map(({ type }) => type),
      ['span', 'generation', 'tool', 'generation'],
    )
    const [first, last] = generationsOf(trace)
    assert.match(toText(first!.output), /getWeather/)
    assert.match(toText(last!.input), /18 degrees and sunny in Lyon/)
    assert.equal(output.trim(), trace.output)
  })

  it('with the AI SDK records a trace, including streams', async () => {
    const { output, trace } = await run('ai-sdk.ts', 'AI SDK')
    assert.deepEqual(
      trace.logs.map(({ type }) => type),
      ['span', 'generation', 'tool', 'generation'],
    )
    const [first, last] = generationsOf(trace)
    assert.match(toText(first!.output), /getWeather/)
    assert.match(toText(last!.input), /18 degrees and sunny in Lyon/)
    assert.equal(output.trim(), trace.output)
  })

  it('with LangGraph.js records a trace, nested like the run of the graph', async () => {
    const { output, trace } = await run('langgraph.ts', 'LangGraph')
    const model = { 'span model': ['generation ChatOpenAI', 'span RunnableLambda'] }
    const tools = { 'span tools': ['tool getWeather'] }
    assert.deepEqual(treeOf(trace), [{ 'span LangGraph': ['span __start__', model, tools, model] }])
    const [first, last] = generationsOf(trace)
    assert.match(toText(first!.output), /getWeather/)
    assert.match(toText(last!.input), /18 degrees and sunny in Lyon/)
    assert.ok(toText(last!.output).includes(output.trim()))
  })
})
