import assert from 'node:assert/strict'
import { it } from 'node:test'
import { previewText } from './preview-text.ts'

it('a text reads without its quotes and escapes, cut off or not', () => {
  assert.equal(previewText('"Say \\"hi\\"\\nnow \\u00e9"'), 'Say "hi" now é')
  assert.equal(previewText('"It ends in a slash \\\\"'), 'It ends in a slash \\')
  assert.equal(previewText('"cut off in an esc\\u00'), 'cut off in an esc')
})

it('of messages the last that is there is shown', () => {
  assert.equal(
    previewText('[{"role":"system","content":"Be kind."},{"role":"user","content":"Hello, wor'),
    'Hello, wor',
  )
})

it('other JSON is shown as it is, and nothing as nothing', () => {
  assert.equal(previewText('{"a":1}'), '{"a":1}')
  assert.equal(previewText(null), '')
})
