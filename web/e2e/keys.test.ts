import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible, startScreens } from './testing.ts'

const screens = await startScreens()

describe('settings, API keys', () => {
  it('a key is made, its secret shown once and copied, used, and revoked', async () => {
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
    assert.equal((await ask()).status, 401)

    await page.getByRole('checkbox', { name: 'Show revoked keys' }).click()
    await row.getByText('Revoked').waitFor()
    assert.match(page.url(), /all=true/)
  })

  it('what the service refuses is told in the form', async () => {
    const page = await screens.open('/settings/keys')
    await page.route('**/api-keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { error: 'name: is taken' } })
        : route.fallback(),
    )
    await page.getByRole('button', { name: 'New API key' }).click()
    await page.getByLabel('Name').fill('Twice')
    await page.getByRole('button', { name: 'Create' }).click()
    assert.equal(await page.getByRole('dialog').getByRole('alert').innerText(), 'name: is taken')
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
