import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readModels } from './connection-providers.ts'

it('models may be separated by lines, commas or spaces, without duplicates', () => {
  assert.deepEqual(readModels(' gpt-5,gpt-5-mini\n  gpt-5\n\n'), ['gpt-5', 'gpt-5-mini'])
})
