import assert from 'node:assert/strict'
import { it } from 'node:test'
import { refusedField } from './refused-field.ts'

const shown = ['slug', 'name', 'pattern', 'verdict.type', 'verdict.max', 'schema']
const fieldOf = (sentence: string) => refusedField(sentence, shown)

it('a refusal stands at the field that it names', () => {
  assert.deepEqual(fieldOf('config.pattern: must be a regular expression.'), {
    field: 'pattern',
    problem: 'must be a regular expression',
  })
  assert.equal(fieldOf('config.verdict.max: must be more than config.verdict.min')?.field, 'verdict.max')
  assert.equal(fieldOf('slug: must be lower case')?.field, 'slug')
})

it('or at the nearest that is shown', () => {
  assert.equal(fieldOf('config.verdict: is required')?.field, 'verdict.type')
  assert.equal(fieldOf('config.schema.type: must be a text')?.field, 'schema')
})

it('what names no field stands for itself', () => {
  assert.equal(fieldOf('config.other: must be a text'), undefined)
  assert.equal(fieldOf('No connection has this id.'), undefined)
})
