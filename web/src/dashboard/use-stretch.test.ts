import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readRange } from '../app/range/range.ts'
import { stretchOf } from './use-stretch.ts'

const now = new Date('2026-03-09T17:12:42Z')
const endOf = (text: string): string => stretchOf(readRange(text, now), now).to.toISOString()

it('a range that is under way ends with this minute, so that it is compared with a period as long', () => {
  assert.equal(endOf('24h'), '2026-03-09T17:13:00.000Z')
  assert.equal(endOf('2026-03-09T00:00:00Z..2026-03-10T00:00:00Z'), '2026-03-09T17:13:00.000Z')
  assert.equal(endOf('2026-03-08T00:00:00Z..2026-03-09T00:00:00Z'), '2026-03-09T00:00:00.000Z')
  assert.equal(endOf('2026-03-10T00:00:00Z..2026-03-11T00:00:00Z'), '2026-03-11T00:00:00.000Z')
})
