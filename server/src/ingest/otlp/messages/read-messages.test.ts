import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { messagesOr, readMessages } from './read-messages.ts'

const text = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })
const partsOf = (message: object) => readMessages([message], 'user')?.[0]?.parts

describe('messages', () => {
  it("of OpenAI's chat have tool calls, tool responses, refusals and reasoning", () => {
    const read = readMessages(
      [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'Look it up.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
        { role: 'assistant', content: '', refusal: 'No.' },
      ],
      'user',
    )
    assert.deepEqual(read, [
      text('developer', 'Be brief.'),
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Look it up.' },
          { type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 1 } },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'a cat' }] },
      text('assistant', 'No.'),
    ])
  })

  it("of OpenAI's responses are items, not all of which are messages", () => {
    const read = readMessages(
      {
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Look.' }] },
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look it up.' }] },
          { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c1', output: 'a cat' },
        ],
      },
      'user',
    )
    assert.deepEqual(read, [
      text('system', 'Be brief.'),
      text('user', 'Look.'),
      { role: 'assistant', parts: [{ type: 'reasoning', content: 'Look it up.' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', arguments: {} }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'a cat' }] },
    ])
  })

  it('of Genkit have reasoning, tool requests and tool responses', () => {
    const request = { toolRequest: { name: 'look', ref: '1', input: { at: 1 } } }
    const response = { toolResponse: { name: 'look', ref: '1', output: 'a cat' } }
    assert.deepEqual(partsOf({ role: 'model', content: [{ reasoning: 'Look it up.' }, request, response] }), [
      { type: 'reasoning', content: 'Look it up.' },
      { type: 'tool_call', id: '1', name: 'look', arguments: { at: 1 } },
      { type: 'tool_call_response', id: '1', name: 'look', response: 'a cat' },
    ])
  })

  it('of Anthropic have thinking, tool uses, results and images', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'tool_use', id: 't1', name: 'look', input: { at: 1 } },
      { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '{"found":true}' }] },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    ]
    assert.deepEqual(partsOf({ role: 'assistant', content }), [
      { type: 'reasoning', content: 'Hm.' },
      { type: 'tool_call', id: 't1', name: 'look', arguments: { at: 1 } },
      { type: 'tool_call_response', id: 't1', response: { found: true } },
      { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'AAAA' },
    ])
  })

  it('of Gemini and Bedrock name their blocks by keys', () => {
    assert.deepEqual(
      partsOf({
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true },
          { functionCall: { name: 'look', args: { at: 1 } } },
          { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
          { fileData: { mimeType: 'video/mp4', fileUri: 'gs://b/v.mp4' } },
        ],
      }),
      [
        { type: 'reasoning', content: 'Hm.' },
        { type: 'tool_call', name: 'look', arguments: { at: 1 } },
        { type: 'blob', modality: 'audio', mime_type: 'audio/wav', content: 'AAAA' },
        { type: 'uri', modality: 'video', mime_type: 'video/mp4', uri: 'gs://b/v.mp4' },
      ],
    )
    assert.deepEqual(
      partsOf({ role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a cat' }] } }] }),
      [{ type: 'tool_call_response', id: 't1', response: 'a cat' }],
    )
  })

  it('with files state where these are: an id, a URL, or the bytes themselves', () => {
    const content = [
      { type: 'file', file: { file_id: 'f1' } },
      { type: 'input_image', image_url: 'https://e.com/a.png' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'file', data: 'data:application/pdf;base64,BBBB', mediaType: 'application/pdf' },
    ]
    assert.deepEqual(partsOf({ role: 'user', content }), [
      { type: 'file', modality: 'file', file_id: 'f1' },
      { type: 'uri', modality: 'image', uri: 'https://e.com/a.png' },
      { type: 'blob', modality: 'audio', content: 'AAAA' },
      { type: 'blob', modality: 'file', mime_type: 'application/pdf', content: 'BBBB' },
    ])
  })

  it('of the GenAI conventions are unchanged, including parts of unknown kinds', () => {
    const message = {
      role: 'user',
      parts: [
        { type: 'uri', modality: 'image', mime_type: 'image/png', uri: 'gs://b/a.png' },
        { type: 'blob', modality: 'image', content: 'AAAA' },
        { type: 'file', modality: 'image', mime_type: 'image/png', file_id: 'f1' },
        { type: 'tool_call_response', id: 'c1', response: { at: 1 } },
        { type: 'mood', value: 'good' },
      ],
    }
    assert.deepEqual(readMessages([message], 'user'), [message])
  })

  it('are found in JSON text and inside requests and responses', () => {
    const hello = { role: 'user', content: 'Hello' }
    for (const holder of [
      hello,
      [hello],
      [[hello]],
      { messages: [hello] },
      { messages: [[hello]] },
      { input: [hello] },
    ]) {
      assert.deepEqual(readMessages(JSON.stringify(holder), 'user'), [text('user', 'Hello')])
    }
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi' } }
    assert.deepEqual(readMessages({ id: 'x', choices: [choice] }, 'assistant'), [
      { ...text('assistant', 'Hi'), finish_reason: 'stop' },
    ])
    const candidate = { content: { role: 'model', parts: [{ text: 'Hi' }] } }
    assert.deepEqual(readMessages({ candidates: [candidate] }, 'assistant'), [text('assistant', 'Hi')])
  })

  it('are not found in other values', () => {
    for (const value of [
      { question: 'why' },
      [1, 2],
      ['a'],
      [{ role: 'admin', level: 3 }],
      'text',
      7,
      null,
      [],
      {},
    ]) {
      assert.equal(readMessages(value, 'user'), undefined)
    }
    assert.deepEqual(messagesOr({ question: 'why' }, 'user'), { question: 'why' })
    assert.deepEqual(messagesOr('why', 'user'), [text('user', 'why')])
  })
})

