import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTimeZone } from '../../../fixtures/in-time-zone.ts'
import { parseDateTime } from './date-time.ts'

test('a date-time without an offset is UTC, wherever the machine is', () => {
  const forms: readonly [text: string, time: string][] = [
    ['2024-05-06T07:08:09.123', '2024-05-06T07:08:09.123Z'],
    ['2024-05-06T07:08', '2024-05-06T07:08:00.000Z'],
    ['2024-05-06 07:08', '2024-05-06T07:08:00.000Z'],
    ['2024-05-06', '2024-05-06T00:00:00.000Z'],
    ['2024-05', '2024-05-01T00:00:00.000Z'],
    ['2024/05/06', '2024-05-06T00:00:00.000Z'],
    ['6 May 2024', '2024-05-06T00:00:00.000Z'],
    ['May 6, 2024 7:08 PM', '2024-05-06T19:08:00.000Z'],
    ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06 07:08:09 UTC', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06 07:08:09+05:30', '2024-05-06T01:38:09.000Z'],
    ['2024-05-06T07:08:09-0300', '2024-05-06T10:08:09.000Z'],
    ['Mon, 06 May 2024 07:08:09 GMT', '2024-05-06T07:08:09.000Z'],
    ['Mon May 06 2024 07:08:09 GMT+0200 (CEST)', '2024-05-06T05:08:09.000Z'],
  ]
  for (const zone of ['Pacific/Chatham', 'America/Santiago', 'UTC'])
    inTimeZone(zone, () => {
      for (const [text, time] of forms) assert.equal(new Date(parseDateTime(text)).toISOString(), time, text)
    })
})

test('a text that is no date-time gives NaN', () => {
  for (const text of ['', 'yesterday', 'Z', '2024-13-01T00:00', '2024-05-06T25:00'])
    assert.ok(Number.isNaN(parseDateTime(text)), text)
})
