import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StoredLog } from '@plumbline/sdk'
import { replayOf, textsOfMessages } from './replay.ts'

const log = (fields: Partial<StoredLog>): StoredLog =>
  ({ id: 'a', type: 'generation', metadata: null, input: null, ...fields }) as StoredLog

it('a call is replayed with its model, tools and schema, as the client wrote them', () => {
  const tools = [{ type: 'function', function: { name: 'look' } }]
  const replay = replayOf(
    log({
      model: 'gpt-5',
      input: [
        { role: 'user', content: 'Where?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'There.' },
      ],
      metadata: {
        parameters: {
          max_tokens: 99,
          tools,
          response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
        },
      },
    }),
    { parameters: { temperature: 0.2, maxLength: 5 } },
  )
  assert.equal(replay.model, 'gpt-5')
  assert.deepEqual(replay.parameters, {
    temperature: 0.2,
    maxLength: 99,
    tools,
    responseFormat: 'json_schema',
    jsonObject: { name: 'x', schema: { type: 'object' } },
  })
  assert.deepEqual(
    replay.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  )
  assert.equal(replay.messages[2]?.tool_call_id, 'c')
})

it('an input that is not a chat becomes a user message', () => {
  assert.deepEqual(replayOf(log({ input: 'Hello' }), undefined).messages, [
    { role: 'user', content: 'Hello' },
  ])
})

it('a system and a user message become the texts of a prompt, unless they would be parsed as templates', () => {
  const user = { role: 'user', content: 'Hi' }
  assert.deepEqual(textsOfMessages([{ role: 'system', content: 'Be kind.' }, user]), {
    systemText: 'Be kind.',
    text: 'Hi',
  })
  assert.equal(textsOfMessages([{ role: 'user', content: 'Hi {{ name }}' }]), undefined)
  assert.equal(textsOfMessages([user, { role: 'assistant', content: 'Hi' }, user]), undefined)
})

it('images and files are included', () => {
  const content = [
    { type: 'text', text: 'What is it?' },
    { type: 'input_image', image_url: 'https://example.com/a.png' },
    {
      type: 'document',
      title: 'a.pdf',
      source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' },
    },
    { type: 'file', file: { filename: 'b.pdf', file_data: 'data:application/pdf;base64,AA==' } },
    { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
    { type: 'file', file: { file_id: 'file-1' } },
  ]
  const { messages } = replayOf(log({ input: [{ role: 'user', content }] }), undefined)
  const pdf = 'data:application/pdf;base64,AA=='
  assert.deepEqual(messages[0]?.content, [
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    { type: 'file', file: { filename: 'a.pdf', file_data: pdf } },
    { type: 'file', file: { filename: 'b.pdf', file_data: pdf } },
    { type: 'file', file: { filename: 'Audio', file_data: 'data:audio/wav;base64,AA==' } },
    { type: 'file', file: { filename: 'file-1' } },
  ])
})
