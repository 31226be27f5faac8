import assert from 'node:assert/strict'
import { it } from 'node:test'
import { rankCommand } from './rank-command.ts'

it('a prefix match ranks above an inner match, and scattered letters do not match', () => {
  const ranks = [
    rankCommand('Support', 'support'),
    rankCommand('Support answers', 'support'),
    rankCommand('Old support answers', 'support'),
    rankCommand('Unsupported', 'support'),
    rankCommand('Refunds', 'support', ['support-refunds']),
  ]
  assert.deepEqual(
    ranks,
    ranks.toSorted((a, b) => b - a),
  )
  assert.equal(new Set(ranks).size, ranks.length)
  assert.equal(rankCommand('You', 'support', ['settings profile password sessions theme appearance']), 0)
  assert.equal(rankCommand('Translate: product text', 'support'), 0)
})