describe('the response of a tool', () => {
  const responseOf = (response: unknown) =>
    partsOf({ role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response }] })

  it('keeps every field that the tool returned', () => {
    for (const response of [
      { type: 'temperature', value: 21, unit: 'C' },
      { type: 'temperature', value: 21 },
      { type: 'json', value: 21, unit: 'C' },
      [{ text: 'Lyon is in France', source: 'atlas.md', score: 0.93 }],
      [{ type: 'image', text: 'Lyon' }],
    ])
      assert.deepEqual(responseOf(response), [{ type: 'tool_call_response', id: 'c1', response }])
  })

  it('has no envelope of a framework', () => {
    for (const [envelope, response] of [
      [{ type: 'json', value: { at: 1 } }, { at: 1 }],
      [{ type: 'text', value: 'a cat' }, 'a cat'],
      [{ type: 'error-text', value: 'no' }, 'no'],
      [[{ type: 'text', text: '{"at":1}' }], { at: 1 }],
      [[{ text: 'a cat' }], 'a cat'],
    ])
      assert.deepEqual(responseOf(envelope), [{ type: 'tool_call_response', id: 'c1', response }])
  })
})

describe('a structured output', () => {
  it('keeps its fields, even if it resembles a request or a message', () => {
    for (const output of [
      { prompt: 'A cat in a hat', negative_prompt: 'dogs', steps: 30 },
      { messages: [{ role: 'user', content: 'Hi' }], summary: 'A greeting', language: 'en' },
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], page: 1 },
      { input: [{ role: 'user', content: 'Hi' }], score: 1 },
      { role: 'Engineer', text: 'Ada', salary: 3 },
      { content: [{ type: 'text', text: 'x' }], title: 'T' },
    ])
      assert.deepEqual(messagesOr(output, 'assistant'), output)
  })

  it('is read as messages if it contains nothing else', () => {
    const hello = [text('user', 'Hi'), text('assistant', 'Hello')]
    assert.deepEqual(
      readMessages(
        {
          messages: [
            { role: 'user', content: 'Hi' },
            { role: 'model', content: 'Hello' },
          ],
        },
        'assistant',
      ),
      hello,
    )
    assert.deepEqual(readMessages({ role: 'model', content: 'Hello' }, 'assistant'), [hello[1]])
  })
})
