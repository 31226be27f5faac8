import assert from 'node:assert/strict'
import { it } from 'node:test'
import { slugOf } from './slug-of.ts'

it('a name becomes a slug without diacritics, spaces and leading or trailing dashes', () => {
  assert.equal(slugOf('  Über-größe: Fragen & Antworten! '), 'uber-grosse-fragen-antworten')
  assert.equal(slugOf('日本語'), '')
})
