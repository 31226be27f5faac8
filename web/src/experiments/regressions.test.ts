import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeRegression } from './regressions.ts'

type Cells = Parameters<typeof describeRegression>[0]['cells']

const cell = (experimentId: string, fields: object): Cells[number] =>
  // Safe: only these fields are read.
  ({ experimentId, errors: 0, deltas: {}, ...fields }) as Cells[number]

const lower = new Set(['score.toxic'])
const comparison = {
  baselineId: 'a',
  // Safe: only these fields are read.
  experiments: [
    { id: 'b', name: 'Shorter' },
    { id: 'c', name: 'Longer' },
  ] as Parameters<typeof describeRegression>[1]['experiments'],
}
const failedCell = cell('b', {
  errors: 1,
  deltas: { 'score.correct': -1, 'score.similarity': 0.5, 'score.toxic': 0.25, durationMs: 900 },
})

it('names scores that are worse in their direction, and new failures', () => {
  assert.equal(
    describeRegression({ cells: [cell('a', {}), failedCell] }, comparison, lower),
    'Worse: failed, correct −1, toxic +0.25',
  )
})

it('names the candidate that is worse if there are several', () => {
  const cells = [cell('a', {}), failedCell, cell('c', { deltas: { 'score.toxic': 0.5 } }), cell('d', {})]
  assert.equal(
    describeRegression({ cells }, comparison, lower),
    'Worse: failed, correct −1, toxic +0.25 (Shorter); toxic +0.5 (Longer)',
  )
})

it('a case that also failed in the baseline is worse only by its scores', () => {
  const cells = [cell('a', { errors: 2 }), cell('b', { errors: 1, deltas: { 'score.correct': -0.5 } })]
  assert.equal(describeRegression({ cells }, comparison, new Set()), 'Worse: correct −0.5')
  assert.equal(describeRegression({ cells: cells.slice(0, 1) }, comparison, new Set()), 'Worse')
})
