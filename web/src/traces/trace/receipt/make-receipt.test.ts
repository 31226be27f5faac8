import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StoredLog } from '@plumbline/sdk'
import { makeReceipt, receiptRows } from './make-receipt.ts'

const log = (fields: { readonly cost?: number; readonly [name: string]: unknown }): StoredLog =>
  // Safe: a receipt reads these fields only.
  ({
    id: 'a',
    type: 'generation',
    name: 'Answer',
    cost: null,
    costEstimate: null,
    costInTotals: fields.cost ?? null,
    ...fields,
  }) as StoredLog

const cached = {
  source: 'price-list',
  list: { name: 'genai-prices', version: '0.1.8' },
  effectiveDate: '2026-06-01',
  model: 'gpt-5',
  parts: [
    { bucket: 'freshInput', tokens: 1000, pricePerMillion: 2, cost: 0.002 },
    { bucket: 'cacheRead', tokens: 10_000, pricePerMillion: 0.5, cost: 0.005 },
    { bucket: 'textOutput', tokens: 500, pricePerMillion: 8, cost: 0.004 },
  ],
  notes: ['long_context_price'],
}

it('each call has tokens times price, its list and date, and what the cache saved', () => {
  const receipt = makeReceipt([log({ cost: 0.011, costEstimate: 0.011, costDetail: cached })])
  const [line] = receipt.lines
  assert.equal(line?.source, 'Price list genai-prices 0.1.8 of 2026-06-01')
  assert.deepEqual(line?.notes, ['long_context_price'])
  assert.ok(Math.abs(receipt.saved - 0.015) < 1e-12)
  assert.equal(receipt.total, 0.011)
  assert.equal(receiptRows(receipt).length, 4)
})

it('a call whose usage a descendant reports is listed but not counted', () => {
  const receipt = makeReceipt([
    log({ id: 'outer', cost: 0.5, costEstimate: 0.5, countsInTotals: false, costInTotals: null }),
    log({ id: 'inner', cost: 0.5, costEstimate: 0.5 }),
    log({ id: 'tool', type: 'tool' }),
  ])
  assert.equal(receipt.total, 0.5)
  assert.deepEqual(
    receipt.lines.map(({ logId, counts }) => [logId, counts]),
    [
      ['outer', false],
      ['inner', true],
    ],
  )
})

it('a cost reported by an agent replaces the estimate of its call, and the sum equals that of the trace', () => {
  const receipt = makeReceipt([
    log({ id: 'agent', type: 'span', cost: 0.5, countsInTotals: false }),
    log({ id: 'call', cost: 0.0035, costEstimate: 0.0035, costInTotals: 0 }),
    log({ id: 'unset', cost: 0, costEstimate: 2.5, costInTotals: 2.5 }),
    log({ id: 'unknown', costInTotals: 0 }),
    log({ id: 'unset within', cost: 0, costEstimate: 2.5, costInTotals: 0 }),
  ])
  assert.deepEqual([receipt.total, receipt.unpriced], [3, 0])
  assert.deepEqual(
    receipt.lines.filter(({ counts }) => !counts).map(({ logId }) => logId),
    ['call', 'unset within'],
  )
})

it('a reported cost of 0 is replaced by the estimate, in its line and in the sum', () => {
  const { lines, total } = makeReceipt([
    log({ cost: 0, costEstimate: 2.5, costInTotals: 2.5, costDetail: cached }),
    log({ id: 'free', cost: 0, costEstimate: 0, costInTotals: 0 }),
  ])
  assert.deepEqual(
    lines.map(({ cost, isReported }) => [cost, isReported]),
    [
      [2.5, false],
      [0, false],
    ],
  )
  assert.equal(total, 2.5)
})

it('a reported cost is distinguished from the estimate, and calls without a price are counted', () => {
  const receipt = makeReceipt([log({ cost: 1, costEstimate: 0.9, costDetail: cached }), log({ id: 'b' })])
  assert.deepEqual([receipt.lines[0]?.isReported, receipt.unpriced, receipt.total], [true, 1, 1])
  const failed = [log({ id: 'c', metadata: { error: '429' } }), log({ id: 'd', error: '429' })]
  assert.equal(makeReceipt(failed).unpriced, 0)
  assert.deepEqual(receiptRows(receipt)[1]?.slice(3, 7), ['reported', null, null, 1])
  assert.equal(makeReceipt([]).total, null)
})

it('cache savings are unknown without the uncached input price', () => {
  const costDetail = { ...cached, parts: cached.parts.slice(1) }
  assert.equal(
    makeReceipt([log({ cost: 0.009, costEstimate: 0.009, costDetail })]).lines[0]?.saved,
    undefined,
  )
})
