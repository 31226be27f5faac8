import assert from 'node:assert/strict'
import { it } from 'node:test'
import { clausesOf, groupings, labelOf } from './groupings.ts'
import { deltaOf, formatChange, frequentScores, groupedSeries, keysBySize, seriesOf } from './make-series.ts'

const [feature] = groupings
const version = groupings[2]!
const times = [0, 1, 2].map((hour) => new Date(Date.UTC(2026, 0, 1, hour)))
const time = (hour: number) => times[hour]!.toISOString().replace('Z', '000Z')

it('without data a count is zero, and an average is unknown', () => {
  const rows = [{ time: time(1), traces: 3, p95DurationMs: 9 }]
  assert.deepEqual(seriesOf(rows, times, 'traces', 'Traces').values, [0, 3, 0])
  assert.deepEqual(seriesOf(rows, times, 'p95DurationMs', 'p95').values, [null, 9, null])
})

it('scores are ordered by their count in the whole range, without non-numeric ones', () => {
  const row = (scoreName: string, hour: number, scores: number, avgScore: number | null = 1) => ({
    ...{ time: time(hour), scoreName, scores, avgScore },
  })
  const rows = [row('rare', 0, 5), row('often', 0, 3), row('often', 1, 4), row('words', 0, 90, null)]
  assert.deepEqual(
    frequentScores(rows, 8).map(({ name, rows }) => [name, rows.length]),
    [
      ['often', 2],
      ['rare', 1],
    ],
  )
  assert.equal(frequentScores(rows, 1).length, 1)
})

it('counts beyond the largest groups are summed as "other", so that bars add up to the total', () => {
  const keys = Array.from({ length: 9 }, (_, index) => `f${index}`)
  const rows = keys.map((name) => ({ time: time(0), feature: name, traces: 2, p95DurationMs: 1 }))
  const sizes = keysBySize(
    keys.map((name, index) => ({ feature: name, traces: 9 - index })),
    feature,
  )
  const series = groupedSeries(rows, [{ time: time(0), traces: 18 }], times, 'traces', feature, sizes)
  assert.equal(series.length, 8)
  assert.deepEqual(series.at(-1)?.values, [4, 0, 0])
  const percentiles = groupedSeries(rows, [], times, 'p95DurationMs', feature, sizes)
  assert.equal(percentiles.length, 7)
})

it('a key leads to its traces, and a missing value to traces without one', () => {
  assert.equal(labelOf('["chat","1.0.0"]'), 'chat 1.0.0')
  assert.equal(labelOf('[null,null]'), 'none')
  assert.deepEqual(clausesOf(version, '["chat",null]'), [
    { type: 'values', field: 'prompt', values: ['chat'], isNot: false },
    { type: 'presence', field: 'promptVersion', isThere: false },
  ])
})

it('a difference is a share of the previous value, if there was one', () => {
  assert.deepEqual([0.125, -0.5, 9.99, 12, 5401.153].map(formatChange), [
    '12.5%',
    '50%',
    '999%',
    '×13',
    '×5.4k',
  ])
  assert.equal(deltaOf(3, 2), 0.5)
  assert.equal(deltaOf(3, 0), undefined)
  assert.equal(deltaOf(null, 2), undefined)
})
