import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TagMove } from '@plumbline/sdk'
import { sortTags, stepBack } from './tag-moves.ts'

const move = (tag: string, version: string, previous?: string): TagMove => ({
  tag,
  to: version,
  movedAt: '2026-03-09T10:00:00Z',
  ...(previous !== undefined && { from: previous }),
})

it('a step back returns a tag to the version that had it before', () => {
  const moves = [move('staging', '3', '2'), move('production', '2', '1'), move('production', '1')]
  assert.deepEqual(stepBack('production', moves), { tag: 'production', from: '2', to: '1' })
})

it('a tag that moved once, or that the service keeps, has no step back', () => {
  assert.equal(stepBack('production', [move('production', '1')]), undefined)
  assert.equal(stepBack('latest', [move('latest', '2', '1')]), undefined)
})

it('production is the first of the tags, and latest the last', () => {
  assert.deepEqual(sortTags(['latest', 'b', 'production', 'a']), ['production', 'a', 'b', 'latest'])
})
