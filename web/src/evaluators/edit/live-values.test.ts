import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filterProblem, liveOf, liveRuleOf, newLive } from './live-values.ts'

describe('a live rule in the form', () => {
  it('is none until it is switched on', () => assert.equal(liveRuleOf(newLive), null))

  it('comes back as it was saved', () => {
    const where = JSON.stringify([{ field: 'environment', not: ['staging', 'test'] }])
    for (const filters of [{}, { featureSlug: 'chat' }, { model: 'gpt-4o', where, q: 'refund' }]) {
      const rule = { filters, subject: 'generation', sampleRate: 0.25 } as const
      assert.deepEqual(liveRuleOf(liveOf(rule)), rule)
    }
    const ofSessions = { filters: {}, subject: 'session', sampleRate: 1, quietMinutes: 30 } as const
    assert.deepEqual(liveRuleOf(liveOf(ofSessions)), ofSessions)
  })

  it('names the part of the filter that is not understood', () => {
    assert.equal(filterProblem('feature:chat refund'), undefined)
    assert.match(filterProblem('cost>much') ?? '', /does not understand "cost>much"/)
  })
})
