import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRevisions } from './revisions.ts'

test('revisions of one process ascend, even past the range of a millisecond and when the clock is set back', () => {
  const nextRevision = makeRevisions(7)
  const times = [5_000, 5_000, 5_001, 4_000, 4_000, 9_000]
  const revisions = times.flatMap((ms) => Array.from({ length: 25 }, () => nextRevision(new Date(ms))))
  assert.deepEqual(
    revisions,
    revisions.toSorted((first, second) => first - second),
  )
  assert.equal(new Set(revisions).size, revisions.length)
  assert.ok(revisions.every(Number.isSafeInteger))
  assert.ok(makeRevisions(7)(new Date('2200-01-01')) < Number.MAX_SAFE_INTEGER)
})

test('a hundred processes never create the same revision twice', () => {
  const now = new Date()
  const revisions = Array.from({ length: 100 }, (_process, number) => {
    const nextRevision = makeRevisions(1_000_000 + number)
    return Array.from({ length: 50 }, () => nextRevision(now))
  }).flat()
  assert.equal(new Set(revisions).size, revisions.length)
})
