import assert from 'node:assert/strict'
import { it } from 'node:test'
import { kappaLabel } from './agreement-labels.ts'

it('a kappa is labelled after Landis and Koch', () => {
  const words = [-0.1, 0, 0.2, 0.21, 0.41, 0.61, 0.8, 0.81, 1].map(kappaLabel)
  assert.deepEqual(words, [
    'worse than chance',
    'slight',
    'slight',
    'fair',
    'moderate',
    'substantial',
    'substantial',
    'almost perfect',
    'almost perfect',
  ])
})

it('a rounding error does not change the label', () => {
  assert.deepEqual([0.6000000000000001, 0.8000000000000002].map(kappaLabel), ['moderate', 'substantial'])
})
