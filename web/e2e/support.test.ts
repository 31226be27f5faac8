/** The working day of a support lead, with every mouse press counted: at most 12 for all five tasks. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import type { Page } from 'playwright-core'
import { eventually } from '../../fixtures/eventually.ts'
import { assertAccessible, startScreens } from './support/testing.ts'

const screens = await startScreens()
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })

const name = 'Support of parcels'
const sessionId = 'support-lead-1'
const record = (minutesAgo: number, fields: object) =>
  client.monitor.trace({
    name,
    sessionId,
    user: { id: 'usr_support', name: 'Wilhelmina Achterberg' },
    startTime: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    endTime: new Date(Date.now() - minutesAgo * 60_000 + 900).toISOString(),
    ...fields,
  })
await record(20, { input: 'My parcel is late.', output: 'It is with the carrier.' })
await record(10, {
  input: 'Then send another one!',
  output: 'I cannot.',
  logs: [{ id: 't', type: 'tool', name: 'orders', metadata: { error: 'The order is locked.' } }],
})
await client.datasets.create({
  slug: 'support-cases',
  name: 'Cases of support',
  columns: [{ name: 'input', type: 'text' }],
})
await screens.listed(name, 2)

/** Counts mouse presses in the browser itself, so that no step below can forget to. */
async function countPresses(page: Page): Promise<() => number> {
  let presses = 0
  await page.exposeFunction('onPress', () => {
    presses += 1
  })
  await page.evaluate(() =>
    document.addEventListener(
      'pointerdown',
      () => (globalThis as unknown as { onPress: () => void }).onPress(),
      { capture: true },
    ),
  )
  return () => presses
}

it('finds a bad conversation by name, sees why, scores it, keeps it and tells the team in 12 presses', async () => {
  const page = await screens.open('/traces?range=24h', { isFirstVisit: true })
  await page.getByRole('heading', { name: 'Traces', level: 1 }).waitFor()
  const presses = await countPresses(page)

  // Find the conversation of a customer by name.
  await page.getByRole('link', { name: 'Conversations' }).click()
  await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor()
  await page.getByRole('combobox', { name: 'Filter' }).click()
  await page.keyboard.type('user:wilhelmina')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelectorAll('[role=grid] [role=row]').length === 2)
  await page.getByRole('gridcell', { name: /My parcel is late/ }).click()

  // See why it failed.
  const turns = page.getByRole('list', { name: 'Turns' }).locator('> li')
  await turns.nth(1).getByText('The order is locked.').waitFor()

  // Score it. The form has the focus at the name.
  await turns.nth(1).getByRole('button', { name: 'Score' }).click()
  const form = page.getByRole('form', { name: 'New score' })
  await form.getByLabel('Name').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('helpful')
  await form.getByRole('button', { name: 'No' }).click()
  await form.getByRole('button', { name: 'Score' }).click()
  await turns.nth(1).getByText('helpful').waitFor()

  // Keep it as rows of a dataset.
  await page.getByRole('button', { name: 'Add to dataset' }).first().click()
  const dataset = page.getByRole('dialog').getByRole('combobox', { name: 'Dataset' })
  await dataset.click()
  await page.keyboard.type('Cases of support')
  await page.getByRole('option', { name: /Cases of support/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add 2 rows' }).click()
  await page.getByText('Added 2 rows to “Cases of support”').waitFor()

  // Tell the team.
  await turns.nth(1).getByRole('button', { name: 'Comments' }).click()
  const comments = page.getByRole('dialog', { name: 'Comments' })
  await comments.getByRole('textbox', { name: 'New comment' }).click()
  await page.keyboard.type('@ada')
  await comments.getByRole('list', { name: 'Members' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('the order was locked')
  await comments.getByRole('button', { name: 'Comment', exact: true }).click()
  await comments.getByRole('list', { name: 'Comments' }).getByText('the order was locked').waitFor()

  assert.ok(presses() > 0 && presses() <= 12, `${presses()} presses`)
  await assertAccessible(page)
  await eventually(async () => {
    const { rows } = await client.datasets.rows({ slug: 'support-cases' })
    assert.equal(rows.length, 2)
  })
})
