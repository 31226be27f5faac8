import assert from 'node:assert/strict'
import { it } from 'node:test'
import { formatDuration, tickText } from '../text/format.ts'
import { colorToken, durationSteps, sparkPath, stack } from './chart-data.ts'

it('a stack adds up, and skips missing values', () => {
  const series = [
    { key: 'a', label: 'A', values: [1, null, 3] },
    { key: 'b', label: 'B', values: [1, 2, 3] },
  ]
  assert.deepEqual(stack(series), [
    [1, null, 3],
    [2, 2, 6],
  ])
})

it('without a meaning, colours follow the position, and repeat after eight', () => {
  assert.deepEqual(
    [colorToken(undefined, 0), colorToken(undefined, 8), colorToken('bad', 3)],
    ['--chart-1', '--chart-1', '--bad'],
  )
})

it('a sparkline has gaps at missing values', () => {
  assert.equal(sparkPath([0, 10, null, 5], 30, 12), 'M0.0 11.0L10.0 1.0M30.0 6.0')
  assert.equal(sparkPath([null], 30, 12), '')
})

it('a line of any length has a path', () => {
  assert.match(
    sparkPath(
      Array.from({ length: 200_000 }, (_, index) => index),
      100,
      10,
    ),
    /^M/,
  )
})

it('duration ticks are at round values, from microseconds to years', () => {
  assert.deepEqual(
    durationSteps,
    durationSteps.toSorted((a, b) => a - b),
  )
  const ticks = [60_000, 900_000, 7_200_000].map((step) => tickText(formatDuration(2 * step)))
  assert.deepEqual(ticks, ['2 m', '30 m', '4 h'])
  assert.ok(durationSteps.includes(600_000) && (durationSteps.at(-1) ?? 0) > 365 * 86_400_000)
})
