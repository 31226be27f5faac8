import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOperations } from '@plumbline/sdk'
import type { Page } from 'playwright-core'
import { assertAccessible, startScreens } from './support/testing.ts'

// Sessions are ended here: no other test may use them.
const screens = await startScreens({ isOwn: true })
// A workspace without traces opens with Get started.
const client = createOperations({ baseUrl: screens.url, apiKey: screens.key })
await client.monitor.trace({ name: 'first' })
const pathOf = (link: string): string => {
  const { pathname, search } = new URL(link)
  return pathname.replace('/app', '') + search
}

async function copiedLink(page: Page): Promise<string> {
  const copy = page.getByRole('button', { name: 'Copy the link' })
  // Toasts are dialogs as well.
  const dialog = page.getByRole('dialog').filter({ has: copy })
  await copy.click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return link
}

describe('members', () => {
  it('a person is invited by a link, joins as a viewer who is offered no change, gets another role and a new password', async () => {
    const page = await screens.open('/settings/members')
    await page.getByText('This is the only owner. Add another first').waitFor()
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByRole('dialog').getByLabel('E-mail').fill('vera@example.com')
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: /^Viewer/ }).click()
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await copiedLink(page)
    await page.getByRole('region', { name: 'Invitations' }).getByText('vera@example.com').waitFor()
    await assertAccessible(page)

    const viewer = await screens.open(pathOf(link), { isSignedIn: false })
    await viewer.getByText('You are invited as viewer with the address vera@example.com.').waitFor()
    await assertAccessible(viewer)
    await viewer.getByLabel('Your name').fill('Vera Molnár')
    await viewer.getByLabel('A password').fill('a long enough one')
    await viewer.getByRole('button', { name: 'Join' }).click()
    await viewer.waitForURL(/\/app\/traces/)
    await viewer.goto(`${screens.url}/app/settings/members`)
    await viewer.getByRole('row').filter({ hasText: 'vera@example.com' }).getByText('You').waitFor()
    assert.equal(await viewer.getByRole('button', { name: 'Invite a person' }).count(), 0)
    assert.equal(await viewer.getByRole('combobox', { name: /^Role of/ }).count(), 0)
    await viewer.goto(`${screens.url}/app/settings/workspace`)
    assert.equal(await viewer.getByLabel('Name').isDisabled(), true)
    await viewer.goto(`${screens.url}/app/evaluators`)
    await viewer.getByRole('heading', { level: 1, name: 'Evaluators' }).waitFor()
    assert.equal(await viewer.getByRole('link', { name: 'New evaluator' }).count(), 0)

    // An editor's link shows no form to a viewer.
    await client.prompts.create({ slug: 'of-editors', name: 'Of editors' })
    await client.evaluators.create({ slug: 'by-people', name: 'By people', kind: 'human', config: {} })
    const { queue } = await client.annotationQueues.create({
      name: 'By people',
      evaluatorSlugs: ['by-people'],
    })
    await viewer.goto(`${screens.url}/app/annotation/${queue.id}?tab=settings`)
    await viewer.getByText('No items yet').waitFor()
    await viewer.goto(`${screens.url}/app/prompts/of-editors/edit`)
    await viewer.getByText('You can view prompts but not edit them').waitFor()
    await viewer.goto(`${screens.url}/app/evaluators/new`)
    await viewer.getByText('You can view evaluators but not edit them').waitFor()

    await page.reload()
    await page.getByRole('combobox', { name: 'Role of Vera Molnár' }).click()
    await page.getByRole('option', { name: /^Editor/ }).click()
    await page.getByText('Vera Molnár is now editor').waitFor()
    await viewer.goto(`${screens.url}/app/evaluators`)
    await viewer.getByRole('link', { name: 'New evaluator' }).first().waitFor()

    await page.getByRole('button', { name: 'Password reset link for Vera Molnár' }).click()
    const reset = await screens.open(pathOf(await copiedLink(page)), { isSignedIn: false })
    await assertAccessible(reset)
    await reset.getByLabel('New password').fill('another long one')
    await reset.getByRole('button', { name: 'Save password' }).click()
    await reset.waitForURL(/\/app\/traces/)
    await viewer.goto(`${screens.url}/app/ledger`)
    await viewer.waitForURL(/sign-in/)

    await page.getByRole('button', { name: 'Remove Vera Molnár' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('row').filter({ hasText: 'vera@example.com' }).waitFor({ state: 'detached' })
    await reset.goto(`${screens.url}/app/ledger`)
    await reset.getByText('You are not in a workspace yet').waitFor()
    const again = await screens.open(pathOf(link), { isSignedIn: false })
    await again.getByRole('alert').waitFor()
    // The message belongs to a full screen, with a heading.
    assert.equal(await again.getByRole('heading', { level: 1 }).count(), 1)
  })
})

