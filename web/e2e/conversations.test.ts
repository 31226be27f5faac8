import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

/** A conversation of this file's own: the second call sends the first turn again, and the third fails. */
const name = 'E2E conversation'
const sessionId = 'talk/ä 1'
const user = { id: 'usr_e2e', name: 'Philippa Quince' }
const say = (role: string, content: string) => ({ role, content })
const record = (minute: number, fields: object) =>
  client.monitor.trace({
    name,
    sessionId,
    user,
    organization: { id: 'org_e2e', name: 'Quince & Sons' },
    startTime: new Date(Date.now() - (60 - minute) * 60_000).toISOString(),
    endTime: new Date(Date.now() - (60 - minute) * 60_000 + 1500).toISOString(),
    ...fields,
  })
await record(1, { input: 'Where is parcel 7?', output: 'With the carrier.' })
await record(2, {
  input: [
    say('system', 'Be kind.'),
    say('user', 'Where is parcel 7?'),
    say('assistant', 'With the carrier.'),
    say('user', 'Since when?'),
  ],
  output: say('assistant', 'Since **Monday**.'),
})
await record(3, {
  input: 'Call me back!',
  logs: [{ id: 't', type: 'tool', metadata: { error: 'The phone is off.' } }],
})
await client.datasets.create({
  slug: 'e2e-talk',
  name: 'Bad talks',
  columns: [{ name: 'input', type: 'text' }],
})
await screens.listed(name, 3)

describe('conversations and people', () => {
  it('a bad conversation is found by name, read, scored, added to a dataset and to a queue in 12 clicks', async () => {
    const page = await screens.open('/traces?range=24h')
    let clicks = 0
    const click = async (...[role, options]: Parameters<typeof page.getByRole>): Promise<void> => {
      await page.getByRole(role, options).first().click()
      clicks += 1
    }
    await click('link', { name: 'Conversations' })
    await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor()
    const filter = page.getByRole('combobox', { name: 'Filter' })
    await filter.fill('user:philippa')
    await filter.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row]').length === 2)
    await click('gridcell', { name: /Where is parcel 7/ })

    const turns = page.getByRole('list', { name: 'Turns' }).locator('> li')
    await turns.nth(2).waitFor()
    assert.equal(await turns.count(), 3)
    await turns.nth(1).getByText('Since when?').waitFor()
    assert.equal(await turns.nth(1).getByText('Where is parcel 7?').count(), 0)
    assert.equal(await turns.nth(1).locator('strong').textContent(), 'Monday')
    await turns.nth(2).getByText('The phone is off.').waitFor()

    await turns.nth(2).getByRole('button', { name: 'Score' }).click()
    clicks += 1
    const score = page.getByRole('form', { name: 'New score' })
    await score.getByLabel('Name').fill('helpful')
    await score.getByRole('button', { name: 'No' }).click()
    await score.getByRole('button', { name: 'Score' }).click()
    clicks += 2
    await turns.nth(2).getByText('helpful').waitFor()

    await click('button', { name: 'Add to dataset' })
    await page.getByRole('dialog').getByRole('combobox', { name: 'Dataset' }).fill('Bad talks')
    await page.keyboard.press('Enter')
    await click('button', { name: 'Add 3 rows' })
    await page.getByText('Added 3 rows to “Bad talks”').waitFor()
    await turns.nth(2).getByRole('button', { name: 'Comments' }).click()
    const comments = page.getByRole('dialog', { name: 'Comments' })
    await comments.getByRole('textbox', { name: 'New comment' }).pressSequentially('@ada')
    await comments.getByRole('list', { name: 'Members' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('the callback failed')
    await comments.getByRole('button', { name: 'Comment', exact: true }).click()
    clicks += 2
    await comments.getByRole('list', { name: 'Comments' }).getByText('the callback failed').waitFor()
    assert.ok(clicks <= 12, `${clicks} clicks`)
    await assertAccessible(page)
  })

  it('users and customers show their traffic, and link to their conversations', async () => {
    const page = await screens.open('/users?range=24h&q=user:philippa')
    const row = page.getByRole('grid', { name: 'Users' }).getByRole('row').nth(1)
    await row.getByText('Philippa Quince').waitFor()
    await row.getByText('Quince & Sons').waitFor()
    await row.getByRole('link', { name: '1' }).click()
    await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor()
    await page.getByRole('gridcell', { name: /Where is parcel 7/ }).waitFor()
    await page.goBack()
    await page.getByRole('tab', { name: 'Customers' }).click()
    await page.getByRole('grid', { name: 'Customers' }).getByText('Quince & Sons').waitFor()
    await assertAccessible(page)
  })

  it('a long one is passed on in full, however much of it is shown', async () => {
    const turns = Array.from({ length: 120 }, (_, index) => index)
    for (const turn of turns)
      await client.monitor.trace({
        name: 'E2E long talk',
        sessionId: 'long-talk',
        input: `Question ${turn}`,
        startTime: new Date(Date.now() - 3_600_000 + turn * 1000).toISOString(),
      })
    await eventually(async () => {
      const { conversation } = await client.conversations.get({ id: 'long-talk', limit: 1 })
      assert.equal(conversation.traces, 120)
    })
    for (const name of ['Long talks', 'Other talks'])
      await client.datasets.create({
        slug: name.toLowerCase().replace(' ', '-'),
        name,
        columns: [{ name: 'input', type: 'text' }],
      })
    const page = await screens.open('/settings/you')
    const hold = Promise.withResolvers<void>()
    await page.route('**/conversations/long-talk?*', async (route) => {
      if (route.request().resourceType() !== 'document') await hold.promise
      await route.fallback()
    })
    await page.goto(`${screens.url}/app/conversations/long-talk`)
    const handOn = page.getByRole('button', { name: 'Add to dataset' })
    await handOn.waitFor()
    assert.ok(await handOn.isDisabled(), 'before it is known how long it is')
    hold.resolve()
    await page.getByRole('button', { name: 'Show later turns' }).waitFor()
    await handOn.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('120 rows will be created').waitFor()

    // A retry after a failure repeats no row, whichever dataset was tried in between.
    const add = async (name: string): Promise<void> => {
      await dialog.getByRole('combobox', { name: 'Dataset' }).fill(name)
      await page.getByRole('option', { name }).waitFor()
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Add 120 rows' }).press('Enter')
    }
    let mayPass = 1
    await page.route('**/items/from-traces', (route) =>
      mayPass-- > 0 ? route.fallback() : route.abort('connectionrefused'),
    )
    await add('Long talks')
    await dialog.getByRole('alert').waitFor()
    await add('Other talks')
    await eventually(async () => assert.ok(mayPass < -1))
    await dialog.getByRole('alert').waitFor()
    await page.unroute('**/items/from-traces')
    await add('Long talks')
    await dialog.waitFor({ state: 'detached' })
    const { dataset } = await client.datasets.get({ slug: 'long-talks' })
    assert.equal(dataset.rows.length, 120)
  })

  it('a missing session is reported, and a phone shows a conversation in full', async () => {
    const page = await screens.open('/conversations/nobody')
    await page.getByText('No trace has the session "nobody".').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${screens.url}/app/conversations/${encodeURIComponent(sessionId)}`)
    await page.getByText('The phone is off.').waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390))
    await assertAccessible(page)
  })
})
