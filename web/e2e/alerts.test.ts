import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { Webhook } from 'standardwebhooks'
import { startReceiver } from '../../server/testing/webhook-receiver.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const receiver = await startReceiver()
after(() => receiver.close())
const screens = await startScreens()

const post = async (path: string, body: object): Promise<void> => {
  const answer = await fetch(screens.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${screens.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, await answer.text())
}

describe('alerts', () => {
  it('a channel is created, its secret shown once, and tested; an alert that notifies it is previewed, fires and is snoozed', async () => {
    const page = await screens.open('/alerts?view=channels')
    await page.getByRole('button', { name: 'New channel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Webhook' }).click()
    await dialog.getByLabel('Name').fill('On call')
    await dialog.getByLabel('Address').fill(`${receiver.url}/on-call`)
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByRole('button', { name: 'Copy the secret' }).waitFor()
    // It is never shown again.
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await dialog.getByRole('button', { name: 'Copy the secret' }).click()
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(secret, /^whsec_/)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('Delivered in').waitFor()
    const [delivery = assert.fail()] = receiver.requests
    new Webhook(secret).verify(delivery.body, delivery.headers as Record<string, string>)
    await page.getByRole('button', { name: 'Done' }).click()
    assert.equal((await page.content()).includes(secret), false)

    await page.getByRole('tab', { name: 'Alerts' }).click()
    await page.getByRole('link', { name: 'New alert' }).click()
    await page.getByRole('link', { name: 'Error rate above 5%' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Anything fails')
    await page.getByRole('combobox', { name: 'Over the last' }).click()
    await page.getByRole('option', { name: '7 d', exact: true }).click()
    await page.getByLabel('Threshold', { exact: true }).fill('-1')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Must be from 0 to 100 percent.').waitFor()
    await page.getByLabel('Threshold', { exact: true }).fill('0')
    await page.getByLabel('Recovery threshold').fill('')
    await page.getByLabel('Minimum samples').fill('1')
    await page.getByText(/would have fired/).waitFor()
    await page.getByRole('checkbox', { name: 'On call' }).click()
    await page.getByRole('button', { name: 'Create' }).click()

    const standing = page.getByRole('region', { name: 'Status' })
    await standing.getByText('Firing').waitFor()
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('delivered').waitFor()
    assert.match(await history.innerText(), /Error rate over 7 days is .*, above 0%\./)
    assert.ok(receiver.requests.some(({ body }) => body.includes('"alert.firing"')))
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByTitle(/\d firing/)
      .waitFor()

    await page.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: 'For 8 hours' }).click()
    await standing.getByText(/Snoozed until/).waitFor()
    await assertAccessible(page)

    await page.getByRole('button', { name: 'More for Anything fails' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('The alert was deleted.').first().waitFor()
    await assertAccessible(page)
  })

  it('a failed notification shows the reason, and is sent again', async () => {
    const page = await screens.open('/alerts?view=history')
    const event = {
      id: '019b0000-0000-7000-8000-000000000000',
      alertId: '019b0000-0000-7000-8000-000000000001',
      alertName: 'Nightly',
      type: 'firing',
      reason: 'threshold',
      at: '2026-03-01T12:00:00.000Z',
      value: 12,
      samples: 3,
      measure: 'cost',
      windowMinutes: 60,
      condition: 'above',
      threshold: 10,
      summary: 'Cost over 1 hour is $12, above $10.',
      notifications: [
        {
          id: 'told',
          channelId: 'c',
          channelName: 'Pager',
          status: 'failed',
          attempts: 10,
          problem: 'The receiver responded with 503',
          nextAt: null,
          deliveredAt: null,
        },
      ],
    }
    await page.route('**/alerts/history*', (route) => route.fulfill({ json: { events: [event] } }))
    const request = page.waitForRequest('**/alerts/notifications/told/retry')
    await page.route('**/alerts/notifications/told/retry', (route) =>
      route.fulfill({ json: { retried: true } }),
    )
    await page.reload()
    await page.getByText('failed after 10 attempts: The receiver responded with 503').waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    await request
  })

  it('are introduced by templates that fit the recorded data if there are none yet', async () => {
    const page = await screens.open('/alerts?view=channels')
    await page.route('**/alerts', (route) =>
      route.request().resourceType() === 'document'
        ? route.fallback()
        : route.fulfill({ json: { alerts: [] } }),
    )
    await page.reload()
    await page.getByRole('tab', { name: 'Alerts' }).click()
    await page.getByText('No alerts yet').waitFor()
    const points = page.getByRole('list', { name: 'Templates' })
    await points.getByRole('link', { name: /^Daily cost above \$/ }).waitFor()
    await assertAccessible(page)
    await points.getByRole('link', { name: /^p95 latency above/ }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Latency')
    await page.getByText(/would (not )?have fired/).waitFor()
    await assertAccessible(page)
  })

  it('are changed with e, and keep filters that the form has no field for', async () => {
    await post('/alerts', {
      name: 'To change',
      measure: 'traces',
      windowMinutes: 60,
      condition: 'above',
      threshold: 1_000_000,
      filters: { 'metadata.environment': 'production' },
    })
    const page = await screens.open('/alerts')
    await page.getByRole('row').filter({ hasText: 'To change' }).click()
    await page.getByRole('region', { name: 'Status' }).waitFor()
    await page.keyboard.press('e')
    await page.getByText('metadata.environment: production').waitFor()
    await page.getByLabel('Threshold', { exact: true }).fill('2000000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Traces of metadata.environment production over 1 hour above 2,000,000').waitFor()
  })
})

describe('a channel that is changed', () => {
  const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

  it('keeps its input while its webhook gets a new secret, and concurrent changes by others', async () => {
    const { channel } = await client.channels.create({
      type: 'webhook',
      name: 'Rotated',
      url: 'https://example.com/rotated',
    })
    const page = await screens.open('/alerts?view=channels')
    await page.getByRole('button', { name: 'Change Rotated' }).click()
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
    await name.fill('Renamed')
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog', { name: 'Copy the secret now' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    assert.equal(await name.inputValue(), 'Renamed')
    await client.channels.update({ id: channel.id, isEnabled: false, events: ['prompt.published'] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog', { name: 'Test Renamed' }).waitFor()
    const saved = (await client.channels.list()).channels.find(({ id }) => id === channel.id)
    assert.deepEqual([saved?.name, saved?.isEnabled, saved?.events], ['Renamed', false, ['prompt.published']])
  })
})

describe('a channel that is being saved', () => {
  it('is not lost by Esc: a confirmation appears, and its secret is shown', async () => {
    const page = await screens.open('/alerts?view=channels')
    const saving = Promise.withResolvers<void>()
    await page.route('**/channels', async (route) => {
      if (route.request().method() === 'POST') await saving.promise
      return route.fallback()
    })
    await page.getByRole('button', { name: 'New channel' }).click()
    const dialog = page.getByRole('dialog', { name: 'New channel' })
    await dialog.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Webhook' }).click()
    await dialog.getByLabel('Name').fill('Saved slowly')
    await dialog.getByLabel('Address').fill(`${receiver.url}/slow`)
    await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/channels')),
      dialog.getByRole('button', { name: 'Add' }).click(),
    ])
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor()
    await page.keyboard.press('Escape')
    saving.resolve()
    await page
      .getByRole('dialog', { name: 'Copy the secret now' })
      .getByRole('button', { name: 'I have copied it' })
      .click()
  })
})
