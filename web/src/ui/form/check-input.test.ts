import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inputSchemas } from '@plumbline/sdk/input-schemas'
import { checkInput } from './check-input.ts'

const check = (name: string, input: unknown) =>
  checkInput(inputSchemas[name] ?? {}, input).map(({ path, problem }) => `${path}: ${problem}`)

it('valid input has no problems', () => {
  assert.deepEqual(check('keys.create', { name: 'ci', scopes: ['read'], expiresAt: undefined }), [])
})

it('each field has its own problem, worded as by the service', () => {
  assert.deepEqual(check('keys.create', { name: '', scopes: [] }), [
    'name: must not be empty',
    'scopes: must not be empty',
  ])
  assert.deepEqual(check('prices.create', { inputPerMillion: -1, outputPerMillion: Number.NaN }), [
    'model: is required',
    'inputPerMillion: must be at least 0',
    'outputPerMillion: must be a number',
  ])
})

it('a path is written as the service writes it', () => {
  assert.deepEqual(
    check('datasets.create', {
      slug: 'A b',
      name: 'x',
      columns: [
        { name: 'a', type: 'text' },
        { name: '', type: 'q' },
      ],
    }),
    [
      'slug: must be 1 to 128 characters of a-z, 0-9, dot, underscore and hyphen, the first a letter or a digit',
      'columns[1].name: must not be empty',
      'columns[1].type: must be one of text, image, file, json',
    ],
  )
})

it('for a nullable value, the problem inside it counts', () => {
  assert.deepEqual(
    check('versions.create', { slug: 'x', text: '', model: { parameters: { topP: 'much' } } }),
    ['model.parameters.topP: must be a number'],
  )
})

it('for a union, only the shape of the value’s type has problems', () => {
  const run = { datasetSlug: 'cases', target: { type: 'prompt', slug: 'greeting', version: '1.0.0' } }
  assert.deepEqual(check('experimentRuns.create', run), ['target.connectionId: is required'])
  assert.deepEqual(check('experimentRuns.create', { ...run, target: { type: 'endpoint' } }), [
    'target.url: is required',
  ])
  assert.ok(check('experimentRuns.create', { ...run, target: { type: 'nothing' } }).length > 0)
})
