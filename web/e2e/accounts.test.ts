import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, startScreens } from './support/testing.ts'

// Accounts and sessions are created and removed here, so no other test may share them.
const screens = await startScreens({ isOwn: true })
const password = 'quiet harbor lantern'

/** Accepts an invitation of the page's owner, on a separate page. */
async function join(page: Page, name: string, email: string): Promise<Page> {
  const answer = await page.request.post(`${screens.url}/invitations`, {
    headers: { origin: screens.url },
    data: { email, role: 'viewer' },
  })
  const { url } = (await answer.json()) as { url: string }
  const { pathname, search } = new URL(url)
  const joining = await screens.open(pathname.replace('/app', '') + search, { isSignedIn: false })
  await joining.getByLabel('Your name').fill(name)
  await joining.getByLabel('A password').fill('password123')
  await joining.getByRole('button', { name: 'Join' }).click()
  await joining.getByRole('alert').filter({ hasText: 'too easy to guess' }).waitFor()
  await joining.getByLabel('A password').fill(password)
  await joining.getByRole('button', { name: 'Join' }).click()
  await joining.getByRole('button', { name: /^Workspace: / }).waitFor()
  return joining
}

async function signIn(page: Page, email: string, passwordText: string): Promise<void> {
  await page.goto(`${screens.url}/app/sign-in`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(passwordText)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('accounts', () => {
  it('an operator locks an account, whose user is signed out with a message, unlocks it and deletes it', async () => {
    const page = await screens.open('/settings/accounts')
    const vera = await join(page, 'Vera Molnár', 'vera@example.com')
    await page.reload()
    await page.getByRole('button', { name: 'Lock Vera Molnár' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Lock' }).click()
    await page.getByRole('row').filter({ hasText: 'Vera Molnár' }).getByText('locked').waitFor()
    await assertAccessible(page)

    await vera.goto(`${screens.url}/app/ledger`)
    await vera.waitForURL(/sign-in/)
    await signIn(vera, 'vera@example.com', password)
    assert.equal(
      await vera.getByRole('alert').innerText(),
      'This account is locked; ask the operator of this service.',
    )
    await page.getByRole('button', { name: 'Unlock Vera Molnár' }).click()
    await page.getByRole('button', { name: 'Lock Vera Molnár' }).waitFor()
    await signIn(vera, 'vera@example.com', password)
    await vera.getByRole('button', { name: /^Workspace: / }).click()
    assert.equal(await vera.getByRole('menuitem', { name: 'New workspace…' }).count(), 0)
    await vera.goto(`${screens.url}/app/settings/workspace`)
    await vera.getByRole('link', { name: 'Members' }).waitFor()
    assert.equal(await vera.getByRole('link', { name: 'Accounts' }).count(), 0)

    await page.getByRole('button', { name: 'Delete Vera Molnár' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('row').filter({ hasText: 'Vera Molnár' }).waitFor({ state: 'detached' })
  })
})

describe('a changed password', () => {
  it('ends the other sessions, and a weak one is rejected with the reason', async () => {
    const page = await screens.open('/settings/you')
    const grace = await join(page, 'Grace Hopper', 'grace@example.com')
    const other = await screens.open('/sign-in', { isSignedIn: false })
    await other.getByText('Ask an admin of your workspace').waitFor()
    await assertAccessible(other)
    await signIn(other, 'grace@example.com', password)
    await other.getByRole('button', { name: /^Workspace: / }).waitFor()

    await grace.goto(`${screens.url}/app/settings/you`)
    await grace.getByText('This signs you out on all other devices').waitFor()
    await grace.getByLabel('Current password').fill(password)
    await grace.getByLabel('New password').fill('aaaaaaaaaa')
    await grace.getByRole('button', { name: 'Change password' }).click()
    await grace.getByText('Repeated characters').waitFor()
    await grace.getByLabel('New password').fill('copper lantern 42')
    await grace.getByRole('button', { name: 'Change password' }).click()
    await grace.getByText('Password changed').first().waitFor()
    await other.goto(`${screens.url}/app/ledger`)
    await other.waitForURL(/sign-in/)
  })
})

describe('a workspace', () => {
  it('is deleted by its owner, who types its name', async () => {
    const page = await screens.open('/settings/workspace')
    assert.equal(await page.getByRole('button', { name: 'Delete workspace' }).count(), 0)
    await page.getByRole('button', { name: /^Workspace: / }).click()
    await page.getByRole('menuitem', { name: 'New workspace…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('For a day')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Workspace: For a day' }).waitFor()
    await page.goto(`${screens.url}/app/settings/workspace`)
    await page.getByRole('button', { name: 'Delete workspace' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('textbox').fill('For a day')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Workspace: Default' }).waitFor()
  })
})
