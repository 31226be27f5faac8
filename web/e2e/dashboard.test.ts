import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import { formatCount, formatDuration, formatMoney } from '../src/ui/text/format.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

type Row = Readonly<Record<string, number | string | null>>

const measure = async (query: Readonly<Record<string, string>>): Promise<readonly Row[]> => {
  const answer = await fetch(`${screens.url}/metrics/query?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${screens.key}` },
  })
  assert.ok(answer.ok)
  return ((await answer.json()) as { rows: Row[] }).rows
}

/** Whole days of demo data without other writes. */
const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const timeOnDay = (day: number) => new Date(today + day * dayMs).toISOString()

/** When a day of a zone begins, by its clock: the half hour at which it shows midnight. */
function midnightIn(timeZone: string, day: number): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const halfHours = Array.from({ length: 48 }, (_, index) => today + day * dayMs + index * 1_800_000)
  return new Date(halfHours.find((ms) => clock.format(ms) === '00:00')!).toISOString()
}
const [from, to] = [timeOnDay(-8), timeOnDay(-2)]
const range = `range=${from}..${to}`

describe('the dashboard', () => {
  it('has space for value labels of any length, and draws a rate of zero', async () => {
    const page = await screens.open('/settings/you', { isFirstVisit: true })
    await page.addInitScript(() => {
      const labels: { readonly text: string; readonly left: number }[] = []
      Object.assign(globalThis, { labels })
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        if (this.textAlign === 'right') labels.push({ text, left: x - this.measureText(text).width })
        fillText.call(this, text, x, y)
      }
    })
    await page.route('**/metrics/query?*', async (route) => {
      const response = await route.fetch()
      const { rows, ...answer } = (await response.json()) as { readonly rows: readonly Row[] }
      const dearRows = rows.map((row) =>
        typeof row.cost === 'number' ? { ...row, cost: 9_000_000, errorRate: 0 } : row,
      )
      await route.fulfill({ response, json: { ...answer, rows: dearRows } })
    })
    await page.goto(`${screens.url}/app/dashboard?${range}`)
    const readLabels = () =>
      page.evaluate(
        () => (globalThis as unknown as { labels: readonly { text: string; left: number }[] }).labels,
      )
    await eventually(async () =>
      assert.ok((await readLabels()).some(({ text }) => /^\$[\d,]{9,}$/.test(text))),
    )
    assert.deepEqual(
      (await readLabels()).filter(({ left }) => left < 0),
      [],
    )
    await page.getByRole('img', { name: 'Errors over time' }).waitFor()
  })

  it('shows the figures of the API, in total and by feature', async () => {
    const page = await screens.open(`/dashboard?${range}`)
    const [all] = await measure({ measures: 'traces,cost,totalTokens,p95DurationMs,users', from, to })
    const figures = page.locator('dl[aria-label=Figures]')
    const readFigure = async (label: string): Promise<string> => {
      const tile = figures.locator('div', { has: page.getByRole('link', { name: label, exact: true }) })
      await tile.locator('.numbers').first().waitFor()
      return tile.locator('.numbers').first().innerText()
    }
    assert.equal(await readFigure('Traces'), formatCount(Number(all?.traces)))
    assert.equal(await readFigure('Cost'), formatMoney(Number(all?.cost)))
    assert.equal(await readFigure('Tokens'), formatCount(Number(all?.totalTokens)))
    assert.equal(await readFigure('Latency, p95'), formatDuration(Number(all?.p95DurationMs)))
    assert.equal(await readFigure('Users'), formatCount(Number(all?.users)))

    const table = page.getByRole('grid', { name: 'By feature' })
    const rows = await measure({ measures: 'traces,cost,p99DurationMs', dimensions: 'feature', from, to })
    for (const { feature, traces, cost, p99DurationMs } of rows) {
      const row = table.getByRole('row').filter({
        has: page.getByRole('gridcell', { name: feature === null ? 'none' : String(feature), exact: true }),
      })
      await row.waitFor()
      const cells = await row.getByRole('gridcell').allInnerTexts()
      assert.equal(cells[1], formatCount(Number(traces)))
      assert.equal(cells[2], cost === null ? '–' : formatMoney(Number(cost)))
      assert.equal(cells.at(-1), p99DurationMs === null ? '–' : formatDuration(Number(p99DurationMs)))
    }
    const sum = rows.reduce((total, { traces }) => total + Number(traces), 0)
    assert.equal(sum, all?.traces)
  })

  it('a row, a figure and a bar link to the traces behind them', async () => {
    const page = await screens.open(`/dashboard?${range}&by=user`)
    await page.getByRole('grid', { name: 'By user' }).getByRole('row').nth(1).click()
    await page.waitForURL(/\/traces\?/)
    assert.match(decodeURIComponent(page.url()), /q=user=/)
    await page.goBack()
    await page.getByRole('link', { name: 'Failed' }).click()
    await page.waitForURL(/hasError/)
    await page.goBack()
    const chart = page.getByRole('img', { name: 'Traces over time' })
    await chart.focus()
    await chart.press('ArrowRight')
    await chart.press('ArrowRight')
    await chart.press('Enter')
    await page.waitForURL(/\/traces\?/)
    const [start = '', end = ''] = (new URL(page.url()).searchParams.get('range') ?? '').split('..')
    assert.equal(Date.parse(end) - Date.parse(start), 3_600_000)
  })

  it('uses days of the reader’s time zone, and a bar opens its day', async () => {
    const timeZone = 'Australia/Lord_Howe'
    const [first, last] = [midnightIn(timeZone, -20), midnightIn(timeZone, -3)]
    const page = await screens.open(`/dashboard?range=${first}..${last}`, { timeZone })
    const chart = page.getByRole('img', { name: 'Traces over time' })
    await chart.locator('canvas').waitFor()
    await chart.focus()
    for (let press = 0; press < 3; press++) await chart.press('ArrowRight')
    const [start, end] = [midnightIn(timeZone, -18), midnightIn(timeZone, -17)]
    const [row] = await measure({ measures: 'traces', from: start, to: end })
    // Its date at midnight, and the traces of that day.
    await chart.getByText(/^\d{4}-\d\d-\d\d 00:00$/).waitFor()
    await chart.getByText(formatCount(Number(row?.traces)), { exact: true }).waitFor()
    await chart.press('Enter')
    await page.waitForURL(/\/traces\?/)
    const rangeOfDay = new URL(page.url()).searchParams.get('range')
    assert.equal(rangeOfDay, `${start.slice(0, 19)}Z..${end.slice(0, 19)}Z`)

    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByText('Times are in Australia/Lord Howe').waitFor()
    const strip = page.getByRole('img', { name: 'Traces over time, successful and failed' })
    await page.keyboard.press('Escape')
    await strip.locator('canvas').waitFor()
    await strip.focus()
    await strip.press('ArrowRight')
    await strip.getByText(/ \d\d:00$/).waitFor()
  })

  it('uses UTC days if the user chose UTC', async () => {
    const page = await screens.open('/settings/you', { timeZone: 'Australia/Lord_Howe' })
    await page.getByRole('switch', { name: 'Show times in UTC' }).click()
    const [first, last] = [timeOnDay(-20), timeOnDay(-3)]
    await page.goto(`${screens.url}/app/dashboard?range=${first}..${last}`)
    const chart = page.getByRole('img', { name: 'Traces over time' })
    await chart.locator('canvas').waitFor()
    await chart.focus()
    await chart.press('ArrowRight')
    await chart.press('ArrowRight')
    const [row] = await measure({ measures: 'traces', from: timeOnDay(-19), to: timeOnDay(-18) })
    await chart.getByText(`${timeOnDay(-19).slice(0, 10)} 00:00`).waitFor()
    await chart.getByText(formatCount(Number(row?.traces)), { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByText('Times are in UTC').waitFor()
  })

  it('a drag over a chart selects the range, and everything follows', async () => {
    const page = await screens.open(`/dashboard?${range}`)
    const chart = page.getByRole('img', { name: 'Cost over time' })
    await chart.locator('canvas').waitFor()
    const box = await chart.boundingBox()
    assert.ok(box !== null)
    await page.mouse.move(box.x + box.width * 0.3, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.8, box.y + 60, { steps: 5 })
    await page.mouse.up()
    await page.waitForURL((url) => !decodeURIComponent(url.href).includes(from))
    const [start = '', end = ''] = (new URL(page.url()).searchParams.get('range') ?? '').split('..')
    assert.ok(start >= from.slice(0, 19) && end <= to && start < end)
    const [all] = await measure({ measures: 'traces', from: start, to: end })
    const tile = page.locator('dl[aria-label=Figures] > div').first()
    await tile.getByText(formatCount(Number(all?.traces)), { exact: true }).waitFor()
  })

  it('is grouped and filtered, and states which filters do not apply', async () => {
    // Some traces of all its days have failed; of a single week, perhaps none.
    const [first, last] = [timeOnDay(-28), timeOnDay(-1)]
    const page = await screens.open(`/dashboard?range=${first}..${last}`)
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'By model' }).click()
    await page.getByRole('grid', { name: 'By model' }).waitFor()
    await page.getByRole('region', { name: 'Cost' }).getByRole('listitem').first().waitFor()
    const filter = page.getByRole('combobox', { name: 'Filter' })
    await filter.fill('hasError:true "exact words"')
    await filter.press('Enter')
    await page.getByText('Charts cannot filter by text').waitFor()
    const [all] = await measure({ measures: 'traces', filters: '{"hasError":true}', from: first, to: last })
    const tile = page.locator('dl[aria-label=Figures] > div').first()
    await tile.getByText(formatCount(Number(all?.traces)), { exact: true }).waitFor()
    await assertAccessible(page)
  })
})
