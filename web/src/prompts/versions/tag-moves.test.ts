import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TagMove } from '@plumbline/sdk'
import { holdersOf, movableTags, sortTags, stepBack } from './tag-moves.ts'

const move = (tag: string, version: string, previous?: string): TagMove => ({
  tag,
  to: version,
  movedAt: '2026-03-09T10:00:00Z',
  ...(previous !== undefined && { from: previous }),
})

it('a rollback returns a tag to its previous version', () => {
  const moves = [move('staging', '3', '2'), move('production', '2', '1'), move('production', '1')]
  assert.deepEqual(stepBack('production', moves), { tag: 'production', from: '2', to: '1' })
})

it('a tag is on the version it last moved to, and production can be moved before any version has it', () => {
  const holders = holdersOf([move('staging', '3', '2'), move('staging', '2'), move('latest', '3')])
  assert.equal(holders.get('staging'), '3')
  assert.equal(holders.get('production'), undefined)
  assert.deepEqual(movableTags(holders), ['production', 'staging'])
})

it('a tag that moved only once, or that the service manages, cannot be rolled back', () => {
  assert.equal(stepBack('production', [move('production', '1')]), undefined)
  assert.equal(stepBack('latest', [move('latest', '2', '1')]), undefined)
})

it('production is the first of the tags, and latest the last', () => {
  assert.deepEqual(sortTags(['latest', 'b', 'production', 'a']), ['production', 'a', 'b', 'latest'])
})
