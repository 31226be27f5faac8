import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keepDraft, readDraft } from './draft.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

it('an invalid number is stored as an empty field, not as null, which a form reads as 0', () => {
  keepDraft('alert', { threshold: Number.NaN, samples: 3, evaluator: null })
  assert.deepEqual(readDraft('alert', isObject), { samples: 3, evaluator: null })
})
