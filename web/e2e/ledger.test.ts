import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

const record = (body: object): Promise<Response> =>
  fetch(`${screens.url}/monitor/trace`, {
    method: 'POST',
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('the ledger', () => {
  it('shows rejected records with the reason and the start of the body', async () => {
    assert.equal((await record({ name: 'Rejected <b>one</b>', logs: 'none' })).status, 400)
    const page = await screens.open('/ledger?range=24h')
    await page.getByRole('heading', { level: 1, name: 'Ingestion' }).waitFor()
    const reasons = page
      .getByRole('region', { name: 'Overview' })
      .getByRole('list', { name: 'Rejection reasons' })
    await reasons.getByText('invalid_request').waitFor()
    await reasons.getByText('Rejected <b>one</b>').waitFor()
  })

  it('opens an hour by keyboard, keeps it in the URL, and closes it with Esc', async () => {
    const page = await screens.open('/ledger')
    await page.getByRole('row').nth(1).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    const panel = page.getByRole('complementary', { name: 'Hour' })
    await panel.waitFor()
    assert.match(page.url(), /entry=/)
    await page.reload()
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.goBack()
    await panel.waitFor()
  })

  it('follows the selected range, and a drag over the chart selects one', async () => {
    const page = await screens.open('/ledger')
    // Stands beside the chart, which is wider before it has loaded.
    await page.getByRole('list', { name: 'Rejection reasons' }).waitFor()
    const chart = page.getByRole('img', { name: /^Records over time/ })
    const box = await chart.boundingBox()
    assert.ok(box !== null)
    await page.mouse.move(box.x + box.width * 0.2, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 5 })
    await page.mouse.up()
    await page.waitForURL(/range=2\d{3}-/)
    await page.getByText('No records in this range').waitFor()
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('button', { name: 'Last 24 hours' }).click()
    await page.getByRole('row').nth(1).waitFor()
    assert.match(page.url(), /range=24h/)
  })

  it('includes records received a moment ago: a range covers the whole hours that it overlaps', async () => {
    assert.equal((await record({ name: 'A moment ago' })).status, 200)
    const page = await screens.open('/ledger?range=1m')
    await page.getByRole('row').nth(1).waitFor()
    await page.getByText(/Hourly counts since \d{4}-\d\d-\d\d \d\d:\d\d\./).waitFor()
  })

  it('shows a failure with the request id, and retries', async () => {
    const page = await screens.open('/settings/you')
    let isDown = true
    await page.route('**/monitor/ledger*', (route) =>
      isDown
        ? route.fulfill({ status: 500, headers: { 'x-request-id': 'r-17' }, json: { error: 'A bug.' } })
        : route.fallback(),
    )
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    const alert = page.getByRole('alert')
    await alert.getByText('r-17').waitFor()
    isDown = false
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('row').nth(1).waitFor()
  })

  it('shows its rows at 200% zoom, and on a phone in landscape', async () => {
    assert.equal((await record({ name: 'On a low screen' })).status, 200)
    const page = await screens.open('/ledger', { width: 720, height: 450 })
    const row = page.getByRole('grid').getByRole('row').nth(1)
    await row.waitFor()
    const height = await page.getByRole('grid').evaluate((grid) => grid.clientHeight)
    assert.ok(height >= 200, `${height} px`)
    await row.click()
    await page.getByRole('complementary', { name: 'Hour' }).waitFor()
  })

  it('names the API key, and shows its id only on hover; a removed one is a deleted key', async () => {
    assert.equal((await record({ name: 'Of a named key' })).status, 200)
    const page = await screens.open('/settings/you')
    let isGone = false
    await page.route('**/monitor/ledger*', async (route) => {
      const response = await route.fetch()
      const ledger = (await response.json()) as { entries: { apiKeyName?: string }[] }
      const entries = ledger.entries.map(({ apiKeyName, ...entry }) => ({
        ...entry,
        ...(!isGone && apiKeyName !== undefined && { apiKeyName }),
      }))
      await route.fulfill({ response, json: { ...ledger, entries } })
    })
    const cell = (name: string) => page.getByRole('grid').getByRole('gridcell', { name }).first()
    const sender = (keyId: string) => page.getByRole('grid').getByTitle(keyId).first()
    const link = page.getByRole('link', { name: 'Ingestion' })
    await link.click()
    const id = await cell('API key from the environment').locator('span').getAttribute('title')
    assert.ok(id !== null)
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.ok(!(await page.getByRole('grid').innerText()).includes(id))
    isGone = true
    await page.reload()
    await sender(id).waitFor()
    assert.equal(await sender(id).innerText(), 'Deleted key')
    assert.ok(!(await page.getByRole('grid').innerText()).includes(id))
  })

  it('is accessible, with a panel, the palette and the keys too', async () => {
    const page = await screens.open('/ledger')
    await page.getByRole('row').nth(1).click()
    await page.getByRole('complementary', { name: 'Hour' }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('option').first().waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await assertAccessible(page)
  })
})
