import assert from 'node:assert/strict'
import { it } from 'node:test'
import { groupBounds } from './group-bounds.ts'

it("today's spending is shown beside the daily limit, if there is one", () => {
  assert.equal(
    groupBounds({ spentToday: 0.42, spendMaxPerDay: 5 }),
    '8 at a time, $0.42 of $5.00 spent today',
  )
  assert.equal(
    groupBounds({ spentToday: 0, spendMaxPerDay: 0, concurrencyMax: 2 }),
    '2 at a time, $0 of $0 spent today',
  )
  assert.equal(groupBounds({ spentToday: 0.42 }), '8 at a time, no daily limit')
})
