import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageByCursors, readPage } from './page.ts'

/** A list of 25 numbers, ten per page. */
const makeList = () => {
  const cursors: (string | undefined)[] = []
  const read = async (cursor: string | undefined) => {
    cursors.push(cursor)
    const start = Number(cursor ?? 0)
    const items = Array.from({ length: Math.min(10, 25 - start) }, (_, index) => start + index)
    return { items, nextCursor: start + 10 < 25 ? String(start + 10) : undefined }
  }
  return { cursors, read }
}

test('reads up to the end of a numbered page and no further, and returns nothing before it', async () => {
  const list = makeList()
  const second = await pageByCursors({ page: 2, limit: 8 }, list.read)
  assert.deepEqual(second.items, [8, 9, 10, 11, 12, 13, 14, 15])
  assert.deepEqual([second.itemsRead, second.isWhole, list.cursors], [20, false, [undefined, '10']])
  assert.deepEqual((await pageByCursors({ page: 3, limit: 12 }, makeList().read)).items, [24])
  assert.deepEqual((await pageByCursors({ page: 9, limit: 12 }, makeList().read)).items, [])
})

test('a page must be among the first 100,000 items', () => {
  const request = (query: Record<string, string>) => readPage({ params: {}, query, body: undefined })
  assert.deepEqual(request({ page: '100', limit: '1000' }), { page: 100, limit: 1000 })
  assert.throws(() => request({ page: '101', limit: '1000' }), /^ServiceError.*page: must be among/s)
  assert.throws(() => request({ page: '100000000', limit: '1' }), { code: 'invalid_request' })
})
