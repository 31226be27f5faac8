import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { AnnotationFeed, AnnotationQueue } from '@plumbline/sdk'
import { checkFeed, feedInput, newQueueValues, queueValues } from './queue-values.ts'

const valuesOf = (feed: AnnotationFeed | null) => queueValues({ feed } as AnnotationQueue)

it('a feed survives a round trip', () => {
  const feeds = [null, { share: 0.05 }, { share: 1, featureSlug: 'chat', scoreName: 'good', scoreMax: 0.5 }]
  for (const feed of feeds) assert.deepEqual(feedInput(valuesOf(feed).feed), feed)
})

it('bounds count only with the name of a score', () => {
  assert.deepEqual(feedInput({ ...newQueueValues.feed, isOn: true, scoreMax: 0.5 }), { share: 0.05 })
})

it('the sampling rate of a feed is a percentage above 0, up to 100', () => {
  const withShare = (share: number | undefined) =>
    checkFeed({ ...newQueueValues, feed: { ...newQueueValues.feed, isOn: true, share } })
  for (const share of [0, 1.01, Number.NaN, undefined]) assert.equal(withShare(share)[0]?.path, 'feed.share')
  for (const share of [0.0001, 1]) assert.deepEqual(withShare(share), [])
  assert.deepEqual(checkFeed({ ...newQueueValues, feed: { ...newQueueValues.feed, share: 0 } }), [])
})
