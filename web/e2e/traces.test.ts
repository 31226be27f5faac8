import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Locator, Page, Request } from 'playwright-core'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

const ask = async (path: string, body?: object): Promise<Record<string, never>> => {
  const answer = await fetch(`${screens.url}${path}`, {
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return (await answer.json()) as Record<string, never>
}

/** Traces of this file's own feature, so that the list contains nothing else. */
const name = 'E2E list <i>&'
const record = (fields: object) =>
  ask('/monitor/trace', {
    name,
    metadata: { suite: 'list' },
    startTime: new Date(Date.now() - 60_000).toISOString(),
    ...fields,
  })
await record({
  user: { id: 'ada l', name: 'Ada' },
  input: 'A refund, please.',
  metadata: { suite: 'list', env: 'prod' },
})
await record({
  user: { id: 'bob', name: 'Bob' },
  logs: [{ id: 't', type: 'tool', metadata: { error: 'No.' } }],
})
await record({ user: { id: 'eve', name: 'Eve' } })

/** Traces are listed shortly after they were accepted. */
const list = async (suite = 'list'): Promise<number> =>
  ((await ask(`/monitor/traces?metadata.suite=${suite}`)).traces as unknown as object[]).length
while ((await list()) < 3) await setTimeout(100)

const rows = (page: Page) => page.getByRole('grid', { name: 'Traces' }).getByRole('row')
/** The header is a row too. */
const rowsShown = (page: Page, count: number) =>
  page.waitForFunction(
    (count) => document.querySelectorAll('[role=grid] [role=row][aria-rowindex]').length === count,
    count + 1,
  )
/** A column has its width once the table has measured itself. */
const hasWidth = (cell: Locator, least: number): Promise<void> =>
  eventually(async () => {
    const { width = 0 } = (await cell.boundingBox()) ?? {}
    assert.ok(width >= least, `${width} px`)
  })
const mine = `/traces?range=24h&q=${encodeURIComponent('metadata.suite:list')}`

describe('the trace list', () => {
  it('is filtered by typing, with fields and values completed and counted; chips and text are the same', async () => {
    const page = await screens.open('/traces?range=24h')
    await rows(page).nth(3).waitFor()
    await page.keyboard.press('/')
    const filter = page.getByRole('combobox', { name: 'Filter' })
    await filter.pressSequentially('metadata.sui')
    await page.getByRole('option', { name: /^metadata\.suite/ }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('option', { name: /^list 3/ }).waitFor()
    await page.keyboard.press('Tab')
    await rowsShown(page, 3)
    assert.match(page.url(), /q=metadata\.suite/)
    await filter.pressSequentially('user:')
    await page.getByRole('option', { name: /^Ada.*ada l/ }).click()
    await rowsShown(page, 1)
    assert.equal((await filter.inputValue()).trim(), 'metadata.suite:list user="ada l"')
    await page.getByRole('button', { name: 'Remove user="ada l"' }).click()
    await rowsShown(page, 3)
    assert.equal((await filter.inputValue()).trim(), 'metadata.suite:list')

    await page
      .getByRole('complementary', { name: 'Filters' })
      .getByRole('checkbox', { name: 'true' })
      .first()
      .click()
    await rowsShown(page, 1)
    assert.equal((await filter.inputValue()).trim(), 'metadata.suite:list hasError:true')
    await page.reload()
    await rowsShown(page, 1)
    await filter.fill('metadata.suite:list "refund, please"')
    await filter.press('Enter')
    await rowsShown(page, 1)
    await filter.fill('metadata.suite:list usre:bob')
    await filter.press('Enter')
    await page.getByRole('alert').getByText('Did you mean user?').waitFor()
    await page.getByRole('button', { name: 'user:bob', exact: true }).click()
    await rowsShown(page, 1)
    await page.goBack()
    await page.getByRole('alert').waitFor()

    // Esc drops what was typed; what is typed on while a filter is applied is not dropped.
    const address = page.url()
    await filter.fill('metadata.suite:list zzz')
    await filter.press('Escape')
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    assert.equal(page.url(), address)
    assert.equal(await filter.inputValue(), 'metadata.suite:list usre:bob')
    await filter.fill('metadata.suite:list')
    await filter.press('Enter')
    await filter.pressSequentially('user:bob')
    await rowsShown(page, 3)
    assert.equal(await filter.inputValue(), 'metadata.suite:list user:bob')
    await filter.press('Enter')
    await rowsShown(page, 1)
  })

  it('a drag over the bars selects the range, and a bar its own interval', async () => {
    const page = await screens.open('/traces?range=30d')
    const chart = page.getByRole('img', { name: /^Traces over time/ })
    await chart.locator('canvas').waitFor()
    await page
      .getByRole('region', { name: 'Over time' })
      .getByText(/traces$/)
      .waitFor()
    const box = await chart.boundingBox()
    assert.ok(box !== null)
    await page.mouse.move(box.x + box.width * 0.3, box.y + 30)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.6, box.y + 30, { steps: 5 })
    await page.mouse.up()
    await page.waitForURL(/range=2\d{3}-/)
    const range = new URL(page.url()).searchParams.get('range') ?? ''
    const [from = '', to = ''] = range.split('..')
    const { buckets } = (await ask(`/monitor/traces/histogram?from=${from}&to=${to}`)) as unknown as {
      buckets: { traces: number }[]
    }
    const sum = buckets.reduce((total, { traces }) => total + traces, 0)
    await page.getByRole('region', { name: 'Over time' }).getByText(`${sum} trace`).waitFor()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.waitForURL(/dashboard/)
    assert.equal(new URL(page.url()).searchParams.get('range'), range)
  })

  it('a trace of a clock that is ahead is in the list and in the chart above it', async () => {
    const startTime = new Date(Date.now() + 2 * 3_600_000).toISOString()
    await record({ metadata: { suite: 'ahead' }, startTime })
    await eventually(async () => assert.equal(await list('ahead'), 1))
    const page = await screens.open(`/traces?range=24h&q=${encodeURIComponent('metadata.suite:ahead')}`)
    await rowsShown(page, 1)
    await page.getByRole('region', { name: 'Over time' }).getByText('1 trace').waitFor()
  })

  it('views keep filter and columns, are opened by default, renamed, deleted and restored', async () => {
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    // This is expensive for a long range, and rarely needed, so it is requested only on demand.
    const asksNames = (request: Request): boolean => request.url().includes('fields=metadata%2Cscore')
    let isAsked = false
    page.on('request', (request) => {
      isAsked ||= asksNames(request)
    })
    await page.reload()
    await rowsShown(page, 3)
    assert.equal(isAsked, false)
    const [request] = await Promise.all([
      page.waitForRequest(asksNames),
      page.getByRole('button', { name: 'Columns' }).click(),
    ])
    assert.equal((await request.response())?.status(), 200)
    await page.getByRole('checkbox', { name: 'metadata.env', exact: true }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'metadata.env' }).waitFor()
    const menu = page.getByRole('button', { name: /^Views?(?::|$)/ })
    const choose = async (item: string | RegExp): Promise<void> => {
      await menu.click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Save as view…')
    await page.getByRole('dialog').getByLabel('Name').fill('Mine')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'View: Mine' }).waitFor()
    await choose('Open with this view')
    await page.goto(`${screens.url}/app/traces`)
    await page.getByRole('columnheader', { name: 'metadata.env' }).waitFor()
    await rowsShown(page, 3)
    // A link to an open trace and earlier history entries are not affected.
    await choose(/^All traces$/)
    await page.getByRole('columnheader', { name: 'metadata.env' }).waitFor({ state: 'detached' })
    await rows(page).nth(1).click()
    const panel = page.getByRole('complementary', { name: 'Trace', exact: true })
    await panel.waitFor()
    await page.reload()
    await panel.getByRole('button', { name: 'Open full screen' }).click()
    await page.waitForURL(/\/traces\/[0-9a-f-]{36}/)
    await page.goBack()
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.waitForURL(/conversations/)
    await page.goBack()
    await rows(page).nth(1).waitFor()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Mine' }).waitFor()
    assert.doesNotMatch(page.url(), /columns/)
    await page.keyboard.press('Escape')
    await choose('Mine')
    await page.getByRole('button', { name: 'View: Mine' }).waitFor()
    await choose('Rename…')
    await page.getByRole('dialog').getByLabel('Name').fill('Ours')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'View: Ours' }).waitFor()
    // A menu that is longer than the window scrolls.
    const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 }
    await page.setViewportSize({ width, height: 240 })
    await choose('Delete')
    await page.setViewportSize({ width, height })
    await page.getByRole('button', { name: 'Views', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'View: Ours' }).waitFor()
  })

  it('rows show the text, the error and the user, also beside an open trace', async () => {
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    const failed = rows(page).filter({ hasText: 'Bob' })
    await failed.getByRole('gridcell', { name: 'No.' }).waitFor()
    await page.getByText('A refund, please.').waitFor()
    await failed.getByText(name).click()
    await page.getByRole('complementary', { name: 'Trace' }).waitFor()
    await rows(page)
      .filter({ hasText: 'No.' })
      .getByRole('gridcell', { name: /^–$|ms|\$/ })
      .first()
      .waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${screens.url}/app${mine}`)
    await page.getByRole('columnheader', { name: 'Cost' }).waitFor()
    await rows(page).filter({ hasText: 'No.' }).waitFor()
    await assertAccessible(page)
  })

  it('a name has a wide enough column, and is shown in full on hover, also beside an open trace and on a phone', async () => {
    const longName = 'Find a parcel that two depots have scanned in the last 24 hours'
    await record({ name: longName, metadata: { suite: 'long name' } })
    await screens.listed(longName, 1)
    const path = `/traces?range=24h&q=${encodeURIComponent('metadata.suite:"long name"')}`
    for (const [width, least] of [
      [1440, 150],
      [390, 150],
    ] as const) {
      const page = await screens.open(path, { width })
      const link = rows(page).nth(1).getByTitle(longName)
      await link.waitFor()
      const cell = rows(page)
        .nth(1)
        .getByRole('gridcell')
        .filter({ has: page.getByTitle(longName) })
      await hasWidth(cell, least)
      if (width < 1000) continue
      await rows(page).nth(1).click()
      await page.getByRole('complementary', { name: 'Trace', exact: true }).waitFor()
      await hasWidth(cell, least)
    }
  })

  it('a date, a duration and a cost are never truncated, also beside an open trace', async () => {
    // Its tokens are counted by the service, and its cost has as many characters as one can have.
    const name = `Long numbers ${Date.now()}`
    // For traces older than a month, the list shows the date.
    const startMs = Date.now() - 40 * 86_400_000
    await record({
      name,
      metadata: { suite: 'widths' },
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(startMs + 40 * 60_000).toISOString(),
      logs: [
        {
          id: 'call',
          type: 'generation',
          metadata: { provider: 'openai', model: 'gpt-4o-mini' },
          input: 'Hi',
          output: 'Hi',
        },
      ],
    })
    await screens.listed(name, 1)
    const page = await screens.open(`/traces?range=90d&q=${encodeURIComponent(`name:"${name}"`)}`)
    const grid = page.getByRole('grid', { name: 'Traces' })
    const cost = grid.getByText('~<$0.000001')
    await cost.waitFor()
    const assertWhole = (width: number): Promise<void> =>
      eventually(async () => {
        const cut = await grid.evaluate((table) =>
          [...table.querySelectorAll('[role=gridcell]')]
            .filter((cell) => cell.querySelector('.numbers, :scope > span > time') !== null)
            .filter(
              (cell) =>
                cell.scrollWidth > cell.clientWidth ||
                cell.getBoundingClientRect().right > table.getBoundingClientRect().right,
            )
            .map(({ textContent }) => textContent),
        )
        assert.deepEqual(cut, [], `${width} px wide`)
      })
    for (const width of [1440, 1280, 1024, 768, 390, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await cost.waitFor()
      await assertWhole(width)
    }
    await page.setViewportSize({ width: 1600, height: 900 })
    await cost.click()
    await page.getByRole('complementary', { name: 'Trace' }).waitFor()
    for (const width of [1600, 1440, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await assertWhole(width)
    }
  })

  it('a retry of scoring repeats no score, and replaces different ones', async () => {
    const name = `tries ${Date.now()}`
    const ids: string[] = []
    while (ids.length < 3) {
      const { trace } = await record({ name, metadata: {} })
      ids.push((trace as unknown as { id: string }).id)
    }
    await screens.listed(name, 3)
    const scoresOf = async (id: string): Promise<string[]> =>
      (
        (await ask(`/monitor/traces/${id}`)).trace as unknown as {
          scores: readonly { name: string; value: unknown }[]
        }
      ).scores.map(({ name, value }) => `${name} ${value}`)
    const page = await screens.open(`/traces?range=24h&q=${encodeURIComponent(`name:"${name}"`)}`)
    await rowsShown(page, 3)
    for (const number of [1, 2, 3]) await rows(page).nth(number).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Score', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Score 3 traces' })
    let mayPass = 1
    await page.route('**/scores', (route) =>
      route.request().method() !== 'POST' || mayPass-- > 0
        ? route.fallback()
        : route.abort('connectionreset'),
    )
    const send = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Score', exact: true }).click()
    }
    await dialog.getByLabel('Name').fill('tried')
    await dialog.getByRole('button', { name: 'Yes' }).click()
    await send()
    await dialog.getByRole('alert').waitFor()
    mayPass = 1
    await send()
    await eventually(async () =>
      assert.deepEqual((await Promise.all(ids.map(scoresOf))).flat(), ['tried true', 'tried true']),
    )
    await dialog.getByRole('alert').waitFor()
    mayPass = 3
    await dialog.getByRole('button', { name: 'No', exact: true }).click()
    await send()
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () =>
      assert.deepEqual(await Promise.all(ids.map(scoresOf)), Array(3).fill(['tried false'])),
    )
  })

  it('users are found by name, and parts of words are found and highlighted', async () => {
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    const filter = page.getByRole('combobox', { name: 'Filter' })
    await filter.fill('metadata.suite:list user:Ad')
    await page.getByRole('option', { name: /^Ada.*ada l/ }).click()
    await rowsShown(page, 1)
    await filter.fill('metadata.suite:list user:eve')
    await filter.press('Enter')
    await rowsShown(page, 1)
    await filter.fill('metadata.suite:list *efun*')
    await filter.press('Enter')
    await rowsShown(page, 1)
    assert.equal(await page.locator('mark').first().textContent(), 'efun')
  })

  it('facets exclude values, search them and set bounds; there are built-in views', async () => {
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    const side = page.getByRole('complementary', { name: 'Filters' })
    const filter = page.getByRole('combobox', { name: 'Filter' })
    await side.getByRole('checkbox', { name: 'Bob' }).hover()
    await side.getByRole('button', { name: 'Exclude Bob' }).click()
    await rowsShown(page, 2)
    assert.equal((await filter.inputValue()).trim(), 'metadata.suite:list -user:bob')
    await side.getByRole('button', { name: 'Exclude bob' }).click()
    await rowsShown(page, 3)
    await side.getByRole('button', { name: 'Tokens' }).click()
    await side.getByRole('textbox', { name: 'Tokens, at least' }).fill('1k')
    await page.keyboard.press('Enter')
    await page.getByText('No traces match the filter').waitFor()
    assert.equal((await filter.inputValue()).trim(), 'metadata.suite:list tokens>=1000')
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Failed' }).click()
    await page.getByRole('button', { name: 'View: Failed' }).waitFor()
    await assertAccessible(page)
  })

  it('columns are resized, pinned and searched', async () => {
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    const cost = page.getByRole('columnheader', { name: 'Cost' })
    const widthOf = async (): Promise<number> => (await cost.boundingBox())?.width ?? 0
    const width = await widthOf()
    await cost.getByRole('button').press('Alt+ArrowRight')
    await page.waitForFunction((least) => {
      const header = [...document.querySelectorAll('[role=columnheader]')].find((each) =>
        each.textContent?.includes('Cost'),
      )
      return (header?.getBoundingClientRect().width ?? 0) > least
    }, width + 20)
    await page.reload()
    await rowsShown(page, 3)
    await eventually(async () => assert.ok((await widthOf()) > width + 20))
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('searchbox', { name: 'Search columns' }).fill('cos')
    await page.getByRole('button', { name: 'Pin Cost' }).click()
    await page.getByRole('columnheader').nth(1).getByText('Cost').waitFor()
    await page.getByRole('button', { name: 'Reset columns and widths' }).click()
    await page.keyboard.press('Escape')
    await eventually(async () => assert.equal(await widthOf(), width))
  })

  it('new traces are announced by a pill, and added automatically in live mode', async () => {
    const page = await screens.open(`/traces?range=1h&q=${encodeURIComponent('metadata.suite:live')}`)
    await page.getByText('No traces match the filter').waitFor()
    // The first has nothing to push away.
    await record({ metadata: { suite: 'live' } })
    await rowsShown(page, 1)
    await record({ metadata: { suite: 'live' } })
    const pill = page.getByRole('button', { name: '1 new trace' })
    await pill.waitFor()
    await rowsShown(page, 1)
    await pill.click()
    await rowsShown(page, 2)
    await page.getByRole('switch', { name: 'Live' }).click()
    await record({ metadata: { suite: 'live' } })
    await rowsShown(page, 3)
    assert.match(page.url(), /live=true/)
  })

  it('another range clears the selection', async () => {
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    await rows(page).nth(1).getByRole('checkbox').click()
    await page.getByText('1 selected').waitFor()
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('button', { name: 'Last 30 days' }).click()
    await page.waitForURL(/range=30d/)
    await page.getByText('1 selected').waitFor({ state: 'detached' })
  })

  it('Enter that ends an IME composition applies no filter', async () => {
    const page = await screens.open('/traces?range=24h')
    const filter = page.getByRole('combobox', { name: 'Filter' })
    await filter.fill('返金')
    await filter.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    // Safari sends it once the composition has ended.
    await filter.dispatchEvent('keydown', { key: 'Enter', isComposing: false, keyCode: 229 })
    assert.doesNotMatch(page.url(), /q=/)
    await filter.press('Enter')
    await page.waitForURL(/q=/)
  })

  it('today announces new traces, and can be live', async () => {
    const [start, end] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
    const q = encodeURIComponent('metadata.suite:today')
    const page = await screens.open(`/traces?range=${start}..${end}&sort=-cost&q=${q}`)
    await page.getByText('No traces match the filter').waitFor()
    await record({ metadata: { suite: 'today' } })
    await rowsShown(page, 1)
    await record({ metadata: { suite: 'today' } })
    await page.getByRole('button', { name: '1 new trace' }).click()
    await rowsShown(page, 2)
    await page.getByRole('switch', { name: 'Live' }).click()
    await record({ metadata: { suite: 'today' } })
    await rowsShown(page, 3)
  })

  it('recorded fields of a trace have facets, filters and columns, and are shown on its screen', async () => {
    await record({
      name: 'E2E recorded',
      metadata: { suite: 'recorded' },
      environment: 'production',
      release: '2.4.1',
      tags: ['beta', 'größe <b>'],
      sessionId: 'chat-7',
      logs: [{ id: 'g', type: 'generation', output: 'Hi', timeToFirstTokenMs: 320 }],
    })
    await record({ name: 'E2E recorded', metadata: { suite: 'recorded' }, environment: 'staging' })
    await screens.listed('E2E recorded', 2)
    const page = await screens.open(`/traces?range=1h&q=${encodeURIComponent('metadata.suite:recorded')}`)
    await rowsShown(page, 2)
    const facet = (label: string) => page.getByRole('region', { name: label, exact: true })
    await facet('Environment').getByRole('checkbox', { name: 'production' }).click()
    await rowsShown(page, 1)
    await facet('Tags').getByRole('checkbox', { name: 'größe <b>' }).click()
    const filter = page.getByRole('combobox', { name: 'Filter' })
    assert.equal(
      (await filter.inputValue()).trim(),
      'metadata.suite:recorded environment:production tag:"größe <b>"',
    )
    await filter.pressSequentially('rel')
    await page.getByRole('option', { name: /^release/ }).click()
    await page.getByRole('option', { name: /^2\.4\.1 1/ }).click()
    await rowsShown(page, 1)
    await filter.press('Escape')

    await page.getByRole('button', { name: 'Columns' }).click()
    for (const column of ['Environment', 'Release', 'Tags'])
      await page.getByRole('checkbox', { name: column, exact: true }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Tags' }).waitFor()
    await rows(page).nth(1).getByText('beta, größe <b>').waitFor()

    await rows(page).nth(1).click()
    const panel = page.getByRole('complementary', { name: 'Trace', exact: true })
    for (const value of ['production', '2.4.1', 'beta', 'größe <b>', 'chat-7'])
      await panel.getByRole('link', { name: value, exact: true }).waitFor()
    await assertAccessible(page)
    await panel.getByRole('link', { name: 'beta', exact: true }).click()
    await page.waitForURL(/q=tag%3Abeta|q=tag:beta/)
  })

  it('an export shows its progress, and can be cancelled', async () => {
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    await page.getByRole('button', { name: 'Export 3 traces' }).waitFor()
    await holdExports(page)
    const choose = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Export 3 traces' }).click()
      await page.getByRole('menuitem', { name: 'JSON Lines, with logs' }).click()
      await page.getByText(/^3 of 3 traces, [\d.]+ KB$/).waitFor()
    }
    await choose()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Export cancelled').waitFor()
    await page.getByText('Exporting traces').waitFor({ state: 'detached' })

    await choose()
    const downloading = page.waitForEvent('download')
    await page.evaluate(() => dispatchEvent(new Event('exports-go-on')))
    const download = await downloading
    assert.match(download.suggestedFilename(), /\.jsonl$/)
    assert.equal((await text(await download.createReadStream())).trim().split('\n').length, 3)
    await page.getByText('Exported traces').waitFor()
  })

  it('selected traces are compared, scored, exported and added to a dataset', async () => {
    await ask('/datasets', {
      slug: 'from-list',
      name: 'From the list',
      columns: [{ name: 'input', type: 'text' }],
    })
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    await page.getByRole('button', { name: 'Export 3 traces' }).waitFor()
    const bar = page.getByRole('region', { name: 'Selection' })
    const secondRow = rows(page).nth(2)
    const place = await secondRow.boundingBox()
    await rows(page).nth(1).getByRole('checkbox').click()
    await bar.getByText('1 selected').waitFor()
    // The next press hits the intended row.
    assert.deepEqual(await secondRow.boundingBox(), place)
    await secondRow.getByRole('checkbox').click()
    await bar.getByText('2 selected').waitFor()
    assert.match(
      (await bar.getByRole('link', { name: 'Compare' }).getAttribute('href')) ?? '',
      /diff\?a=.+&b=/,
    )

    await bar.getByRole('button', { name: 'Export selection' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'JSON Lines, with logs' }).click(),
    ])
    const lines = (await text(await download.createReadStream())).trim().split('\n')
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { name: string }).name),
      [name, name],
    )

    await bar.getByRole('button', { name: 'Score' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('by-list')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Number' }).click()
    await page.getByRole('dialog').getByLabel('Value').fill('0.5')
    await page.getByRole('dialog').getByRole('button', { name: 'Score' }).click()
    await page.getByText('Scored 2 traces').waitFor()
    // Scores are listed shortly after they were created.
    const countScores = async (): Promise<number> =>
      ((await ask('/scores?name=by-list')).scores as unknown as object[]).length
    while ((await countScores()) < 2) await page.waitForTimeout(100)

    await bar.getByRole('button', { name: 'Add to dataset' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').first().click()
    await page.getByRole('option', { name: 'From the list' }).click()
    await dialog.getByRole('button', { name: /^Add/ }).click()
    await page.getByText(/^Added 2/).waitFor()
  })

  it('rows of a failed attempt are removed if the next attempt adds something else', async () => {
    const slug = 'from-many'
    await ask('/datasets', { slug, name: 'From many', columns: [{ name: 'input', type: 'text' }] })
    const suite = 'many rows'
    await Promise.all(
      Array.from({ length: 101 }, () =>
        record({ metadata: { suite }, input: 'in', output: 'out', idealOutput: 'ideal' }),
      ),
    )
    await eventually(async () => {
      const { traces } = await ask(`/monitor/traces?limit=200&metadata.suite=${encodeURIComponent(suite)}`)
      assert.equal((traces as unknown as object[]).length, 101)
    })
    const page = await screens.open(`/traces?range=24h&q=${encodeURIComponent(`metadata.suite:"${suite}"`)}`)
    const grid = page.getByRole('grid', { name: 'Traces' })
    await grid.getByRole('row').nth(1).waitFor()
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.waitForFunction(
      () => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '102',
    )
    await page.getByRole('checkbox', { name: 'Select all rows' }).click()
    const failing = { isOn: true }
    await page.route('**/items/from-traces', (route) =>
      failing.isOn && (route.request().postDataJSON() as { sources: object[] }).sources.length === 1
        ? route.fulfill({ status: 500, json: { error: 'The disk is full.' } })
        : route.fallback(),
    )
    await page.getByRole('button', { name: 'Add to dataset' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to dataset' })
    await dialog.getByRole('combobox', { name: 'Dataset' }).click()
    await page.getByRole('option', { name: 'From many' }).click()
    await dialog.getByRole('button', { name: 'Add 101 rows' }).click()
    await dialog.getByText('The disk is full.').waitFor()
    failing.isOn = false
    await dialog.getByRole('combobox', { name: 'Ideal output' }).click()
    await page.getByRole('option', { name: /The trace’s output/ }).click()
    await dialog.getByRole('button', { name: 'Add 101 rows' }).click()
    await page.getByText('Added 101 rows to “From many”').waitFor()
    const { rows: savedRows } = (await ask(`/datasets/${slug}/items?limit=200`)) as unknown as {
      readonly rows: readonly { readonly idealOutput: string }[]
    }
    assert.deepEqual(
      [savedRows.length, new Set(savedRows.map(({ idealOutput }) => idealOutput))],
      [101, new Set(['out'])],
    )
  })

  it('is done by keyboard alone, with a trace beside it', async () => {
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('x')
    await page.keyboard.press('o')
    const panel = page.getByRole('complementary', { name: 'Trace', exact: true })
    await panel.getByRole('heading', { name }).first().waitFor()
    const first = new URL(page.url()).searchParams.get('open')
    await page.keyboard.press('j')
    await page.waitForFunction((search) => !location.search.includes(String(search)), first)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/traces/${first}`))
  })

  it('is accessible, with completions, a panel and a selection, light and dark', async () => {
    const page = await screens.open(mine)
    await rowsShown(page, 3)
    await rows(page).nth(2).getByRole('checkbox').click()
    await rows(page).nth(1).click()
    await page.getByRole('complementary', { name: 'Trace', exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Filter' }).click()
    await page.getByRole('option').first().waitFor()
    await assertAccessible(page)
  })
})

/** The end of each export waits for an event, as if there were much more to come. */
const holdExports = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { fetch } = window
    window.fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!response.url.includes('/traces/export')) return response
      const end = new Promise<void>((resolve, reject) => {
        addEventListener('exports-go-on', () => resolve(), { once: true })
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
      const gate = new TransformStream<Uint8Array, Uint8Array>({ flush: () => end })
      return new Response(response.body?.pipeThrough(gate), response)
    }
  })
