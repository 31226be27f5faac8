import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()

describe('the audit log', () => {
  it('shows who renamed a channel, from where, and its previous name', async () => {
    const page = await screens.open('/settings/audit')
    const request = async (method: string, path: string, data: object) => {
      const headers = { origin: screens.url }
      const answer = await page.request.fetch(`${screens.url}${path}`, { method, headers, data })
      assert.ok(answer.ok(), await answer.text())
      return (await answer.json()) as { channel: { id: string } }
    }
    const url = 'https://example.com/audit-test'
    const { channel } = await request('POST', '/channels', { name: 'Night watch', type: 'webhook', url })
    await request('PATCH', `/channels/${channel.id}`, { name: 'Day watch' })
    await page.reload()
    await page.getByLabel('Operation').fill('channels.update')
    const row = page.getByRole('row').filter({ hasText: 'Day watch' }).filter({ hasText: 'channels.update' })
    await row.waitFor()
    await page.getByRole('row').filter({ hasText: 'channels.create' }).first().waitFor({ state: 'detached' })
    await row.click()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('Night watch').waitFor()
    await changes.getByText('Day watch').waitFor()
    await page.getByText('127.0.0.1', { exact: true }).last().waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await changes.waitFor({ state: 'detached' })
  })

  it('is exported as it is filtered', async () => {
    const page = await screens.open('/settings/audit?operation=no.such')
    await page.getByText('No entries match').waitFor()
    const request = page.waitForRequest(/\/audit\/export/)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const download = await downloading
    assert.match(download.suggestedFilename(), /^audit-.*\.jsonl$/)
    assert.match((await request).url(), /\/audit\/export\?operation=no\.such$/)
  })

  it('sends entries to a webhook of an owner, whose secret is shown once', async () => {
    const page = await screens.open('/settings/audit')
    await page.getByRole('button', { name: 'Webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('https://169.254.169.254/')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Address').fill('https://siem.invalid/hook/of-the-audit-log')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/whsec_/).waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Webhook' }).click()
    await dialog.getByText('Now siem.invalid/').waitFor()
    await dialog.getByRole('button', { name: 'Stop sending' }).click()
    await page.getByText('Entries are no longer sent').first().waitFor()
  })

  it('shows operators the sign-ins, and keeps entries as long as an owner says', async () => {
    const page = await screens.open('/settings/audit')
    await page.getByLabel('Days to keep entries').fill('7')
    await page.getByText('From 30 to 36500').waitFor()
    await page.getByLabel('Days to keep entries').fill('180')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Entries are kept for 180 days').first().waitFor()
    await page.getByRole('row').filter({ hasText: 'audit.configure' }).first().waitFor()
    await page.getByRole('combobox', { name: 'Scope' }).click()
    await page.getByRole('option', { name: 'The whole service' }).click()
    await page.getByLabel('Operation').fill('auth')
    const signIn = page.getByRole('row').filter({ hasText: 'auth.' }).first()
    const target = signIn.getByRole('gridcell').nth(3)
    await target.getByText('Ada Lovelace', { exact: true }).waitFor()
    await signIn.click()
    await page.getByText('User account', { exact: true }).waitFor()
  })
})
