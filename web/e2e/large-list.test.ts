/** The responses for a list that is too long to be read at once; here a short list responds as if it were long. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

describe('a search over many texts', () => {
  it('shows its progress, and continues by itself', async () => {
    const page = await screens.open('/settings/you')
    const isAllowed = Promise.withResolvers<void>()
    const cursors: (string | null)[] = []
    await page.route(/\/monitor\/traces\?/, async (route) => {
      const address = new URL(route.request().url())
      if (!address.searchParams.has('q')) return route.fallback()
      const cursor = address.searchParams.get('cursor')
      cursors.push(cursor)
      if (cursor !== 'second') {
        const nextCursor = cursor === null ? 'first' : 'second'
        const searchedBackTo = '2026-03-04T05:06:07.000Z'
        return route.fulfill({ json: { traces: [], nextCursor, searchedBackTo } })
      }
      await isAllowed.promise
      address.searchParams.delete('cursor')
      address.searchParams.delete('q')
      return route.fulfill({ response: await route.fetch({ url: String(address) }) })
    })
    await page.goto(`${screens.url}/app/traces?range=90d&q=${encodeURIComponent('"the trace"')}`)
    const status = page.getByRole('status').filter({ hasText: 'Searched back to' })
    await status.waitFor()
    assert.match((await status.textContent()) ?? '', /^Searched back to .*2026.* Searching earlier traces…$/)
    assert.equal(await page.getByText('No traces match').count(), 0)
    await assertAccessible(page)
    isAllowed.resolve()
    await page.getByRole('grid', { name: 'Traces' }).getByRole('row').nth(1).waitFor()
    assert.equal(await status.count(), 0)
    assert.deepEqual([...new Set(cursors)], [null, 'first', 'second'])
  })
})

describe('the scores of a page of traces', () => {
  it('are complete, however many pages of scores there are', async () => {
    const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })
    const name = 'With pages of scores'
    for (const scoreNames of [['of-pages-a', 'of-pages-b'], ['of-pages-c']]) {
      const { trace } = await client.monitor.trace({ name })
      for (const scoreName of scoreNames)
        await client.scores.create({ traceId: trace.id, name: scoreName, value: 1 })
    }
    await screens.listed(name, 2)
    const countScores = async (): Promise<number> => {
      const lists = await Promise.all(
        ['of-pages-a', 'of-pages-b', 'of-pages-c'].map((scoreName) =>
          client.scores.list({ name: scoreName }),
        ),
      )
      return lists.flatMap(({ scores }) => scores).length
    }
    await eventually(async () => assert.equal(await countScores(), 3))
    const page = await screens.open('/settings/you')
    await page.route(/\/scores\?traceIds=/, async (route) => {
      const address = new URL(route.request().url())
      const isSecond = address.searchParams.has('cursor')
      address.searchParams.delete('cursor')
      const response = await route.fetch({ url: String(address) })
      const { scores } = (await response.json()) as { scores: object[] }
      return route.fulfill({
        json: isSecond ? { scores: scores.slice(1) } : { scores: scores.slice(0, 1), nextCursor: 'second' },
      })
    })
    await page.goto(`${screens.url}/app/traces?range=24h&q=${encodeURIComponent(`name:"${name}"`)}`)
    const grid = page.getByRole('grid', { name: 'Traces' })
    await grid.getByRole('row').nth(1).waitFor()
    for (const scoreName of ['of-pages-a', 'of-pages-b', 'of-pages-c'])
      await grid.getByText(scoreName).first().waitFor()
  })
})

describe('facets of a sample', () => {
  it('are marked as estimates, with their margins', async () => {
    const page = await screens.open('/settings/you')
    await page.route(/\/monitor\/traces\/facets/, async (route) => {
      const response = await route.fetch()
      const { facets } = (await response.json()) as { facets: { values: object[] }[] }
      for (const { values } of facets) for (const value of values) Object.assign(value, { marginOfError: 7 })
      return route.fulfill({ response, json: { facets, sample: { traces: 50_123, total: 2_500_000 } } })
    })
    await page.goto(`${screens.url}/app/traces?range=90d`)
    await page.getByText('Estimated from 50.1K of 2.5M traces.').waitFor()
    const count = page.getByTitle(/ ± 7, estimated$/).first()
    assert.match((await count.textContent()) ?? '', /^~/)
    await assertAccessible(page)
  })
})

describe('a next page that fails to load', () => {
  it('is reported below the rows, and retried on request', async () => {
    const page = await screens.open('/settings/you')
    let isRejected = true
    let rejections = 0
    await page.route(/\/monitor\/traces\?.*cursor=/, async (route) => {
      if (!isRejected) return route.fallback()
      rejections += 1
      return route.fulfill({ status: 429, json: { error: 'Too many requests in a minute.' } })
    })
    await page.goto(`${screens.url}/app/traces?range=90d`)
    const grid = page.getByRole('grid', { name: 'Traces' })
    await grid.getByRole('row').nth(1).waitFor()
    const rowCount = () => grid.getAttribute('aria-rowcount')
    const before = await rowCount()
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    const notice = page.getByRole('alert').filter({ hasText: 'More rows could not be loaded.' })
    await notice.getByText('Too many requests in a minute.').waitFor()
    // Rerendering the list sends no request.
    for (const key of ['k', 'k', 'j']) await grid.press(key)
    await assertAccessible(page)
    assert.deepEqual([rejections, await rowCount()], [1, before])
    isRejected = false
    await notice.getByRole('button', { name: 'Try again' }).click()
    await page.waitForFunction(
      (count) => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') !== count,
      before,
    )
    assert.equal(await notice.count(), 0)
  })
})

describe('a row in the URL', () => {
  it('is visible once the list has loaded', async () => {
    const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })
    const name = 'Far below'
    const startTime = new Date(Date.now() - 60_000)
    const ids: string[] = []
    for (let index = 0; index < 40; index++) {
      const time = new Date(startTime.getTime() - index * 1000).toISOString()
      ids.push((await client.monitor.trace({ name, startTime: time })).trace.id)
    }
    await screens.listed(name, ids.length)
    const q = encodeURIComponent(`name:"${name}"`)
    const page = await screens.open(`/traces?range=24h&q=${q}&open=${ids.at(-1)}`)
    const grid = page.getByRole('grid', { name: 'Traces' })
    await grid.getByRole('row').nth(1).waitFor()
    await page.waitForFunction(
      (element) => element !== null && element.scrollTop > 0,
      await grid.elementHandle(),
    )
  })
})
