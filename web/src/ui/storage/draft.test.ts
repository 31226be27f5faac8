import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keepDraft, readDraft } from './draft.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

it('a number that is none is an empty field of the draft, and not null, which a form takes for 0', () => {
  keepDraft('alert', { threshold: Number.NaN, samples: 3, evaluator: null })
  assert.deepEqual(readDraft('alert', isObject), { samples: 3, evaluator: null })
})
