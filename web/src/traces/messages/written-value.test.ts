import assert from 'node:assert/strict'
import { it } from 'node:test'
import { writtenValue } from './written-value.ts'

it('a chat is written as roles and texts, with line breaks kept', () => {
  assert.equal(
    writtenValue(
      [
        { role: 'user', content: 'One\nTwo' },
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"a":1}' } }] },
        { role: 'tool', tool_call_id: 'c', content: 'ok' },
      ],
      'input',
    ),
    'user:\nOne\nTwo\n\nassistant:\n→ f {\n  "a": 1\n}\n\ntool:\n← ok',
  )
})

it('everything else is written as text or JSON', () => {
  assert.equal(writtenValue('Hello'), 'Hello')
  assert.equal(writtenValue('{"a":1}'), '{\n  "a": 1\n}')
  assert.equal(writtenValue(null), '')
})
