import assert from 'node:assert/strict'
import { it } from 'node:test'
import { snappedRange } from './snapped-range.ts'

const minute = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 10, minutes))
const times = [minute(0), minute(10), minute(20), minute(30)]
const endOf = (start: Date) => new Date(start.getTime() + 600_000)

it('a drag includes each bar it touches in full', () => {
  assert.deepEqual(snappedRange(minute(8), minute(22), times, endOf), [minute(10), minute(30)])
  assert.deepEqual(snappedRange(minute(19), minute(21), times, endOf), [minute(20), minute(30)])
})

it('a drag beyond the ends is clipped, and without bars it is used as is', () => {
  assert.deepEqual(snappedRange(minute(-30), minute(90), times, endOf), [minute(0), minute(40)])
  assert.deepEqual(snappedRange(minute(1), minute(2), [], endOf), [minute(1), minute(2)])
})

it('a drag over months ends with the last month, even in a chart of many years', () => {
  const month = (months: number) => new Date(Date.UTC(2020, months))
  const months = Array.from({ length: 84 }, (_, index) => month(index))
  const endOfMonth = (start: Date) => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
  assert.deepEqual(snappedRange(month(73), month(73), months, endOfMonth), [month(73), month(74)])
})
