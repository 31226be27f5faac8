import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachControlStore } from '../testing.ts'

const hour = new Date('2026-03-01T12:00:00Z')
const now = new Date('2026-03-01T12:34:56.789Z')
const nextHour = new Date('2026-03-01T13:00:00Z')
const hourMs = 3_600_000
const all = { from: new Date(0), to: new Date('2027-01-01T00:00:00Z') }

forEachControlStore('the ledger', (open) => {
  test('counts add up by key and hour, and the received count is their sum', async () => {
    const { workspace } = await open()
    const { add, list } = workspace.ledger
    await add(null, [{ apiKeyId: 'a', time: now, stored: 3, sampled: 1, sampledOut: 2 }], now)
    await add(
      null,
      [
        { apiKeyId: 'b', time: now, stored: 1 },
        { apiKeyId: 'a', time: nextHour, deduplicated: 5 },
        { apiKeyId: 'a', time: hour, stored: 1, deduplicated: 1, sampled: 1 },
      ],
      now,
    )
    const none = {
      received: 0,
      stored: 0,
      deduplicated: 0,
      rejected: 0,
      sampled: 0,
      sampledOut: 0,
      rejections: [],
    }
    const first = {
      ...none,
      apiKeyId: 'a',
      hour,
      received: 5,
      stored: 4,
      deduplicated: 1,
      sampled: 2,
      sampledOut: 2,
    }
    const last = { ...none, apiKeyId: 'a', hour: nextHour, received: 5, deduplicated: 5 }
    assert.deepEqual(await list(all), [first, { ...none, apiKeyId: 'b', hour, received: 1, stored: 1 }, last])
    assert.deepEqual(await list({ ...all, apiKeyId: 'a' }), [first, last])
    assert.deepEqual(await list({ from: nextHour, to: all.to }), [last])
    assert.deepEqual(await list({ from: hour, to: nextHour, apiKeyId: 'a' }), [first])
  })

  test('rejections are split by reason, with the latest sample', async () => {
    const { workspace } = await open()
    const rejection = { reason: 'invalid_body', count: 2, sample: 'late', time: now }
    const entry = { apiKeyId: 'a', time: now, stored: 1 }
    await workspace.ledger.add(null, [{ ...entry, rejections: [rejection] }], now)
    const early = { ...rejection, count: 1, sample: 'early', time: hour }
    const other = { reason: 'feature_not_found', count: 4, sample: 'é'.repeat(2_000), time: now }
    await workspace.ledger.add(null, [{ ...entry, rejections: [early, other] }], now)
    const [row] = await workspace.ledger.list(all)
    assert.equal(row?.rejected, 7)
    assert.equal(row?.received, 9)
    assert.deepEqual(row?.rejections, [
      { reason: 'feature_not_found', count: 4, lastSample: 'é'.repeat(1_024), lastAt: now },
      { reason: 'invalid_body', count: 3, lastSample: 'late', lastAt: now },
    ])
  })

  test('a segment counts once, however often it is replayed', async () => {
    const { workspace } = await open()
    const entries = [{ apiKeyId: 'a', time: now, stored: 10 }]
    const { add, list } = workspace.ledger
    const added = await Promise.all([1, 2, 3].map(() => add('segment-1', entries, now)))
    assert.deepEqual(added.toSorted(), [false, false, true])
    assert.equal(await add('segment-1', entries, now), false)
    assert.equal(await add('segment-2', entries, now), true)
    assert.equal((await list(all))[0]?.stored, 20)
  })

  test('a segment that is replayed first after days without any is still recognized', async () => {
    const { workspace } = await open()
    const entries = [{ apiKeyId: 'a', time: now, stored: 1 }]
    await workspace.ledger.add('segment-1', entries, now)
    const daysLater = new Date(now.getTime() + 72 * hourMs)
    assert.equal(await workspace.ledger.add('segment-1', entries, daysLater), false)
    await workspace.ledger.add('segment-2', entries, daysLater)
    // No longer recognized: the list of segments does not grow forever.
    assert.equal(await workspace.ledger.add('segment-1', entries, daysLater), true)
  })

  test('nodes that count the same keys in different orders do not deadlock', async () => {
    const { workspace } = await open()
    const keys = Array.from({ length: 20 }, (_, index) => ({ apiKeyId: `k${index}`, time: now, stored: 1 }))
    const orders = [keys, keys.toReversed(), keys, keys.toReversed(), keys, keys.toReversed()]
    await Promise.all(orders.map((entries) => workspace.ledger.add(null, entries, now)))
    const counts = (await workspace.ledger.list(all)).map(({ stored }) => stored)
    assert.deepEqual(counts, Array(20).fill(6))
  })

  test('another workspace has a separate ledger', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    await workspace.ledger.add('segment-1', [{ apiKeyId: 'a', time: now, stored: 1 }], now)
    assert.deepEqual(await other.ledger.list(all), [])
    assert.equal(await other.ledger.add('segment-1', [{ apiKeyId: 'a', time: now, stored: 1 }], now), true)
  })
})
