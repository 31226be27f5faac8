import assert from 'node:assert/strict'
import { it } from 'node:test'
import { previewText } from './preview-text.ts'

it('a text is shown without quotes and escapes, truncated or not', () => {
  assert.equal(previewText('"Say \\"hi\\"\\nnow \\u00e9"'), 'Say "hi" now é')
  assert.equal(previewText('"It ends in a slash \\\\"'), 'It ends in a slash \\')
  assert.equal(previewText('"cut off in an esc\\u00'), 'cut off in an esc')
})

it('the last available message is shown', () => {
  assert.equal(
    previewText('[{"role":"system","content":"Be kind."},{"role":"user","content":"Hello, wor'),
    'Hello, wor',
  )
})

it('the fields of other JSON are shown as text, whole or truncated', () => {
  assert.equal(
    previewText('{"company":"Paper & Co","lines":3,"note":null}'),
    'company: Paper & Co · lines: 3',
  )
  assert.equal(
    previewText('{"tags":["a","b"],"order":{"id":"o-1","open":tr'),
    'tags: a · b · id: o-1 · open: tr',
  )
  assert.equal(previewText('{"locale":"en","question":"How mu'), 'How mu')
  assert.equal(previewText('42'), '42')
  assert.equal(previewText(null), '')
})

it('Markdown is shown as plain text', () => {
  assert.equal(
    previewText(
      JSON.stringify('# Ja: **Catalogue**\n\n- see [the page](https://a.b) and `sku`\n- 2 * 3 < 7'),
    ),
    'Ja: Catalogue see the page and sku 2 * 3 < 7',
  )
})
