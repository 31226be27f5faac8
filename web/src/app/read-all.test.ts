import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAll } from './read-all.ts'

const pagesOf = (pages: readonly (readonly number[])[]) => (cursor: string | undefined) => {
  const index = Number(cursor ?? 0)
  return Promise.resolve({
    items: pages[index] ?? [],
    ...(index + 1 < pages.length && { nextCursor: String(index + 1) }),
  })
}
const { signal } = new AbortController()

test('reads all pages in order and reports the progress, including across an empty page', async () => {
  const counts: number[] = []
  const all = await readAll(pagesOf([[1, 2], [], [3]]), { signal, onProgress: (count) => counts.push(count) })
  assert.deepEqual(all, { items: [1, 2, 3], isWhole: true })
  assert.deepEqual(counts, [2, 2, 3])
})

test('reads at most the maximum, and reports whether that is everything', async () => {
  const onProgress = () => undefined
  const pages = pagesOf([[1, 2], [3, 4], [5]])
  assert.deepEqual(await readAll(pages, { max: 3, signal, onProgress }), { items: [1, 2, 3], isWhole: false })
  assert.deepEqual(await readAll(pages, { max: 4, signal, onProgress }), {
    items: [1, 2, 3, 4],
    isWhole: false,
  })
  assert.deepEqual(await readAll(pages, { max: 5, signal, onProgress }), {
    items: [1, 2, 3, 4, 5],
    isWhole: true,
  })
})

test('ends once the signal aborts or a page fails', async () => {
  const controller = new AbortController()
  const reading = readAll(pagesOf([[1], [2]]), {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  })
  await assert.rejects(reading, { name: 'AbortError' })
  const failing = readAll(() => Promise.reject(new Error('away')), { signal, onProgress: () => undefined })
  await assert.rejects(failing, /away/)
})
