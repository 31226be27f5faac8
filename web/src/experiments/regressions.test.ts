import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeRegression } from './regressions.ts'

type Cells = Parameters<typeof describeRegression>[0]['cells']

const cell = (experimentId: string, fields: object): Cells[number] =>
  // Safe: only these fields are read.
  ({ experimentId, errors: 0, deltas: {}, ...fields }) as Cells[number]

it('names the scores that are worse, by their direction, and a new failure', () => {
  const cells = [
    cell('a', {}),
    cell('b', { errors: 1, deltas: { 'score.correct': -1, 'score.similarity': 0.5, durationMs: 900 } }),
    cell('c', { deltas: { 'score.toxic': 0.25 } }),
  ]
  const lower = new Set(['score.toxic'])
  assert.equal(describeRegression({ cells }, 'a', lower), 'Worse: failed, correct −1, toxic +0.25')
})

it('a case that failed in the baseline too is worse by its scores only', () => {
  const cells = [cell('a', { errors: 2 }), cell('b', { errors: 1, deltas: { 'score.correct': -0.5 } })]
  assert.equal(describeRegression({ cells }, 'a', new Set()), 'Worse: correct −0.5')
  assert.equal(describeRegression({ cells: cells.slice(0, 1) }, 'a', new Set()), 'Worse')
})
