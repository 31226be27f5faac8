import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRule } from './rule.ts'
import type { Subject, SubjectLog } from './subject.ts'
import { toolCallsIn, toolCallsOf } from './tool-calls.ts'

const weather = { name: 'weather', arguments: { city: 'Paris' } }

const log = (fields: Partial<SubjectLog>): SubjectLog => ({
  id: 'a',
  parentId: null,
  type: 'span',
  name: null,
  input: null,
  output: null,
  idealOutput: null,
  metadata: null,
  startTime: null,
  endTime: null,
  ...fields,
})

describe('tool calls', () => {
  const writtenForms: Readonly<Record<string, unknown>> = {
    'OpenAI chat completions': {
      role: 'assistant',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } },
      ],
    },
    'OpenAI responses': [
      { type: 'reasoning', summary: [] },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Paris"}' },
    ],
    Anthropic: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Paris' } },
      ],
    },
    Gemini: {
      candidates: [{ content: { parts: [{ functionCall: { name: 'weather', args: { city: 'Paris' } } }] } }],
    },
    'AI SDK': [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Paris' } }],
    OpenTelemetry: [
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }],
      },
    ],
    'JSON in a text': JSON.stringify({ tool_calls: [{ function: weather }] }),
  }
  for (const [writer, value] of Object.entries(writtenForms)) {
    it(`are found in the format of ${writer}`, () => assert.deepEqual(toolCallsIn(value), [weather]))
  }

  it('come from tool logs, else from generations, else from the output', () => {
    const output = writtenForms.Anthropic
    const tool = log({ type: 'tool', name: 'search', input: '{"q":"x"}' })
    const generation = log({ type: 'generation', output: writtenForms['AI SDK'] })
    const search = { name: 'search', arguments: { q: 'x' } }
    assert.deepEqual(toolCallsOf({ logs: [generation, tool], output }), [search])
    assert.deepEqual(toolCallsOf({ logs: [generation], output: 'Done.' }), [weather])
    assert.deepEqual(toolCallsOf({ logs: [], output }), [weather])
    assert.deepEqual(toolCallsOf({ logs: [], output: 'No {"tool_use".' }), [])
  })
})

describe('the rule tool_calls', () => {
  const calls: [name: string, input: Record<string, unknown> | null][] = [
    ['search', { q: 'refund', limit: 5 }],
    ['refund', { order: 7 }],
  ]
  const judge = (config: object, idealOutput: unknown = null) => {
    const logs = calls.map(([name, input]) => log({ type: 'tool', name, input }))
    return readRule('tool_calls', { ...config })({ output: 'Done.', idealOutput, logs } as unknown as Subject)
  }
  const both = ['refund', 'search']

  it('passes if every expected tool was called with the expected arguments, in any order', () => {
    assert.equal(judge({ expected: both }).value, true)
    assert.equal(judge({ expected: ['search', { name: 'refund', arguments: { order: 7 } }] }).value, true)
    assert.equal(judge({}, both).value, true)
    assert.equal(judge({}, '[{"name":"search"},{"name":"refund"}]').value, true)
  })

  it('lists missing calls, extra calls, and calls with other arguments', () => {
    const comments: [config: object, comment: string][] = [
      [{ expected: ['search', 'mail'] }, 'mail was not called.'],
      [{ expected: ['search'] }, 'Not expected: refund.'],
      [{ expected: [] }, 'Not expected: search, refund.'],
      [{ expected: ['search', 'search'] }, 'search was not called often enough.'],
      [{ expected: both, ordered: true }, 'search was not called in the expected order.'],
      [
        { expected: ['search', { name: 'refund', arguments: { order: 8 } }] },
        'refund was called with {"order":7}, not {"order":8}.',
      ],
    ]
    for (const [config, comment] of comments) assert.deepEqual(judge(config), { value: false, comment })
  })

  it('allows other calls if configured, and gives no verdict if nothing is expected', () => {
    assert.equal(judge({ expected: ['search'], allowOthers: true }).value, true)
    assert.equal(judge({}).value, null)
    assert.equal(judge({}, 'Money is back.').value, null)
  })
})
