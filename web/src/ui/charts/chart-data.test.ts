import assert from 'node:assert/strict'
import { it } from 'node:test'
import { colorToken, sparkPath, stack } from './chart-data.ts'

it('a stack adds up, and leaves out what has no value', () => {
  const series = [
    { key: 'a', label: 'A', values: [1, null, 3] },
    { key: 'b', label: 'B', values: [1, 2, 3] },
  ]
  assert.deepEqual(stack(series), [
    [1, null, 3],
    [2, 2, 6],
  ])
})

it('colours go by place where no meaning is stated, and begin again after eight', () => {
  assert.deepEqual(
    [colorToken(undefined, 0), colorToken(undefined, 8), colorToken('bad', 3)],
    ['--chart-1', '--chart-1', '--bad'],
  )
})

it('a sparkline breaks where there is no value', () => {
  assert.equal(sparkPath([0, 10, null, 5], 30, 12), 'M0.0 11.0L10.0 1.0M30.0 6.0')
  assert.equal(sparkPath([null], 30, 12), '')
})

it('a line of any length has a path (M5)', () => {
  assert.match(
    sparkPath(
      Array.from({ length: 200_000 }, (_, index) => index),
      100,
      10,
    ),
    /^M/,
  )
})
