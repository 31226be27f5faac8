import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AIMessage } from '@langchain/core/messages'
import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph'
import { createClient } from '@plumbline/sdk'
import { plumblineCallback } from '@plumbline/sdk/langchain'
import { startService } from '../sdk/src/testing.ts'

const { url, workspace } = await startService()
const plumbline = createClient({ baseUrl: url, apiKey: workspace.key.secret, batchDelayMs: 1 })
const State = Annotation.Root({ city: Annotation<string> })
const options = () => ({
  configurable: { thread_id: 't1' },
  callbacks: [plumblineCallback({ plumbline, parent: trace })],
})
let trace = plumbline.trace({})

async function readTrace() {
  trace.end()
  await plumbline.flush()
  const response = await plumbline.traces.get({ id: trace.traceId })
  return response.trace
}

it('a graph that waits for a person has not failed', async () => {
  const graph = new StateGraph(State)
    .addNode('ask', () => ({ city: interrupt<string, string>('Which city?') }))
    .addEdge(START, 'ask')
    .compile({ checkpointer: new MemorySaver() })
  trace = plumbline.trace({ name: 'asked' })
  await graph.invoke({ city: '' }, options())
  const waitingTrace = await readTrace()
  assert.equal(waitingTrace.totals.errors, 0)
  const [{ value } = {}] = waitingTrace.logs.find(({ name }) => name === 'ask')!.output as {
    value?: string
  }[]
  assert.equal(value, 'Which city?')

  trace = plumbline.trace({ name: 'resumed' })
  assert.equal((await graph.invoke(new Command({ resume: 'Lyon' }), options())).city, 'Lyon')
  assert.equal((await readTrace()).totals.errors, 0)
})

it('a graph that hands over to its parent graph has not failed', async () => {
  const inner = new StateGraph(State)
    .addNode('leave', () => new Command({ graph: Command.PARENT, goto: 'other', update: { city: 'Lyon' } }))
    .addEdge(START, 'leave')
    .compile()
  const outer = new StateGraph(State)
    .addNode('inner', inner, { ends: ['other'] })
    .addNode('other', () => ({}))
    .addEdge(START, 'inner')
    .compile()
  trace = plumbline.trace({ name: 'handed over' })
  assert.equal((await outer.invoke({ city: '' }, options())).city, 'Lyon')
  const outerTrace = await readTrace()
  assert.equal(outerTrace.totals.errors, 0)
  assert.match(JSON.stringify(outerTrace.logs.find(({ name }) => name === 'leave')!.output), /other/)
})

it('the messages of a command are recorded in the form that models accept', async () => {
  const graph = new StateGraph(State)
    .addNode('answer', () => new Command({ update: { city: 'Lyon', messages: [new AIMessage('In Lyon.')] } }))
    .addEdge(START, 'answer')
    .compile()
  trace = plumbline.trace({ name: 'commanded' })
  await graph.invoke({ city: '' }, options())
  const { logs } = await readTrace()
  const output = JSON.stringify(logs.find(({ name }) => name === 'answer')!.output)
  assert.match(output, /\{"role":"assistant","content":"In Lyon\."\}/)
})
