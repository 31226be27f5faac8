import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inTimeZone } from '../../../../fixtures/in-time-zone.ts'
import {
  defaultRange,
  neighbour,
  rangeBetween,
  rangeLabel,
  rangeSince,
  readChangedMinute,
  readDay,
  readLast,
  readMinute,
  readRange,
  shortRangeLabel,
  wholeDays,
  writeMinute,
} from './range.ts'

const now = new Date('2026-03-09T12:00:42.5Z')

it('a range around an instant ends now, and is at least as long as the longest preset', () => {
  assert.equal(rangeSince(now, now), '90d')
  const instant = new Date('2025-11-01T00:00:00Z')
  const { from, to } = readRange(rangeSince(instant, now), now)
  assert.ok(from < instant && to === undefined)
  assert.ok(readRange(rangeSince(new Date(0), now), now).from.getTime() === 0)
})

it('a preset ends now, in steps of a minute', () => {
  const range = readRange('24h', now)
  assert.deepEqual(
    [range.from.toISOString(), range.to, rangeLabel(range, now, false)],
    ['2026-03-08T12:00:00.000Z', undefined, 'Last 24 hours'],
  )
})

it('a time until now is typed as people write it', () => {
  const readText = (text: string) => readLast(text)?.text
  assert.deepEqual(['30m', ' 6 H ', '45 min', '2 weeks', '1 day', '60 minutes'].map(readText), [
    '30m',
    '6h',
    '45m',
    '2w',
    '24h',
    '1h',
  ])
  assert.deepEqual(['', '0m', '5', 'm', '1y', '99999w', '1.5h'].map(readText), Array(7).fill(undefined))
  const range = readRange('30m', now)
  assert.deepEqual(
    [range.from.toISOString(), range.to, rangeLabel(range, now, true)],
    ['2026-03-09T11:30:00.000Z', undefined, 'Last 30 minutes'],
  )
})

it('a minute is read only in the format in which it is written', () => {
  for (const isUtc of [false, true]) {
    for (const text of ['2026-03-09 12:00', '2026-12-31 23:59'])
      assert.equal(writeMinute(readMinute(text, isUtc)!, isUtc), text)
    assert.equal(writeMinute(readMinute('2026-3-9', isUtc)!, isUtc), '2026-03-09 00:00')
  }
  for (const text of ['', '10/23/2026, 06:59 AM', '2026-02-31 10:00', '2026-02-01 24:30', '2026-02-01 10:60'])
    for (const isUtc of [false, true]) assert.equal(readMinute(text, isUtc), undefined, text)
})

it('whole days move by days where clocks change', () => {
  const move = (start: string, end: string, direction: -1 | 1) =>
    neighbour(readRange(`${start}..${end}`, now), direction, now, false)?.map((time) => time.toISOString())
  inTimeZone('Europe/Berlin', () => {
    const [saturday, sunday, monday] = [
      '2025-10-24T22:00:00.000Z',
      '2025-10-25T22:00:00.000Z',
      '2025-10-26T23:00:00.000Z',
    ]
    assert.deepEqual(move(saturday, sunday, 1), [sunday, monday])
    assert.deepEqual(move(sunday, monday, -1), [saturday, sunday])
    assert.deepEqual(move(monday, '2025-11-02T23:00:00Z', -1), ['2025-10-19T22:00:00.000Z', monday])
    assert.deepEqual(move('2025-10-25T10:00:00Z', '2025-10-26T10:00:00Z', 1), [
      '2025-10-26T10:00:00.000Z',
      '2025-10-27T10:00:00.000Z',
    ])
  })
  inTimeZone('Africa/Cairo', () => {
    // This day begins at one o'clock.
    const [friday, saturday] = ['2025-04-24T22:00:00.000Z', '2025-04-25T21:00:00.000Z']
    assert.deepEqual(move(friday, saturday, -1), ['2025-04-23T22:00:00.000Z', friday])
  })
})

it('an ambiguous hour is preserved while only the other end changes', () => {
  inTimeZone('Europe/Berlin', () => {
    const second = new Date('2025-10-26T01:30:20Z')
    assert.equal(writeMinute(second, false), '2025-10-26 02:30')
    assert.equal(readChangedMinute('2025-10-26 02:30', second, false), second)
    assert.equal(
      readChangedMinute('2025-10-26 03:30', second, false)?.toISOString(),
      '2025-10-26T02:30:00.000Z',
    )
    assert.equal(readChangedMinute('2025-10-26 3', second, false), undefined)
  })
})

