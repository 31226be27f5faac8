import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { textOf } from './text-of.ts'

const image = `data:image/png;base64,${'A'.repeat(1000)}`

describe('textOf', () => {
  it('is empty for null, and a string as it is', () => {
    assert.equal(textOf(null), '')
    assert.equal(textOf(undefined), '')
    assert.equal(textOf(' {"a": 1} '), ' {"a": 1} ')
  })

  it('takes contents, names, tool calls and tool results from messages', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        name: 'ada',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'input_text', text: 'Say.' },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{"at":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
    ]
    assert.equal(textOf(messages), 'Be brief.\nada\nWhat is this?\nSay.\nlook\n{"at":1}\na cat')
  })

  it('reads the parts of Anthropic and Gemini messages too', () => {
    const messages = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'look', input: { at: 1 } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'a cat' }] }],
      },
      { role: 'model', parts: [{ text: 'Hi' }, { functionCall: { name: 'look', args: { at: 2 } } }] },
    ]
    assert.equal(textOf(messages), 'look\n{"at":1}\na cat\nHi\nlook\n{"at":2}')
  })

  it("reads the parts of OpenTelemetry's GenAI messages too", () => {
    const messages = [
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'What is this?' },
          { type: 'blob', content: 'AAAA' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Look first.' },
          { type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 1 } },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'a cat' }] },
    ]
    assert.equal(textOf(messages), 'What is this?\nLook first.\nlook\n{"at":1}\na cat')
  })

  it('reads a single message like a list of messages', () => {
    assert.equal(textOf({ role: 'assistant', content: 'Yes.' }), 'Yes.')
  })

  it('counts no image, sound or file as text', () => {
    const parts = [
      { type: 'image_url', image_url: { url: image } },
      { type: 'input_audio', input_audio: { data: 'AAAA' } },
      { type: 'image', source: { type: 'base64', data: 'AAAA' } },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { type: 'text', text: 'only this' },
    ]
    assert.equal(textOf([{ role: 'user', content: parts }]), 'only this')
    assert.equal(textOf({ picture: image, title: 'cat' }), '{"picture":"","title":"cat"}')
    assert.equal(textOf(image), '')
  })

  it('uses compact JSON for any other value', () => {
    assert.equal(textOf({ a: [1, 2], b: 'x' }), '{"a":[1,2],"b":"x"}')
    assert.equal(textOf([{ role: 'admin' }, 'x']), '[{"role":"admin"},"x"]')
    assert.equal(textOf([]), '[]')
    assert.equal(textOf(0), '0')
  })

  it('never throws on a JSON value, messages or not', () => {
    const part = fc.record({
      type: fc.constantFrom('text', 'tool_use', 'tool_result', 'image', 7),
      content: fc.jsonValue(),
      text: fc.jsonValue(),
    })
    const message = fc.record({
      role: fc.constant('user'),
      content: fc.oneof(fc.jsonValue(), fc.array(part)),
      tool_calls: fc.jsonValue(),
    })
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(message)), (value) =>
        assert.equal(typeof textOf(value), 'string'),
      ),
    )
  })
})
