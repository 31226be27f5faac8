import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineBuffer } from './line-buffer.ts'

test('lines of any length and language come back one after the other', () => {
  const lines = ['{"a":1}\n', '{"ключ":"記録 🧱"}\n', `${'é'.repeat(5000)}\n`, '{}\n']
  const buffer = new LineBuffer(16)
  for (const line of lines) buffer.append(line)
  assert.equal(Buffer.from(buffer.take()).toString(), lines.join(''))
})

test('no lines are no bytes', () => {
  assert.equal(new LineBuffer(16).take().length, 0)
})
