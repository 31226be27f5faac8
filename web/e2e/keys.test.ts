import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

describe('settings, API keys', () => {
  it('a key is created, its secret shown once and copied, used, and revoked', async () => {
    const page = await screens.open('/settings/keys')
    await page.getByRole('button', { name: 'New API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Night worker')
    await dialog.getByRole('checkbox', { name: 'ingest' }).click()
    await dialog.getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'In 7 days' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()

    await dialog.getByRole('button', { name: 'Copy key' }).click()
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(secret, /^pl_/)
    const ask = () => fetch(`${screens.url}/prompts`, { headers: { authorization: `Bearer ${secret}` } })
    assert.equal((await ask()).status, 200)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await page.content()).includes(secret), false)

    const row = page.getByRole('row').filter({ hasText: 'Night worker' })
    assert.match(await row.innerText(), /read[\s\S]*Expires in 7 d/)
    await row.getByRole('button', { name: 'Revoke Night worker' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    // The service promises it within five seconds.
    await eventually(async () => assert.equal((await ask()).status, 401))

    await page.getByRole('checkbox', { name: 'Show revoked keys' }).click()
    await row.getByText('Revoked').waitFor()
    assert.match(page.url(), /all=true/)
  })

  it('over plain HTTP a secret is copied as well, and toasts are shown', async () => {
    const page = await screens.open('/settings/keys')
    // APIs that are missing over HTTP, except on localhost.
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
      Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
    })
    await page.getByRole('button', { name: 'New API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Over HTTP')
    await dialog.getByRole('checkbox', { name: 'ingest' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('button', { name: 'Copy key' }).click()
    await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await page.evaluate(() => {
      delete (navigator as { clipboard?: unknown }).clipboard
    })
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^pl_/)
    const row = page.getByRole('row').filter({ hasText: 'Over HTTP' })
    await row.getByRole('button', { name: 'Revoke Over HTTP' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
  })

  it('a form shows problems at each field, before and after the request', async () => {
    const page = await screens.open('/settings/keys')
    const errors = ['name: is taken', 'No more keys today.']
    await page.route('**/api-keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { error: errors.shift() } })
        : route.fallback(),
    )
    await page.getByRole('button', { name: 'New API key' }).click()
    const dialog = page.getByRole('dialog')
    const name = dialog.getByLabel('Name')
    await dialog.getByRole('checkbox', { name: 'ingest' }).click()
    await dialog.getByRole('checkbox', { name: 'read' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Must not be empty.').nth(1).waitFor()
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    await name.and(page.locator(':focus')).waitFor()
    await assertAccessible(page)

    await name.fill('Twice')
    await dialog.getByRole('checkbox', { name: 'read' }).click()
    await dialog.getByText('Must not be empty.').first().waitFor({ state: 'detached' })
    await name.press('Enter')
    await dialog.getByText('Is taken.').waitFor()
    assert.equal(await name.getAttribute('aria-invalid'), 'true')

    await name.fill('Thrice')
    await dialog.getByText('Is taken.').waitFor({ state: 'detached' })
    await name.press('ControlOrMeta+Enter')
    assert.equal(await dialog.getByRole('alert').innerText(), 'No more keys today.')
  })

  it('Esc does not discard the input; Cancel does', async () => {
    const page = await screens.open('/settings/keys')
    await page.getByRole('button', { name: 'New API key' }).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    await name.fill('Half a name')
    await name.press('Escape')
    const question = page.getByRole('alertdialog')
    await question.getByText('Discard your changes?').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await name.inputValue(), 'Half a name')
    await name.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await name.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'New API key' }).click()
    assert.equal(await name.inputValue(), '')
    await name.press('Escape')
    await name.waitFor({ state: 'detached' })
  })

  it('is accessible, the form and the question too', async () => {
    const page = await screens.open('/settings/keys')
    await page.getByRole('grid').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'New API key' }).click()
    await page.getByRole('dialog').waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^Revoke / })
      .first()
      .click()
    await page.getByRole('alertdialog').waitFor()
    await assertAccessible(page)
  })
})
