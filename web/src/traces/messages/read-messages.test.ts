import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Message, Part } from './message.ts'
import { pairTools, type ToolCall, type ToolResult } from './pair-tools.ts'
import { readMessages } from './read-messages.ts'

/** Role and parts in short: `assistant: text Hello | call c1 find {"q":1}`. */
const summarize = (messages: readonly Message[] | undefined): readonly string[] | undefined =>
  messages?.map(({ role, parts }) => `${role}: ${parts.map(summarizePart).join(' | ')}`)

function summarizePart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return `${part.type} ${part.text}`
    case 'toolCall':
      return `call ${part.id} ${part.name} ${JSON.stringify(part.args)}`
    case 'toolResult':
      return `result ${part.id} ${JSON.stringify(part.result)}${part.isError ? ' failed' : ''}`
    case 'image':
      return `image ${part.address}`
    case 'file':
      return `file ${part.name}`
    case 'other':
      return `other ${JSON.stringify(part.value)}`
  }
}

const input = (value: unknown) => summarize(readMessages(value, 'input'))
const output = (value: unknown) => summarize(readMessages(value, 'output'))

describe('messages of', () => {
  it('OpenAI: audio with its transcript', () => {
    const audio = { id: 'audio_1', data: 'UklGRg==', expires_at: 1, transcript: 'It rains.' }
    assert.deepEqual(output({ choices: [{ message: { role: 'assistant', content: null, audio } }] }), [
      'assistant: text It rains. | file Audio',
    ])
    const question = [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }]
    const messages = [
      { role: 'user', content: question },
      { role: 'assistant', audio: { id: 'audio_1' } },
    ]
    assert.deepEqual(input(messages), ['user: file Audio', 'assistant: file Audio'])
    assert.deepEqual(readMessages(messages, 'input')?.[0]?.parts, [
      { type: 'file', name: 'Audio', mediaType: 'audio/wav', address: 'data:audio/wav;base64,UklGRg==' },
    ])
    const answer = [{ role: 'assistant', content: null, audio }]
    assert.deepEqual(readMessages(answer, 'output')?.[0]?.parts[1], {
      type: 'file',
      name: 'Audio',
      mediaType: 'audio/wav',
      address: 'data:audio/wav;base64,UklGRg==',
    })
  })

  it('OpenAI: chat, with calls, results and images', () => {
    const messages = [
      { role: 'developer', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"seen":"a cat"}' },
    ]
    const expected = [
      'system: text Be short.',
      'user: text What is it? | image https://a.example/b.png',
      'assistant: call c1 look {"at":1}',
      'tool: result c1 {"seen":"a cat"}',
    ]
    assert.deepEqual(input(messages), expected)
    assert.deepEqual(input({ model: 'gpt-4o', messages }), expected)
    assert.deepEqual(input(JSON.stringify(messages)), expected)
    assert.deepEqual(output({ choices: [{ index: 0, message: { role: 'assistant', content: 'A cat.' } }] }), [
      'assistant: text A cat.',
    ])
  })

  it('OpenAI: responses, with items among messages', () => {
    assert.deepEqual(
      input([
        { role: 'user', content: 'Weather?' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Ask the tool.' }] },
        { type: 'function_call', call_id: 'c', id: 'fc', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'rain' },
      ]),
      [
        'user: text Weather?',
        'assistant: reasoning Ask the tool.',
        'assistant: call c weather {}',
        'tool: result c "rain"',
      ],
    )
    assert.deepEqual(
      output({
        output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Rain.' }] }],
      }),
      ['assistant: text Rain.'],
    )
    assert.deepEqual(input({ instructions: 'Be kind.', input: 'Hello' }), [
      'system: text Be kind.',
      'user: text Hello',
    ])
  })

  it('Anthropic: content blocks, with the system text beside them', () => {
    assert.deepEqual(
      input({
        system: [{ type: 'text', text: 'You count.', cache_control: { type: 'ephemeral' } }],
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.' },
              { type: 'tool_use', id: 't', name: 'add', input: { a: 1 } },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't',
                is_error: true,
                content: [{ type: 'text', text: 'too big' }],
              },
            ],
          },
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aa' } }],
          },
        ],
      }),
      [
        'system: text You count.',
        'assistant: reasoning Hm. | call t add {"a":1}',
        'user: result t "too big" failed',
        'user: image data:image/png;base64,aa',
      ],
    )
  })

  it('Gemini: contents with parts distinguished only by their key', () => {
    assert.deepEqual(
      input({
        config: { system_instruction: 'Greet.' },
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          { role: 'model', parts: [{ function_call: { name: 'hello', args: {} } }] },
          { role: 'user', parts: [{ function_response: { name: 'hello', response: { ok: true } } }] },
        ],
      }),
      [
        'system: text Greet.',
        'user: text Hi',
        'assistant: call undefined hello {}',
        'user: result undefined {"ok":true}',
      ],
    )
    assert.deepEqual(output({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hello!' }] } }] }), [
      'assistant: text Hello!',
    ])
  })

  it('the Vercel AI SDK: parts, results, and separate calls', () => {
    assert.deepEqual(
      input([
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'find', input: { q: 'x' } }],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c', toolName: 'find', output: { type: 'json', value: [1] } },
          ],
        },
      ]),
      ['assistant: call c find {"q":"x"}', 'tool: result c [1]'],
    )
    assert.deepEqual(output([{ toolCallId: 'c', toolName: 'find', input: '{"q":"x"}' }]), [
      'assistant: call c find {"q":"x"}',
    ])
    assert.deepEqual(output({ text: 'Done.', reasoning: 'So.', toolCalls: [] }), [
      'assistant: reasoning So. | text Done.',
    ])
  })

  it('OpenTelemetry: roles with parts', () => {
    assert.deepEqual(
      output([
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'Hm.' },
            { type: 'text', content: 'Yes.' },
            { type: 'tool_call', id: 'c', name: 'go', arguments: { far: true } },
          ],
          finish_reason: 'stop',
        },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: 'there' }] },
      ]),
      ['assistant: reasoning Hm. | text Yes. | call c go {"far":true}', 'tool: result c "there"'],
    )
  })

  it('LangChain: serialized classes, and lists of lists', () => {
    assert.deepEqual(
      input([
        [
          {
            lc: 1,
            type: 'constructor',
            id: ['langchain', 'schema', 'HumanMessage'],
            kwargs: { content: 'Hi' },
          },
          { type: 'ai', content: '', tool_calls: [{ id: 'c', name: 'f', args: { x: 1 } }] },
          { type: 'tool', content: 'ok', tool_call_id: 'c', status: 'error' },
        ],
      ]),
      ['user: text Hi', 'assistant: call c f {"x":1}', 'tool: result c "ok" failed'],
    )
    assert.deepEqual(output({ generations: [[{ text: 'Hey', message: { type: 'ai', content: 'Hey' } }]] }), [
      'assistant: text Hey',
    ])
  })

  it('no provider: texts, records and empty lists are not chats', () => {
    for (const value of ['Hello', '{broken', [], {}, null, 7, { question: 'Why?' }, [{ a: 1 }], [1, 2]]) {
      assert.equal(input(value), undefined, JSON.stringify(value))
      assert.equal(output(value), undefined, JSON.stringify(value))
    }
  })

  it('keep a part of unknown form as is', () => {
    assert.deepEqual(input([{ role: 'user', content: [{ type: 'hologram', beam: 1 }, 'plain'] }]), [
      'user: other {"type":"hologram","beam":1} | text plain',
    ])
  })
})

