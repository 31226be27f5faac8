import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filterOfText, textOfFilter } from './live-filter.ts'
import { liveOf, liveRuleOf, newLive } from './live-values.ts'

describe('a live rule in the form', () => {
  it('is none until it is switched on', () => assert.equal(liveRuleOf(newLive), null))

  it('survives a round trip, also if its filter is retyped', () => {
    const where = JSON.stringify([{ field: 'environment', not: ['staging', 'test'] }])
    for (const filters of [{}, { featureSlug: 'chat' }, { model: 'gpt-4o', where, q: 'refund' }]) {
      const rule = { filters, subject: 'generation', sampleRate: 0.25 } as const
      const live = liveOf(rule)
      assert.deepEqual(liveRuleOf(live), rule)
      const typed = { ...live, filter: filterOfText(textOfFilter(live.filter)) }
      assert.deepEqual(liveRuleOf(typed), rule)
      assert.equal(textOfFilter(typed.filter), textOfFilter(live.filter))
    }
    const ofSessions = { filters: {}, subject: 'session', sampleRate: 1, quietMinutes: 30 } as const
    assert.deepEqual(liveRuleOf(liveOf(ofSessions)), ofSessions)
  })

  it('keeps the text as it was typed', () =>
    assert.equal(textOfFilter(filterOfText('feature:chat  cost>')), 'feature:chat  cost>'))

  it('reports the invalid part of the filter', () => {
    assert.equal(filterOfText('feature:chat refund').problem, undefined)
    assert.match(filterOfText('cost>much').problem ?? '', /has an invalid term: "cost>much"/)
  })
})
