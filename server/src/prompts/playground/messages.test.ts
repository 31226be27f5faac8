import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ServiceError } from '@plumbline/contract'
import { renderDraft } from './draft.ts'
import { toModelMessages } from './messages.ts'

describe('the messages of a recorded run', () => {
  it('in OpenAI’s format are read with calls, results and images', () => {
    const modelMessages = toModelMessages([
      { role: 'developer', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'A cat.' },
    ])
    assert.deepEqual(modelMessages, [
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', image: 'data:image/png;base64,AA==' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { a: 1 } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'look',
            output: { type: 'text', value: 'A cat.' },
          },
        ],
      },
    ])
  })

  it('in Anthropic’s format are read too', () => {
    const modelMessages = toModelMessages([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 't', name: 'look', input: {} },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'A dog.' }] }],
      },
    ])
    assert.equal(modelMessages[0]?.role, 'assistant')
    assert.deepEqual(modelMessages[1], {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 't', toolName: 'look', output: { type: 'text', value: 'A dog.' } },
      ],
    })
  })

  it('may have images and files in the formats of OpenAI, Anthropic and the AI SDK', () => {
    const pdf = 'data:application/pdf;base64,AA=='
    const content = [
      { type: 'input_image', image_url: 'https://example.com/a.png' },
      { type: 'image', image: 'AA==', mediaType: 'image/webp' },
      { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'AA==' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: pdf } },
      { type: 'file', data: 'AA==', mediaType: 'text/plain', filename: 'a.txt' },
      { type: 'input_file', file_url: 'https://example.com/a.pdf' },
      {
        type: 'document',
        title: 'A',
        source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' },
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Plain.' } },
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
    ]
    const [message] = toModelMessages([{ role: 'user', content }])
    assert.deepEqual(message?.content, [
      { type: 'image', image: new URL('https://example.com/a.png') },
      { type: 'image', image: 'data:image/webp;base64,AA==' },
      { type: 'image', image: 'data:image/gif;base64,AA==' },
      { type: 'file', data: pdf, mediaType: 'application/pdf', filename: 'a.pdf' },
      { type: 'file', data: 'data:text/plain;base64,AA==', mediaType: 'text/plain', filename: 'a.txt' },
      { type: 'file', data: new URL('https://example.com/a.pdf'), mediaType: 'application/pdf' },
      { type: 'file', data: pdf, mediaType: 'application/pdf', filename: 'A' },
      { type: 'text', text: 'Plain.' },
      { type: 'file', data: 'data:audio/wav;base64,AA==', mediaType: 'audio/wav' },
    ])
  })

  it('may have null parts, and reasoning, which no other call accepts', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' }
    const messages = [
      { role: 'user', content: [null, 'Hi'] },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes?' }, null], tool_calls: [null] },
    ]
    assert.deepEqual(toModelMessages(messages), [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] },
    ])
  })

  it('with an unknown role, or with an image on this machine, are refused by their position', () => {
    const assertRefusal = (message: object, path: string) =>
      assert.throws(
        () => toModelMessages([{ role: 'user', content: 'x' }, { ...message }]),
        (error) => error instanceof ServiceError && error.message.startsWith(path),
      )
    assertRefusal({ role: 'ghost' }, 'messages[1].role: ')
    const image = { type: 'image_url', image_url: { url: 'http://169.254.169.254/' } }
    assertRefusal({ role: 'user', content: [image] }, 'messages[1].content: has an image')
    const file = { type: 'file', file: { file_id: 'file-1' } }
    assertRefusal({ role: 'user', content: [file] }, 'messages[1].content: has a file')
  })
})

describe('the messages of a draft', () => {
  it('keep tool calls without a text and empty results, and leave out what renders to nothing', () => {
    const history = [
      { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'look' } }] },
      { role: 'tool', tool_call_id: 'c', content: '' },
      { role: 'assistant', content: '', tool_calls: [] },
    ]
    const messages = [{ role: 'system', content: '{{ tone }}' }, { placeholder: 'history' }]
    assert.deepEqual(renderDraft({ text: '', systemText: '', messages }, { history }), history.slice(0, 2))
  })
})
