import assert from 'node:assert/strict'
import { it } from 'node:test'
import { snappedRange } from './snapped-range.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 10, minutes))
const times = [at(0), at(10), at(20), at(30)]
const widthMs = 600_000

it('a drag takes the whole of each bar that it touches', () => {
  assert.deepEqual(snappedRange(at(8), at(22), times, widthMs), [at(10), at(30)])
  assert.deepEqual(snappedRange(at(19), at(21), times, widthMs), [at(20), at(30)])
})

it('a drag beyond the ends stops at them, and without bars it is what was dragged', () => {
  assert.deepEqual(snappedRange(at(-30), at(90), times, widthMs), [at(0), at(40)])
  assert.deepEqual(snappedRange(at(1), at(2), [], 0), [at(1), at(2)])
})