describe('the workspace', () => {
  it('is renamed, and has others beside it', async () => {
    const page = await screens.open('/settings')
    await page.waitForURL(/settings\/workspace/)
    await assertAccessible(page)

    await page.getByRole('button', { name: /^Workspace: / }).click()
    await page.getByRole('menuitem', { name: 'New workspace…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Beside it')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Workspace: Beside it' }).waitFor()
    await page.waitForURL(/get-started/)
    await page.goto(`${screens.url}/app/settings/workspace`)
    await page.getByLabel('Name', { exact: true }).fill('Beside it, renamed')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: 'Workspace: Beside it, renamed' }).click()
    await page.getByRole('menuitem', { name: 'Default' }).click()
    await page.getByRole('button', { name: 'Workspace: Default' }).waitFor()
    await page.waitForURL(/\/app\/traces/)
  })
})

describe('prices', () => {
  it('a model is looked up, gets a workspace price, and loses it again', async () => {
    const page = await screens.open('/settings/prices')
    await page.getByLabel(/^Look up a model’s price/).fill('e2e-model-x')
    await page.getByText(/^No known price/).waitFor()
    await page.getByRole('button', { name: 'New price' }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('Model').inputValue(), 'e2e-model-x')
    await dialog.getByLabel('Input').fill('1.5')
    await dialog.getByLabel('Output').fill('6')
    await dialog.getByLabel('Valid from').fill('11/23/2026')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Use the format 2026-11-23 06:59.').waitFor()
    await dialog.getByLabel('Valid from').fill('2026-01-02 03:04')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('your price').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'e2e-model-x' })
    assert.match(await row.innerText(), /\$1\.50[\s\S]*\$6\.00/)
    await assertAccessible(page)
    await row.getByRole('button', { name: 'Delete the price of e2e-model-x' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByText(/^No known price/).waitFor()
  })
})

describe('price lists', () => {
  it('costs with another list are compared and stored', async () => {
    const { trace } = await client.monitor.trace({
      name: 'priced by two lists',
      logs: [
        {
          id: 'g',
          type: 'generation',
          inputTokens: 1_000_000,
          outputTokens: 0,
          metadata: { model: 'gpt-4o', provider: 'openai' },
        },
      ],
    })
    const prices = { input_mtok: 5, output_mtok: 20 }
    const models = [{ id: 'gpt-4o', match: { equals: 'gpt-4o' }, prices }]
    await client.prices.update({
      list: { name: 'test', version: '2019-01-02', sources: [], providers: [{ id: 'openai', models }] },
    })
    const page = await screens.open('/settings/prices')
    await page
      .getByText(/^The price list 20\d\d-\d\d-\d\d, with [\d,]+ models, came with this release/)
      .waitFor()
    await page.getByRole('button', { name: 'Recompute costs' }).click()
    const dialog = page.getByRole('dialog')
    const [start, end] = [dialog.getByLabel('From (UTC)'), dialog.getByLabel('To (exclusive)')]
    const [firstDay, lastDay] = [await start.inputValue(), await end.inputValue()]
    assert.match(`${firstDay} ${lastDay}`, /^\d{4}-\d{2}-\d{2} \d{4}-\d{2}-\d{2}$/)
    // Another country's date format, and an invalid day.
    for (const text of ['11/23/2026', '2026-02-31']) {
      await start.fill(text)
      await dialog.getByText('Use the format 2026-11-23.').waitFor()
      assert.ok(await dialog.getByRole('button', { name: 'Compare' }).isDisabled())
    }
    await start.fill(firstDay)
    await end.fill(firstDay)
    await dialog.getByText('It must be after the start.').waitFor()
    await end.fill(lastDay)
    await dialog.getByRole('combobox', { name: 'Price list' }).click()
    await page.getByRole('option', { name: '2019-01-02' }).click()
    await dialog.getByRole('button', { name: 'Compare' }).click()
    await dialog.getByText('Nothing is changed yet.').waitFor()
    const row = dialog.getByRole('row').filter({ hasText: 'gpt-4o' }).first()
    await row.waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Store the new costs' }).click()
    await dialog.getByText('The new costs are stored.').waitFor()
    const storedTrace = await client.traces.get({ id: trace.id })
    assert.equal(storedTrace.trace.totals.cost, 5)
  })
})

describe('the user’s own settings', () => {
  it('the name and the appearance are changed, a wrong password is reported, and another session is ended', async () => {
    const page = await screens.open('/settings/you')
    await page.getByLabel('Your name', { exact: true }).fill('Ada King')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^Account and appearance.*Ada King/ }).waitFor()
    await page.getByLabel('Your name', { exact: true }).fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^Account and appearance.*Ada Lovelace/ }).waitFor()

    await page.getByLabel('Current password').fill('not this one, no')
    await page.getByLabel('New password').fill('a long enough one')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page
      .getByRole('region', { name: 'Password' })
      .getByText(/[Pp]assword.*(wrong|invalid|not)/)
      .waitFor()

    const other = await screens.open('/ledger', { hasOwnSession: true })
    await page.reload()
    const sessions = page.getByRole('list', { name: 'Sessions' })
    await sessions.getByText('This session').waitFor()
    await assertAccessible(page)
    await sessions.getByRole('button', { name: 'End' }).first().click()
    await other.goto(`${screens.url}/app/settings/you`)
    await other.waitForURL(/sign-in/)
  })
})