it('times are those of the device, or of UTC', () => {
  inTimeZone('Asia/Kolkata', () => {
    const instant = new Date('2026-03-08T20:30:00Z')
    assert.deepEqual(
      [writeMinute(instant, false), writeMinute(instant, true)],
      ['2026-03-09 02:00', '2026-03-08 20:30'],
    )
    assert.equal(readMinute('2026-03-09 02:00', false)?.toISOString(), instant.toISOString())
    assert.equal(readMinute('2026-03-08 20:30', true)?.toISOString(), instant.toISOString())
    const [fromText, toText] = ['2026-03-08T20:30:00Z', '2026-03-09T05:00:00Z']
    const range = readRange(`${fromText}..${toText}`, now)
    assert.equal(rangeLabel(range, now, false), '9 Mar, 02:00 – 9 Mar, 10:30')
    assert.equal(rangeLabel(range, now, true), '8 Mar, 20:30 – 9 Mar, 05:00')
    const today = (isUtc: boolean) => wholeDays(instant, isUtc)[0]?.range.map((time) => time.toISOString())
    assert.deepEqual(today(false), ['2026-03-08T18:30:00.000Z', '2026-03-09T18:30:00.000Z'])
    assert.deepEqual(today(true), ['2026-03-08T00:00:00.000Z', '2026-03-09T00:00:00.000Z'])
  })
})

it('a range outside this year shows the year', () => {
  const labelOf = (text: string) => rangeLabel(readRange(text, now), now, true)
  assert.equal(labelOf('2026-01-01T00:00:00Z..2026-02-01T00:00:00Z'), '1 Jan – 1 Feb')
  assert.equal(labelOf('2025-11-01T00:00:00Z..2025-12-01T00:00:00Z'), '1 Nov 2025 – 1 Dec 2025')
  assert.equal(
    labelOf('2025-12-31T00:00:00Z..2026-01-01T00:00:00Z'),
    '31 Dec 2025, 00:00 – 1 Jan 2026, 00:00',
  )
})

it('the short label of a range names its days', () => {
  const labelOf = (text: string) => shortRangeLabel(readRange(text, now), now, true).replaceAll(/\s/g, ' ')
  assert.equal(labelOf('7d'), '7d')
  assert.equal(labelOf('2026-03-08T00:00:00Z..2026-03-09T00:00:00Z'), '8 Mar')
  assert.equal(labelOf('2026-03-01T00:00:00Z..2026-03-08T00:00:01Z'), '1 – 8 Mar')
  assert.equal(labelOf('2026-02-01T00:00:00Z..2026-03-08T10:00:00Z'), '1 Feb – 8 Mar')
  assert.equal(labelOf('2025-11-01T00:00:00Z..2025-12-01T00:00:00Z'), '1 – 30 Nov 2025')
})

it('a day is in UTC, regardless of the local date format', () => {
  assert.equal(readDay(' 2026-03-09 ')?.toISOString(), '2026-03-09T00:00:00.000Z')
  for (const text of ['', '10/23/2026', '2026-02-31', '2026-3-9', '2026-03-09 10:00'])
    assert.equal(readDay(text), undefined, text)
})

it('a range moves by its length, and not beyond now', () => {
  const day = readRange('24h', now)
  const before = neighbour(day, -1, now, false)!
  assert.deepEqual(before[1].getTime() - before[0].getTime(), now.getTime() - day.from.getTime())
  assert.deepEqual(before[1], day.from)
  assert.equal(neighbour(day, 1, now, false), undefined)
  const pastRange = readRange(rangeBetween(...before), now)
  assert.deepEqual(neighbour(pastRange, 1, now, false)?.[0].toISOString(), '2026-03-08T12:00:00.000Z')
})

it('two instants form a range that survives a round trip', () => {
  const from = new Date('2026-03-01T00:00:00Z')
  const text = rangeBetween(from, now)
  const range = readRange(text, now)
  assert.equal(range.text, text)
  assert.deepEqual([range.from, range.to?.toISOString()], [from, '2026-03-09T12:00:42.000Z'])
})

it('an invalid range is replaced by the default', () => {
  for (const text of [undefined, '', '3x', 'a..b', '2026-03-09..2026-03-01'])
    assert.equal(readRange(text, now).text, defaultRange)
})
