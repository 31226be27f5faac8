import assert from 'node:assert/strict'
import { it } from 'node:test'
import { judgingOf } from './judging.ts'

const timeOnDay = (day: number): string => `2026-03-0${day}T00:00:00.000000Z`
const row = (
  day: number,
  evaluatorVersion: string | null,
  scores: number,
  avgScore: number | null,
  scoreCost: number | null,
  scoreName = 'kind',
) => ({
  time: timeOnDay(day),
  scoreName,
  evaluatorVersion,
  scores,
  avgScore,
  scoreCost,
})
const stretch = {
  from: new Date(timeOnDay(1)),
  to: new Date(timeOnDay(4)),
  step: 'day',
  timeZone: 'UTC',
} as const

it('groups scores by version, and sums their cost', () => {
  const judging = judgingOf(
    [
      row(1, '2', 4, 0.5, 0.2),
      row(2, '10', 1, 1, 0.1),
      row(2, '2', 2, 0, null),
      row(2, null, 9, 1, null),
      row(3, '2', 9, 1, 5, 'another'),
    ],
    'kind',
    stretch,
  )
  assert.deepEqual(
    judging.byVersion.map(({ version, trend }) => [version, trend.count, trend.averages]),
    [
      [2, 6, [0.5, 0, null]],
      [10, 1, [null, 1, null]],
    ],
  )
  assert.deepEqual(judging.costs, [0.2, 0.1, null])
  assert.ok(Math.abs((judging.cost ?? 0) - 0.3) < 1e-9)
})

it('evaluators without a model have no cost', () => {
  assert.equal(judgingOf([row(1, '1', 4, 0.5, null)], 'kind', stretch).cost, null)
})
