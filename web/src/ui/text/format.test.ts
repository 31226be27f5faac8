import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inTimeZone } from '../../../../fixtures/in-time-zone.ts'
import {
  exactInstant,
  exactNumber,
  formatBytes,
  formatCount,
  formatDuration,
  formatInstant,
  formatMean,
  formatMoney,
  formatPercent,
  formatRelative,
  formatScore,
  formatTokens,
  nothing,
  shortId,
  tickText,
} from './format.ts'

const formatAll = <Value>(
  format: (value: Value) => string,
  expectation: readonly (readonly [Value, string])[],
) => {
  for (const [value, text] of expectation) assert.equal(format(value), text)
}

describe('numbers', () => {
  it('durations name their unit, and round into the next one', () => {
    formatAll(formatDuration, [
      [0, '0 ms'],
      [0.25, '0.25 ms'],
      [812, '812 ms'],
      [999.6, '1.0 s'],
      [3400, '3.4 s'],
      [59_990, '1 m 00 s'],
      [125_000, '2 m 05 s'],
      [3_600_000, '1 h 00 m'],
      [400_000_000, '4.6 d'],
      [Number.NaN, nothing],
    ])
  })

  it('money shows only significant digits', () => {
    formatAll(formatMoney, [
      [0, '$0'],
      [0.0000001, '<$0.000001'],
      [0.0042, '$0.0042'],
      [0.042, '$0.042'],
      [0.000012, '$0.000012'],
      [12.3, '$12.30'],
      [1234.5, '$1,235'],
      [-0.5, '-$0.50'],
      [0.099_999, '$0.10'],
      [999.999, '$1,000'],
      [9_999_999, '$9,999,999'],
      [12_345_678, '$12.3M'],
      [1e12, '$1T'],
    ])
  })

  it('counts are shortened without showing 1000k', () => {
    formatAll(formatCount, [
      [950, '950'],
      [1234, '1,234'],
      [9999, '9,999'],
      [12_340, '12.3k'],
      [999_600, '1M'],
      [10_000_000, '10M'],
      [3_400_000_000, '3.4B'],
      [2.26, '2.3'],
    ])
    formatAll(formatTokens, [
      [950, '950'],
      [1234, '1.2k'],
    ])
    assert.equal(exactNumber(1234567.25), '1,234,567.25')
    formatAll(formatPercent, [
      [0.125, '12.5%'],
      [0, '0%'],
      [1, '100%'],
      [0.0004, '0.04%'],
      [-0.00042, '-0.042%'],
      [0.999_97, '>99.9%'],
      [Number.NaN, nothing],
    ])
    assert.deepEqual([0.8333, 4, -0.005, 1234].map(formatScore), ['0.83', '4', '0', '1,234'])
    assert.deepEqual([0.8, -1_234_567.891, 1234.5].map(formatMean), ['0.80', '-1.2M', '1,235'])
    assert.equal(formatBytes(3482), '3.4 KB')
  })
})

describe('times', () => {
  const now = new Date('2026-03-09T12:00:00Z')
  const timeBefore = (seconds: number) => new Date(now.getTime() - seconds * 1000)

  it('are relative up to a month, and a date beyond', () => {
    formatAll(
      (seconds: number) => formatRelative(timeBefore(seconds), now, true),
      [
        [2, 'just now'],
        [42, '42 s ago'],
        [125, '2 min ago'],
        [7300, '2 h ago'],
        [-260_000, 'in 3 d'],
        [3_000_000, '2026-02-02'],
      ],
    )
  })

  it('have the date of the device, or of UTC', () => {
    inTimeZone('Asia/Kolkata', () => {
      const instant = new Date('2025-12-31T20:30:00Z')
      assert.equal(formatRelative(instant, now, false), '2026-01-01')
      assert.equal(formatRelative(instant, now, true), '2025-12-31')
    })
  })

  it('are exact in both zones, and absent if invalid', () => {
    assert.equal(formatInstant(now, true), '2026-03-09 12:00:00.000')
    assert.match(
      exactInstant(now),
      /^2026-03-\d\d \d\d:\d\d:00\.000 [+-]\d\d:\d\d\n2026-03-09 12:00:00\.000 UTC$/,
    )
    assert.equal(formatInstant(new Date('never'), true), nothing)
  })

  it('are complete if the zone leads beyond the year 9999', () => {
    inTimeZone('Pacific/Chatham', () => {
      const never = new Date('9999-12-31T23:59:59.999Z')
      assert.equal(formatInstant(never, false), '10000-01-01 13:44:59.999')
      assert.equal(formatRelative(never, now, false), '10000-01-01')
    })
  })
})

it('an id is shortened to its end if that is distinctive', () => {
  assert.equal(shortId('01a22334-1a1f-729b-a972-4e8db496fdf6'), '…b496fdf6')
  assert.equal(shortId('chat-1842'), 'chat-1842')
})

it('an axis tick has no insignificant decimals', () => {
  assert.deepEqual(
    ['50.0 s', '2.5 s', '0 ms', '500 ms', '1 m 15 s', '0%', '5 m 00 s', '3 h 00 m'].map(tickText),
    ['50 s', '2.5 s', '0', '500 ms', '1 m 15 s', '0%', '5 m', '3 h'],
  )
  assert.deepEqual(['$0', '$0.050', '$0.10', '$0.00012', '$20.00'].map(tickText), [
    '$0',
    '$0.05',
    '$0.10',
    '$0.00012',
    '$20.00',
  ])
})
