import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ServiceError } from '@plumbline/contract'
import { toModelMessages } from './messages.ts'

describe('messages of a recorded run', () => {
  it('in OpenAI’s words are read with calls, results and images', () => {
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

  it('in Anthropic’s words are read too', () => {
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

  it('of an unknown role, or with an image of this machine, are refused with their place', () => {
    const assertRefusal = (message: object, path: string) =>
      assert.throws(
        () => toModelMessages([{ role: 'user', content: 'x' }, { ...message }]),
        (error) => error instanceof ServiceError && error.message.startsWith(path),
      )
    assertRefusal({ role: 'ghost' }, 'messages[1].role: ')
    const image = { type: 'image_url', image_url: { url: 'http://169.254.169.254/' } }
    assertRefusal({ role: 'user', content: [image] }, 'messages[1].content: ')
  })
})
