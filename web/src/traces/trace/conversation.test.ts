import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StoredLog, StoredTrace } from '@plumbline/sdk'
import { resentIn, resultsAfter } from './conversation.ts'
import { readTrace } from './read-trace.ts'
import type { LogNode } from './tree/trace-tree.ts'

const call = (id: string, input: unknown[], output: unknown): StoredLog => ({
  id,
  type: 'generation',
  name: id,
  parentId: null,
  startTime: null,
  endTime: null,
  metadata: null,
  input,
  output,
  idealOutput: null,
  evaluators: null,
})

const messages = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'Weather?' },
]
const calling = {
  role: 'assistant',
  tool_calls: [{ id: 'c', function: { name: 'weather', arguments: '{}' } }],
}
const toolMessage = { role: 'tool', tool_call_id: 'c', content: 'rain' }

// Safe: nothing else of a trace is read here.
const read = readTrace({
  startTime: '2026-01-01T00:00:00Z',
  endTime: null,
  logs: [call('decide', messages, [calling]), call('answer', [...messages, calling, toolMessage], 'Rain.')],
} as unknown as StoredTrace)
const [decide, answer] = read.nodes as [LogNode, LogNode]

it('a call resends the input and output of the previous one', () => {
  const resent = resentIn(read, answer)
  assert.equal(resent?.call, decide)
  assert.equal(resent?.count, 3)
  assert.equal(resentIn(read, decide), undefined)
})

it('a tool result is found in the call that sent it', () => {
  assert.deepEqual(
    resultsAfter(read, decide).map(({ result }) => result),
    ['rain'],
  )
  assert.deepEqual(resultsAfter(read, answer), [])
})
