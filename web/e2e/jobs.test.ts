import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { startReceiver } from '../../server/testing/webhook-receiver.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

let isGone = true
const receiver = await startReceiver((_request, response) => {
  response.statusCode = isGone ? 410 : 200
  response.end()
})
after(() => receiver.close())
// A failed job of another test would be counted here.
const screens = await startScreens({ isOwn: true })

describe('jobs', () => {
  it('an operator sees which job failed and why, and retries it', async () => {
    const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })
    const { channel } = await client.channels.create({
      name: 'On call',
      type: 'webhook',
      url: `${receiver.url}/on-call`,
    })
    await client.alerts.create({
      name: 'Silence',
      measure: 'traces',
      windowMinutes: 5,
      condition: 'below',
      threshold: 1,
      delaySeconds: 0,
      filters: { name: 'there is none' },
      channelIds: [channel.id],
    })
    const page = await screens.open('/settings/workspace')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('button', { name: '1 failed of notification.send' }).click()
    const jobs = page.getByRole('grid', { name: 'Jobs' })
    const row = jobs.getByRole('row').filter({ hasText: 'The receiver responded with 410' })
    await row.getByText('failed').waitFor()
    assert.equal(await page.getByText('responses.expire').count(), 0)
    await assertAccessible(page)

    isGone = false
    await client.channels.update({ id: channel.id, isEnabled: true })
    await page.getByRole('button', { name: 'Retry notification.send' }).click()
    await page.getByText('notification.send is queued again').waitFor()
    await page.getByRole('button', { name: '1 done of notification.send' }).click()
    await jobs.getByRole('row').filter({ hasText: 'done' }).waitFor()
    assert.equal(receiver.requests.length, 2)

    await page.getByRole('checkbox', { name: 'All workspaces' }).click()
    await page.getByRole('rowheader', { name: 'responses.expire' }).waitFor()
    await page.getByRole('rowheader', { name: 'evaluation.judge' }).waitFor()
    await page.getByRole('button', { name: 'Remove kind notification.send' }).click()
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Waiting' }).click()
    await jobs.getByRole('row').filter({ hasText: 'sessions.expire' }).waitFor()
    await assertAccessible(page)
  })
})
