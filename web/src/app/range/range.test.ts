import assert from 'node:assert/strict'
import { it } from 'node:test'
import { defaultRange, rangeBetween, readRange } from './range.ts'

const now = new Date('2026-03-09T12:00:42.5Z')

it('a preset ends now, and moves a minute at a time', () => {
  const { from, to, label } = readRange('24h', now)
  assert.deepEqual([from.toISOString(), to, label], ['2026-03-08T12:00:00.000Z', undefined, 'Last 24 hours'])
})

it('two instants are a range, and what they are written as is read back', () => {
  const from = new Date('2026-03-01T00:00:00Z')
  const text = rangeBetween(from, now)
  const range = readRange(text, now)
  assert.equal(range.text, text)
  assert.deepEqual([range.from, range.to?.toISOString()], [from, '2026-03-09T12:00:42.000Z'])
})

it('what is no range is the default one', () => {
  for (const text of [undefined, '', '3x', 'a..b', '2026-03-09..2026-03-01'])
    assert.equal(readRange(text, now).text, defaultRange)
})
