import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

describe('custom dashboards', () => {
  it('a dashboard is created, and a chart of cost by customer is added, arranged and saved as JSON', async () => {
    const page = await screens.open('/dashboard?range=30d')
    await page.getByRole('button', { name: 'Dashboards', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New dashboard…' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Customers of the browser test')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/\/dashboard\/customers-of-the-browser-test/)

    await page.getByRole('button', { name: 'Add chart' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add chart' })
    await dialog.getByRole('combobox', { name: 'Measure' }).fill('Cost')
    await page.getByRole('option', { name: 'Cost', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Chart' }).click()
    await page.getByRole('option', { name: 'Ranking of groups' }).click()
    await dialog.getByRole('combobox', { name: 'Group by' }).fill('Organization')
    await page.getByRole('option', { name: 'Organization', exact: true }).click()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Save chart' }).click()
    const ranking = page.getByRole('list', { name: 'Cost by organization' })
    const [{ organization } = {}] = (
      await client.metrics.query({ measures: 'cost', dimensions: 'organization', limit: 1 })
    ).rows
    await ranking
      .getByRole('button')
      .first()
      .filter({ hasText: String(organization ?? 'none') })
      .waitFor()

    await page.getByRole('button', { name: 'Add chart' }).click()
    await page.getByRole('checkbox', { name: 'Compare with the previous period' }).click()
    await page.getByRole('button', { name: 'Save chart' }).click()
    await page.getByRole('img', { name: 'Traces over time' }).waitFor()
    await page.getByRole('button', { name: 'More for Traces' }).click()
    await page.getByRole('menuitem', { name: 'Move before' }).click()
    await page
      .getByRole('list', { name: 'Charts' })
      .getByRole('heading', { level: 2 })
      .first()
      .filter({ hasText: 'Traces' })
      .waitFor()
    await assertAccessible(page)

    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More for Customers of the browser test' }).click()
    await page.getByRole('menuitem', { name: 'Download JSON' }).click()
    const pieces = await (await (await waiting).createReadStream()).toArray()
    const content = JSON.parse(Buffer.concat(pieces).toString())
    assert.deepEqual(
      content.charts.map(({ measure }: { measure: string }) => measure),
      ['traces', 'cost'],
    )
    await ranking.getByRole('button').first().click()
    await page.waitForURL(/\/traces\?/)
  })

  it('of two people who change it at once, the second is notified', async () => {
    await client.dashboards.create({
      slug: 'shared-by-two',
      name: 'Shared',
      charts: [{ title: 'Cost', measure: 'cost', chart: 'total' }],
    })
    const page = await screens.open('/dashboard/shared-by-two')
    await page.getByRole('button', { name: 'More for Cost' }).waitFor()
    await client.dashboards.update({ slug: 'shared-by-two', description: 'From elsewhere' })
    await page.getByRole('button', { name: 'More for Cost' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText('Somebody has changed the dashboard')
      .waitFor()
    // Viewers can reach it without a keyboard too.
    await page.getByRole('alertdialog').getByRole('button', { name: 'Dismiss' }).click()
    // The screen shows the change, and the next press acts on it.
    await page.getByText('From elsewhere').waitFor()
    await page.getByRole('button', { name: 'More for Cost' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('button', { name: 'More for Cost' }).nth(1).waitFor()
  })
})

describe('a chart being edited', () => {
  const total = (title: string) => ({ title, measure: 'cost', chart: 'total' }) as const
  const titles = async (slug: string): Promise<readonly string[]> =>
    (await client.dashboards.get({ slug })).dashboard.charts.map(({ title }) => title)

  it('stays in its dialog if it cannot be saved, and if Esc is pressed', async () => {
    await client.dashboards.create({ slug: 'unsaved-chart', name: 'Unsaved', charts: [] })
    const page = await screens.open('/dashboard/unsaved-chart')
    await page.getByRole('button', { name: 'Add chart' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add chart' })
    const title = dialog.getByRole('textbox', { name: 'Title' })
    await title.fill('Typed for long')
    await title.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    let isDown = true
    await page.route('**/dashboards/unsaved-chart', (route) =>
      isDown && route.request().method() === 'PATCH'
        ? route.fulfill({ status: 500, json: { error: 'The disk is full.' } })
        : route.fallback(),
    )
    await dialog.getByRole('button', { name: 'Save chart' }).click()
    await dialog.getByRole('alert').getByText('The disk is full.').waitFor()
    assert.equal(await title.inputValue(), 'Typed for long')
    isDown = false
    await dialog.getByRole('button', { name: 'Save chart' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await titles('unsaved-chart'), ['Typed for long'])
  })

  it('replaces the opened chart, wherever a colleague has moved it', async () => {
    await client.dashboards.create({
      slug: 'moved-chart',
      name: 'Moved',
      charts: [total('First'), total('Second'), total('Third')],
    })
    const page = await screens.open('/dashboard/moved-chart')
    const edit = async (name: string, newTitle: string, meanwhile: readonly string[]): Promise<void> => {
      await page.getByRole('button', { name: `More for ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Change…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change chart' })
      await dialog.getByRole('textbox', { name: 'Title' }).fill(newTitle)
      await client.dashboards.update({ slug: 'moved-chart', charts: meanwhile.map(total) })
      await dialog.getByRole('button', { name: 'Save chart' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await edit('Second', 'Mine', ['Second', 'Third'])
    assert.deepEqual(await titles('moved-chart'), ['Mine', 'Third'])
    await edit('Third', 'Mine too', ['Mine', 'Theirs'])
    assert.deepEqual(await titles('moved-chart'), ['Mine', 'Theirs', 'Mine too'])
    await page.getByText('Added “Mine too” as another chart').first().waitFor()
  })
})

describe('a dashboard that loads', () => {
  it('keeps its layout while figures and charts load, so that presses hit their targets', async () => {
    const page = await (await screens.signedIn()).newPage()
    let isHeld = true
    await page.route('**/metrics/query?*', async (route) => {
      while (isHeld) await new Promise((resolve) => setTimeout(resolve, 20))
      await route.continue()
    })
    await page.goto(`${screens.url}/app/dashboard?range=30d`)
    const button = page.getByRole('button', { name: 'Explain Latency' })
    const place = await button.boundingBox()
    isHeld = false
    await page.getByRole('img', { name: 'Latency over time' }).locator('canvas').waitFor()
    await page.getByText('per trace').waitFor()
    assert.deepEqual(await button.boundingBox(), place)
    await page.unrouteAll({ behavior: 'wait' })
  })
})

describe('why did it change', () => {
  it('a drag over a spike names the release that caused it', async () => {
    const end = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 40 * 3_600_000
    const record = (hour: number, release: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          client.monitor.trace({
            name: 'explained',
            release,
            environment: 'explained',
            startTime: new Date(end + hour * 3_600_000 + 60_000).toISOString(),
            input: 'x',
          }),
        ),
      )
    for (let hour = 0; hour < 8; hour += 1) await record(hour, '1.0', 2)
    await record(6, '2.0', 30)
    await screens.listed('explained', 46)
    const range = `${new Date(end).toISOString()}..${new Date(end + 8 * 3_600_000).toISOString()}`
    const page = await screens.open(`/dashboard?range=${range}&q=environment:explained`)
    await page.getByRole('button', { name: 'Explain Traces' }).click()
    const panel = page.getByRole('complementary', { name: 'Explanation' })
    await panel.getByText('Drag over a part of any chart').waitFor()
    const chart = page.getByRole('img', { name: 'Traces over time' })
    await chart.locator('canvas').waitFor()
    const plot = chart.locator('.u-over')
    // Goes on once the plot has its place beside the panel.
    await plot.hover()
    const box = (await plot.boundingBox())!
    const xOf = (hour: number): number => box.x + (box.width * hour) / 7.5
    await page.mouse.move(xOf(5.8), box.y + 40)
    await page.mouse.down()
    await page.mouse.move(xOf(6.2), box.y + 40, { steps: 5 })
    await page.mouse.up()
    const reason = panel
      .getByRole('list', { name: 'Reasons' })
      .getByRole('listitem')
      .filter({ hasText: '2.0' })
    await reason.getByText('Release').waitFor()
    assert.match(await reason.innerText(), /0 before, 30 after/)
    await assertAccessible(page)
    // The chart is unchanged: the drag selected the interval to explain, not the range.
    assert.match(page.url(), new RegExp(encodeURIComponent(range).replaceAll('.', '\\.').slice(0, 20)))
    await reason.getByRole('link').click()
    await page.waitForURL(/release/)
  })

  it('a press on the legend hides a series, and the others keep their colours', async () => {
    const page = await screens.open('/dashboard?range=30d')
    const legend = page.getByRole('list', { name: 'Series of Latency' })
    const p95 = legend.getByRole('button', { name: 'p95' })
    await p95.click()
    assert.equal(await p95.getAttribute('aria-pressed'), 'false')
    await p95.click()
    assert.equal(await p95.getAttribute('aria-pressed'), 'true')
  })
})
