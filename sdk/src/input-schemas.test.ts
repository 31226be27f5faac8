import assert from 'node:assert/strict'
import { it } from 'node:test'
import { allOperations } from '@plumbline/contract'
import { inputSchemas } from './input-schemas.ts'

it('every operation has a schema of its input, without the reference texts', () => {
  assert.deepEqual(
    Object.keys(inputSchemas),
    allOperations.map(({ name }) => name),
  )
  assert.deepEqual(inputSchemas['keys.delete'], {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' } },
  })
  assert.doesNotMatch(JSON.stringify(inputSchemas), /"x-schema"/)
})

it('a field may be called description', () => {
  const { properties } = inputSchemas['prompts.create'] as { properties: Record<string, unknown> }
  assert.deepEqual(properties.description, { type: ['string', 'null'] })
})

it('a pattern has a sentence for texts that do not match', () => {
  const { properties } = inputSchemas['datasets.create'] as {
    properties: Record<string, { problem?: string }>
  }
  assert.match(properties.slug?.problem ?? '', /^must be 1 to 128 characters/)
})
