import assert from 'node:assert/strict'
import { it } from 'node:test'
import { feedDraftOf, readFeed } from './feed-draft.ts'

it('a feed that is read and written again is the same', () => {
  const feeds = [null, { share: 0.05 }, { share: 1, featureSlug: 'chat', scoreName: 'good', scoreMax: 0.5 }]
  for (const feed of feeds) assert.deepEqual(readFeed(feedDraftOf(feed)), { feed })
})

it('bounds count only with the name of a score, and what is no number is told', () => {
  const draft = { ...feedDraftOf(null), isOn: true, scoreMax: '0.5' }
  assert.deepEqual(readFeed(draft), { feed: { share: 0.05 } })
  assert.ok('problem' in readFeed({ ...draft, percent: '0' }))
  assert.ok('problem' in readFeed({ ...draft, percent: '101' }))
  assert.ok('problem' in readFeed({ ...draft, scoreMin: 'low' }))
})
