import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScoreRow } from '@plumbline/storage/traces'
import { unstoredScores } from './unstored-scores.ts'

const score = (scoreId: string, name: string, value: ScoreRow['value'], fields: Partial<ScoreRow> = {}) =>
  // Safe: has every field that is compared.
  ({ scoreId, traceId: 't', logId: 'l', name, value, createdAtMs: 1, source: 'otlp', ...fields }) as ScoreRow
const idsOf = (scores: readonly ScoreRow[], storedScores: readonly ScoreRow[]) =>
  unstoredScores(scores, storedScores).map(({ scoreId }) => scoreId)

test('a score is stored under its id, or as an equal score under an id that is no longer in use', () => {
  const scores = [score('a', 'x', 1), score('b', 'x', 1), score('c', 'x', 2)]
  assert.deepEqual(idsOf(scores, []), ['a', 'b', 'c'])
  assert.deepEqual(idsOf(scores, [score('b', 'x', 5)]), ['a', 'c'])
  assert.deepEqual(idsOf(scores, [score('old', 'x', 1)]), ['b', 'c'])
  assert.deepEqual(idsOf(scores, [score('old', 'x', 1), score('older', 'x', 1)]), ['c'])
  assert.deepEqual(idsOf(scores, scores), [])
})

test('a score by a user, or one with another time, name, log or trace, is a different score', () => {
  const others: Partial<ScoreRow>[] = [
    { source: 'api' },
    { createdAtMs: 2 },
    { name: 'y' },
    { logId: 'm' },
    { traceId: 'u' },
  ]
  for (const fields of others)
    assert.deepEqual(idsOf([score('a', 'x', 1)], [score('old', 'x', 1, fields)]), ['a'])
})

test('an old id may belong to another score now', () => {
  const storedScores = [score('0/a', 'a', 1), score('1/b', 'b', 2), score('2/b', 'b', 3)]
  assert.deepEqual(
    idsOf([score('0/a', 'a', 1), score('0/b', 'b', 2), score('1/b', 'b', 3)], storedScores),
    [],
  )
})