it('tool results are paired with their calls, and leave no empty message behind', () => {
  const messages = readMessages(
    [
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'elsewhere', content: 'two' },
    ],
    'input',
  )
  assert.deepEqual(
    pairTools(messages ?? []).map(({ message, results }) => [message.role, resultsOf(message, results)]),
    [
      ['assistant', ['one']],
      ['tool', []],
    ],
  )
})

it('results without ids are matched to preceding calls by name and order', () => {
  const messages = readMessages(
    [
      {
        role: 'model',
        parts: [{ functionCall: { name: 'f', args: {} } }, { functionCall: { name: 'g', args: {} } }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'g', response: { at: 2 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { at: 1 } } }] },
    ],
    'input',
  )
  assert.deepEqual(
    pairTools(messages ?? []).map(({ message, results }) => resultsOf(message, results)),
    [[{ at: 1 }, { at: 2 }]],
  )
})

const resultsOf = ({ parts }: Message, results: ReadonlyMap<ToolCall, ToolResult>): readonly unknown[] =>
  parts.flatMap((part) => {
    const result = part.type === 'toolCall' ? results.get(part) : undefined
    return result === undefined ? [] : [result.result]
  })

it('every chat in the fixtures of real frameworks is recognized', () => {
  const folder = join(import.meta.dirname, '../../../../fixtures/traces')
  const read = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const trace = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        logs?: { type: string; input?: unknown }[]
      }
      return (trace.logs ?? []).filter(({ type }) => type === 'generation').map(({ input }) => input)
    })
  const chats = read.filter((value) => Array.isArray(value))
  assert.ok(chats.length > 0)
  for (const chat of chats) assert.ok(readMessages(chat, 'input'), JSON.stringify(chat).slice(0, 300))
})
